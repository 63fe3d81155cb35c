import Configuration
import Contracts
import EventSourcing
import EventStore
import Glibc
import HTTPServer
import History
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

/// A file of plans in its own folder.
private struct PlansFile {
    private let folder = TemporaryFolder()

    var path: String { "\(folder.path)/plans.json" }

    init(_ text: String) throws {
        let file = try #require(fopen(path, "w"))
        fputs(text, file)
        fclose(file)
    }

    /// The free plan with so many dances an hour and a local day.
    static func dances(_ hour: Int, _ day: Int, more: String = "") throws -> PlansFile {
        try PlansFile(
            """
            {"version": 1, "plans": {"free": {
                "mirrormate": {"windows": {"local-day": 1}, "lateCancellations": 3},
                "dance": {"windows": {"hour": \(hour), "local-day": \(day)}, "lateCancellations": 0}}\(more)}}
            """)
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Plans of a deployment` {
    private let log = Logger(label: "test")

    private func settings(_ file: PlansFile) throws -> QuotaSettings {
        let environment = Environment(["OBJECT_STORE": "file:///nowhere", "PLANS_FILE": file.path])
        let settings = QuotaSettings(environment)
        try environment.finish()
        return settings
    }

    private func plans(_ group: Group) async throws -> [JSONValue] {
        let answer = try await group.sendToAdmin(
            "GET", "/operator/plans", headers: [("Authorization", "Bearer \(TestOperator.key)")])
        #expect(answer.status == 200)
        return answer.json["plans"]?.arrayValue ?? []
    }

    private func definitions(_ group: Group) async throws -> Int64 {
        try await group.count("select count(*) from events where type = 'PlanDefined'")
    }

    @Test func `are recorded once, however many instances start with them, one after another or at the same time`()
        async throws
    {
        try await withService(QuotaService.self, instances: 2) { group in
            #expect(try await definitions(group) == 2)
            let settings = try settings(.dances(2, 5))
            let starts = (0..<4).map { index in
                Loop.task {
                    _ = try await PlansInForce(
                        group.instances[index % 2].store, settings, log: Logger(label: "test"))
                }
            }
            for start in starts { try await start.value }
            #expect(try await definitions(group) == 3)
        }
    }

    @Test func `are shown to operators, with since when they hold and where they come from`() async throws {
        try await withService(QuotaService.self, TestOperator.variables) { group in
            let before = try await plans(group)
            #expect(before.map { $0["plan"] } == ["free", "premium"])
            #expect(before.allSatisfy { $0["number"] == 1 && $0["source"] == "built-in" && $0["isOffered"] == true })
            let recorded = try await group.administrator.query(
                "select min(recorded_at) from events where type = 'PlanDefined'")
            #expect(before[0]["since"] == .time(recorded.rows[0].time(0)))
            #expect(before[0]["kinds"]?["mirrormate"]?["words"] == "1 a local day")
            #expect(before[1]["kinds"]?["mirrormate"]?["windows"] == ["local-day": nil])
            let without = try await group.sendToAdmin("GET", "/operator/plans")
            #expect(without.status == 401)
        }
    }

    @Test func `change with their file, and stay in force for those who have one that it does not name any more`()
        async throws
    {
        let file = try PlansFile.dances(2, 5)
        defer { withExtendedLifetime(file) {} }
        try await withService(QuotaService.self, TestOperator.variables.merging(["PLANS_FILE": file.path]) { $1 }) {
            group in
            let gold = #", "gold": {"dance": {"windows": {"hour": 9}, "lateCancellations": 0}}"#
            _ = try await PlansInForce(group.first.store, settings(.dances(3, 5, more: gold)), log: log)
            let after = try await PlansInForce(group.first.store, settings(.dances(3, 5)), log: log)
            #expect(after.entries.map(\.plan.definition.code.rawValue) == ["free", "gold"])
            #expect(after.entries.map(\.plan.number) == [2, 1])
            #expect(after.entries.map(\.isOffered) == [true, false])
            let refused = #expect(throws: Problem.self) { try after.check(PlanCode(rawValue: "gold")) }
            #expect(refused?.code == .planUnknown && refused?.detail.contains("gold") == false)
            #expect(
                after.now.terms(of: PlanCode(rawValue: "gold"), for: SessionKind(rawValue: "dance")).terms.windows
                    == [.init(.hour, 9)])
        }
    }

    @Test func `reach an instance that was already running`() async throws {
        let file = try PlansFile.dances(1, 5)
        defer { withExtendedLifetime(file) {} }
        let wide = try settings(.dances(4, 5))
        try await withService(QuotaService.self, ["PLANS_FILE": file.path]) { group in
            let following = try await PlansInForce(group.first.store, settings(file), log: log)
            let task = Loop.task { await following.run() }
            _ = try await PlansInForce(group.first.store, wide, log: log)
            let deadline = monotonicNanoseconds() + 20_000_000_000
            while following.now.all.first?.number != 2, monotonicNanoseconds() < deadline {
                try await Loop.sleep(for: .milliseconds(50))
            }
            #expect(following.now.all.first?.number == 2)
            task.cancel()
            _ = await task.result
        }
    }

    @Test func `with mistakes end the start with all of them`() throws {
        let file = try PlansFile(
            """
            {"version": 1, "plans": {"free": {"dance": {"windows": {"hour": 1.5}, "lateCancellations": 0}},
                "gold": {"dance": {"windows": {}, "lateCancellations": 0}}}}
            """)
        defer { withExtendedLifetime(file) {} }
        let environment = Environment(["OBJECT_STORE": "file:///nowhere", "PLANS_FILE": file.path])
        QuotaService.check(environment)
        let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(
            error?.problems == [
                "PLANS_FILE: plans.free.dance.windows.hour must be a whole number from 0 to 1000000, or null for unlimited.",
                "PLANS_FILE: plans.gold.dance.windows must be an object with at least one of hour, local-day.",
            ])
        let missing = Environment(["OBJECT_STORE": "file:///nowhere", "PLANS_FILE": "/nowhere/plans.json"])
        QuotaService.check(missing)
        #expect(throws: ConfigurationError.self) { try missing.finish() }
    }

    @Test func `are described together with what was decided by them`() async throws {
        let file = try PlansFile.dances(1, 5)
        defer { withExtendedLifetime(file) {} }
        try await withService(QuotaService.self, ["PLANS_FILE": file.path]) { group in
            var topic = TestTopic()
            var from = Messages()
            from.kind = SessionKind(rawValue: "dance")
            for _ in 0..<2 { try await group.deliver(topic.message(from.created(.v7()))) }
            let events = try await group.first.store.read(Allowance.stream(from.owner))
            #expect(events.map(\.type.name) == ["QuotaReserved", "QuotaRefused"])
            let words = try events.map { try QuotaService.history.words($0) ?? "" }
            #expect(words[0].contains("1 held and 0 used of 1 in the hour until"))
            #expect(words[0].contains("1 held and 0 used of 5 in the local-day until"))
            #expect(words[0].hasSuffix("(Europe/Berlin, plan free, definition 1)"))
            #expect(words[1].contains("the dance limit hour is full"))
            #expect(words[1].hasSuffix("(plan free, definition 1)"))
        }
    }
}
