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

/// Notices when somebody's longest streak has reached a milestone: it looks at the days of those whose days have changed, and asks
/// the practitioner, who tells each number once. Instances that look at the same change do no harm.
@Loop struct MilestoneWatch {
    /// How many changes are looked at before the place is noted.
    private static let most: Int64 = 1_000

    private let store: EventStore
    private let days: any LiveReadModel
    private let log = Logger(label: "milestones")

    init(_ context: ServiceContext) {
        store = context.store
        days = context.live(PracticeDayProjection.self)
    }

    /// Looks whenever days have changed, and every few seconds, until the task is cancelled.
    func run() async {
        var seen: [Change] = []
        while !Task.isCancelled {
            do {
                seen = try await look(besides: seen)
            } catch {
                if Task.isCancelled { return }
                // What was not looked at this time is the next.
                log.warning("streaks could not be looked at", ["reason": .string("\(error)")])
            }
            try? await days.folded.wait(atMost: .seconds(2))
        }
    }

    private struct Change: Equatable {
        let owner: UUID
        let kind: SessionKind
        let at: Timestamp
    }

    /// Looks at what has changed.
    ///
    /// - Parameter seen: what was looked at last, which is found again because its time is the noted one.
    /// - Returns: the same for the next time.
    private func look(besides seen: [Change]) async throws -> [Change] {
        let rows = try await store.pool.query(
            "select owner_id, kind, changed_at from changed_streaks($1::int)", [.int(Self.most)]
        ).rows
        let changes = rows.map { Change(owner: $0.uuid(0), kind: SessionKind(rawValue: $0.text(1)), at: $0.time(2)) }
        for change in changes where !seen.contains(change) { try await examine(change.owner, change.kind) }
        guard let last = changes.last?.at else { return [] }
        _ = try await store.pool.query(
            "update milestone_watch set examined_to = $1 where examined_to < $1", [.time(last)])
        return changes.filter { $0.at == last }
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
