import Postgres
import Primitives
import Runtime

/// How much a rebuild costs a service that appends: one process appends all the time, rebuilds and pauses alternate, and
/// each rebuild is compared with the pauses before and after it.
@Loop struct LiveRebuildBench {
    private static let rounds = 3
    private static let pause = Duration.seconds(6)

    private let administrator: PostgresSettings
    private let role: PostgresSettings
    private let command: String

    init(_ administrator: PostgresSettings, _ role: PostgresSettings, command: String) {
        self.administrator = administrator
        self.role = role
        self.command = command
    }

    func run() async throws -> (figures: [Figure], megabytes: Double) {
        print("rebuild: while another process appends, \(Self.rounds) rounds …")
        let appender = try await SteadyAppender.start(role)
        var outcomes: [RebuildPeer.Outcome] = []
        var alone: [Double] = []
        var beside: [Double] = []
        do {
            alone.append(try await appender.rate { try await Loop.sleep(for: Self.pause) })
            for _ in 0..<Self.rounds {
                beside.append(
                    try await appender.rate { outcomes.append(try await RebuildPeer.run(.deeds, administrator)) })
                alone.append(try await appender.rate { try await Loop.sleep(for: Self.pause) })
            }
        } catch {
            await appender.stop()
            throw error
        }
        await appender.stop()
        let losses = beside.indices.map { (1 - beside[$0] / ((alone[$0] + alone[$0 + 1]) / 2)) * 100 }
        let rates = outcomes.map(\.rate)
        let figures = [
            Figure(
                name: "rebuild.live-rate", value: rates.median, unit: "events/s", goal: .atLeast(50_000),
                command: command, note: "while 64 callers append; rounds: \(rates.listed)"),
            Figure(
                name: "rebuild.live-loss", value: losses.median, unit: "% of appends", goal: .atMost(10),
                command: command, peer: ("appends in the pauses", alone.median, "events/s"),
                note: "rounds: \(losses.listed); beside rebuilds \(beside.listed); in the pauses \(alone.listed)"),
        ]
        return (figures, outcomes.map(\.megabytes).max() ?? 0)
    }
}
