import Contracts
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import reporting

/// The analytics of somebody with 100,000 logged sessions: asked for over HTTP, folded live, rebuilt.
@Loop enum PracticeBench {
    static let count: Int64 = 100_000
    /// As many as make ten years of them.
    private static let ofDay: Int64 = 27
    private static let requests = 200
    private static let rounds = 5
    private static let command = "infra/bench practice"
    private static let owner = UUID(high: 0x0000_0001_0000_4000, low: 0x8000_0000_0000_0001)

    static func run(_: Stage) async throws -> [Figure] {
        var figures: [Figure] = []
        let folder = TemporaryFolder()
        try await withService(ReportingService.self, ["OBJECT_STORE": "file://\(folder.path)"]) { group in
            print("practice: filling a log with \(count) sessions of one user …")
            try await fill(group.administrator)
            let start = monotonicNanoseconds()
            try await group.fold(PracticeDayProjection.self)
            let live = Double(count) / (Double(monotonicNanoseconds() - start) / 1e9)
            print("practice: asking \(requests) times …")
            let token = try group.token(for: owner)
            let times = try await Self.times(of: "/v1/practice/analytics?range=5y", token, group)
            let app = AppToken.make()
            try await group.deliver(
                AppTokenIssued(
                    userId: owner, loginSessionId: .v4(), tokenSHA256: Hex.encode(app.hash), surface: .practice,
                    timeZone: "UTC", expiresAt: .now() + .seconds(3_600)))
            let appTimes = try await Self.times(of: "/api/analytics?range=5y", app.text, group)
            print("practice: rebuilding, and as many events of other read models …")
            let rebuilt = try await PracticePeers.compare(
                group.administratorSettings, rows: Int(count / ofDay + 1), rounds: rounds)
            let note = "\(count) sessions of one user on \(count / ofDay + 1) days"
            figures = [
                Figure(
                    name: "practice.analytics.p50", value: times[requests / 2], unit: "ms", goal: .atMost(20),
                    command: command, note: note),
                Figure(
                    name: "practice.analytics.p95", value: times[requests * 95 / 100], unit: "ms", command: command,
                    note: note),
                Figure(
                    name: "practice.app-analytics.p50", value: appTimes[requests / 2], unit: "ms", goal: .atMost(20),
                    command: command, note: note),
                Figure(name: "practice.fold", value: live, unit: "events/s", command: command, note: note),
                Figure(
                    name: "practice.rebuild", value: rebuilt.days.median, unit: "events/s", command: command,
                    note: "\(note); rounds: \(rebuilt.days.listed)"),
                Figure(
                    name: "practice.rebuild.to-sessions", value: rebuilt.sessions.median, unit: "times sessions' list",
                    goal: .atLeast(1), command: command,
                    note: "as many events of uploaded sessions; rounds: \(rebuilt.sessions.listed)"),
                Figure(
                    name: "practice.rebuild.to-reports", value: rebuilt.reports.median, unit: "times reports' history",
                    goal: .atLeast(1), command: command,
                    note: "as many reports with ten measures; rounds: \(rebuilt.reports.listed)"),
                Figure(
                    name: "practice.rebuild.to-simple", value: rebuilt.simple.median, unit: "times the simple fold",
                    command: command,
                    note: "as many events that `infra/bench rebuild` measures: no read model of the product; rounds: "
                        + rebuilt.simple.listed),
            ]
        }
        return figures
    }

    /// How long each request for analytics took, in milliseconds, the shortest first.
    private static func times(
        of path: String, _ token: String, _ group: ServiceUnderTest<ReportingService>
    ) async throws -> [Double] {
        var times: [Double] = []
        for _ in 0..<requests {
            let start = monotonicNanoseconds()
            let answer = try await group.send("GET", path, headers: [("Authorization", "Bearer \(token)")])
            times.append(Double(monotonicNanoseconds() - start) / 1e6)
            guard answer.status == 200, answer.json["summary"]?["longestStreak"] == .int(count / ofDay + 1) else {
                throw BenchError("The answer is wrong: \(answer.status).")
            }
        }
        return times.sorted()
    }

    /// Sessions of ten minutes, every day from half past three on, behind the grace; the last ones today.
    private static func fill(_ pool: PostgresPool) async throws {
        let time = "'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"'"
        _ = try await pool.query(
            """
            insert into events
            select g, 'practice-' || md5((g / \(ofDay))::text)::uuid, g % \(ofDay) + 1, gen_random_uuid(), 'PracticeCounted', 1,
                json_build_object('ownerId', '\(owner)', 'kind', 'meditation', 'day', to_char(began, 'YYYY-MM-DD'),
                    'sessionId', gen_random_uuid(), 'startedAt', to_char(began, \(time)),
                    'endedAt', to_char(began + interval '10 minutes', \(time)), 'activeSeconds', 600,
                    'timeZone', 'UTC', 'utcOffsetSeconds', 0),
                json_build_object('correlation', '\(owner)', 'actor', '\(owner)', 'owner', '\(owner)'), null,
                timestamptz '2026-01-01' + g * interval '1 millisecond'
            from (select g, date_trunc('day', now() at time zone 'UTC')
                    - (\(count / ofDay) - g / \(ofDay)) * interval '1 day' + interval '210 minutes' + g % \(ofDay) * interval '45 minutes' as began
                from generate_series(1::bigint, \(count)) g) rows
            """)
        _ = try await pool.query("analyze")
    }
}
