import Contracts
import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Practice
import Primitives
import Projections
import Runtime
import ServiceKit

/// Notices when somebody's longest streak has reached a milestone: it follows the log as far as the days of practice are folded,
/// looks at the days of those whose streaks may have changed, and asks the practitioner, who tells each number once. Instances that
/// look at the same change do no harm. An owner of whom something cannot be read holds up nobody else (``RowByRow``).
@Loop struct MilestoneWatch {
    private let store: EventStore
    private let days: LogFollower
    private let owners: RowByRow
    private let log = Logger(label: "milestones")

    init(_ context: ServiceContext) {
        store = context.store
        days = LogFollower(context, table: "milestone_watch", behind: PracticeDayProjection.self)
        owners = RowByRow("milestones", context.store, log)
    }

    /// Looks whenever days have changed, and every few seconds, until the task is cancelled.
    func run() async {
        await RepeatedWork(log, orElse: "streaks could not be looked at").run(pausing: days.wait) {
            while try await days.step(look) {}
            try await examine(try await owners.due().compactMap { UUID($0) }.map { ($0, nil) })
        }
    }

    private func look(_ events: [ReportEvent]) async throws {
        var streaks: [UUID: Set<SessionKind>] = [:]
        // Of whom every kind of session may be concerned.
        var all: Set<UUID> = []
        for event in events {
            switch event {
            case .practiceCounted(let day, _, _), .practiceWithdrawn(let day, _):
                streaks[day.ownerId, default: []].insert(day.kind)
            case .graceChanged(let owner, _), .dayFrozen(let owner, _), .dayThawed(let owner, _): all.insert(owner)
            case .written, .recordingLearned, .failed, .deleted, .erased, .practiceForgotten, .milestoneReached,
                .subjectErased, .goalSet, .goalMet, .goalMissed, .goalDropped, .reportShared, .shareRevoked,
                .uploadNoted, .export, .wording, .retentionLearned:
                break
            }
        }
        try await examine(streaks.filter { !all.contains($0.key) }.map { ($0.key, $0.value) } + all.map { ($0, nil) })
    }

    /// Examines owners, each by the kinds that are given, or by all of them: also one of whom another kind may have failed before.
    private func examine(_ asked: [(owner: UUID, kinds: Set<SessionKind>?)]) async throws {
        try await owners.run(asked, key: { $0.owner.description }) { row, isAgain in
            let given = isAgain ? nil : row.kinds
            let kinds =
                if let given { given } else { Set(try await PracticeHistory.kinds(of: row.owner, store.pool)) }
            for kind in kinds { try await examine(row.owner, kind) }
        }
    }

    private func examine(_ owner: UUID, _ kind: SessionKind) async throws {
        let stream = Practitioner.stream(owner)
        let commands = CommandHandler<Practitioner>(store)
        let practitioner = try await commands.load(stream)
        let facts = try await PracticeHistory.facts(of: owner, kind, store.pool)
        let longest = Streaks(facts, practitioner.state.rules).longest
        guard let milestone = Milestones.reached(by: longest).last else { return }
        let id = UUID.v5(namespace: owner, name: "milestone \(kind.rawValue) \(milestone)")
        do {
            _ = try await commands.handle(
                .reach(ownerId: owner, kind, longestStreakDays: milestone), on: stream, from: practitioner, id: id,
                requestHash: id.bytes,
                metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "milestone-watch"))
        } catch AppendError.erased {
            // Nobody is told any more.
        }
    }
}
