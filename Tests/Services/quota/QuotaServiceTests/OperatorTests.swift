import Contracts
import EventSourcing
import EventStore
import HTTPClient
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

@Suite(.timeLimit(.minutes(10))) @Loop struct `An operator` {
    private let from = Messages()

    private func ask(
        _ group: Group, _ method: String, _ path: String, _ body: JSONValue? = nil, key: String? = nil,
        repeatable: String? = nil
    ) async throws -> Answer {
        var headers = [("Authorization", "Bearer \(key ?? TestOperator.key)")]
        if let repeatable { headers.append(("Idempotency-Key", repeatable)) }
        return try await group.sendToAdmin(
            method, "/operator/allowances/\(from.owner)\(path)", headers: headers, json: body)
    }

    private func remaining(_ group: Group) async throws -> JSONValue? {
        try await group.send("GET", "/v1/quota", as: from.owner).json["remaining"]
    }

    @Test func `gives units that are kept until they are used, once for each Idempotency-Key`() async throws {
        try await withService(QuotaService.self, TestOperator.variables) { group in
            for _ in 0..<3 {
                let given = try await ask(group, "POST", "/grants", ["units": 2], repeatable: "a")
                #expect(given.status == 200 && given.json["remaining"] == 3)
            }
            let other = try await ask(group, "POST", "/grants", ["units": 3], repeatable: "a")
            #expect(other.status == 422 && other.code == "idempotency-key-reused")
            #expect(try await ask(group, "POST", "/grants", ["units": 2]).code == "idempotency-key-missing")
            var topic = TestTopic()
            for left in [2, 1, 0, 0] {
                let session = UUID.v7()
                try await group.deliver(topic.message(from.created(session)))
                try await group.deliver(topic.message(from.completed(session)))
                #expect(try await remaining(group) == .int(Int64(left)))
            }
            let events = try await group.first.store.read(Allowance.stream(from.owner))
            #expect(events.first?.metadata.actor == "operator")
            let kinds = try events.map { try $0.decoded(as: QuotaEvent.self) }
            #expect(kinds.filter { if case .extraGranted = $0 { true } else { false } }.count == 1)
        }
    }

    @Test func `puts premium in force, which has no limit, and takes it back`() async throws {
        try await withService(QuotaService.self, TestOperator.variables) { group in
            var topic = TestTopic()
            #expect(try await ask(group, "PUT", "/plan", ["plan": "premium"]).json["remaining"] == .null)
            for _ in 0..<5 {
                let session = UUID.v7()
                try await group.deliver(topic.message(from.created(session)))
                let events = try await group.first.store.read(Allowance.stream(from.owner))
                guard case .reserved = try events.last!.decoded(as: QuotaEvent.self) else {
                    Issue.record("An owner with premium was refused.")
                    return
                }
                try await group.deliver(topic.message(from.completed(session)))
            }
            // A repeat changes nothing.
            for _ in 0..<2 { #expect(try await ask(group, "PUT", "/plan", ["plan": "free"]).json["remaining"] == 0) }
            let published = try await group.first.store.read(Allowance.stream(from.owner)).compactMap {
                try QuotaService.publication($0)
            }
            #expect(published.filter { $0.type == PlanChanged.type }.count == 2)
        }
    }

    @Test func `learns what is wrong with a request`() async throws {
        try await withService(QuotaService.self, TestOperator.variables) { group in
            let plan = try await ask(group, "PUT", "/plan", ["plan": "gold"])
            #expect(plan.status == 422 && plan.code == "plan-unknown")
            #expect(plan.json["detail"]?.stringValue?.contains("are free, premium;") == true)
            let units = try await ask(group, "POST", "/grants", ["units": 0], repeatable: "b")
            #expect(units.status == 422 && units.code == "units-out-of-range")
            let kind = try await ask(group, "POST", "/grants", ["units": 1, "kind": "karaoke"], repeatable: "c")
            #expect(kind.status == 422 && kind.code == "kind-unknown")
            let shown = try await ask(group, "GET", "?kind=karaoke")
            #expect(shown.status == 422 && shown.code == "kind-unknown")
            #expect(shown.json["detail"]?.stringValue?.contains("mirrormate") == true)
            #expect(try await ask(group, "GET", "?kind=mirrormate").json["remaining"] == 1)
            let more = try await ask(group, "POST", "/grants", ["units": 1, "until": "2027-01-01"], repeatable: "d")
            let later = try await ask(group, "PUT", "/plan", ["plan": "premium", "until": "2027-01-01"])
            for answer in [more, later] { #expect(answer.status == 422 && answer.code == "member-unknown") }
            #expect(try await group.first.store.read(Allowance.stream(from.owner)).isEmpty)
        }
    }

    @Test func `needs the secret, and without one in the settings there is no such route`() async throws {
        try await withService(QuotaService.self, TestOperator.variables) { group in
            for wrong in ["", "what only operators kno", "what only operators know!", try group.token(for: from.owner)]
            {
                let answer = try await ask(group, "PUT", "/plan", ["plan": "premium"], key: wrong)
                #expect(answer.status == 401 && answer.code == "operator-key-wrong")
            }
            // Not on the public port, whatever the secret.
            let outside = try await group.send(
                "PUT", "/operator/allowances/\(from.owner)/plan",
                headers: [("Authorization", "Bearer \(TestOperator.key)")])
            #expect(outside.status == 404)
            #expect(try await remaining(group) == 1)
            let lines = try group.security.read().map { $0["event"] }
            #expect(lines == Array(repeating: "operator-refused", count: 4))
            _ = try await ask(group, "PUT", "/plan", ["plan": "premium"])
            let line = try #require(try group.security.read().last)
            #expect(line["event"] == "operator-action" && line["route"]?.stringValue?.hasSuffix("/plan") == true)
        }
        try await withService(QuotaService.self) { group in
            let answer = try await ask(group, "PUT", "/plan", ["plan": "premium"])
            #expect(answer.status == 404)
        }
    }
}
