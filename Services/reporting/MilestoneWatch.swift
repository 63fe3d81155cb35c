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
/// look at the same change do no harm.
@Loop struct MilestoneWatch {
    /// How many events are looked at before the place is noted.
    private static let most = 1_000

    private let store: EventStore
    private let days: any LiveReadModel
    private let log = Logger(label: "milestones")

    init(_ context: ServiceContext) {
        store = context.store
        days = context.live(PracticeDayProjection.self)
    }

    /// Looks whenever days have changed, and every few seconds, until the task is cancelled.
    func run() async {
        await RepeatedWork(log, orElse: "streaks could not be looked at").run(
            pausing: { try await days.folded.wait(atMost: .seconds(2)) }
        ) {
            while try await step() {}
        }
    }

    /// Looks at the next events that the days hold; false when there are none.
    private func step() async throws -> Bool {
        let places = try await store.pool.query(
            """
            select w.examined_position, p.position from milestone_watch w, projections p where p.name = $1
            """, [.text(PracticeDayProjection.name)]
        ).rows[0]
        let (examined, folded) = (places.int(0), places.int(1))
        guard examined < folded else { return false }
        let events = try await store.readLog(after: examined, limit: Self.most).filter { $0.position <= folded }
        guard let last = events.last?.position else { return false }
        var streaks: [UUID: Set<SessionKind>] = [:]
        for event in events where !KitEvents.isOne(event.type) {
            switch try event.decoded() as ReportEvent {
            case .practiceCounted(let day, _, _), .practiceWithdrawn(let day, _):
                streaks[day.ownerId, default: []].insert(day.kind)
            case .graceChanged(let owner, _), .dayFrozen(let owner, _), .dayThawed(let owner, _):
                streaks[owner, default: []].formUnion(try await PracticeHistory.kinds(of: owner, store.pool))
            case .written, .failed, .deleted, .erased, .practiceForgotten, .milestoneReached, .subjectErased: break
            }
        }
        for (owner, kinds) in streaks { for kind in kinds { try await examine(owner, kind) } }
        _ = try await store.pool.query(
            "update milestone_watch set examined_position = $1 where examined_position < $1", [.int(last)])
        return true
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
