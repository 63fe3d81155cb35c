import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Progress
import Runtime
import ServiceKit

/// Notices when a goal is met, and when its time is over: it follows the log as far as the history of reports is folded, counts the
/// reports of those who have open goals, and asks the aggregate, which tells each outcome once. An owner of whom something cannot be read
/// holds up nobody else (``RowByRow``).
@Loop struct GoalWatch {
    /// How many owners are asked at once whose goals have ended.
    private static let most: Int64 = 500

    private let store: EventStore
    private let reports: LogFollower
    private let owners: RowByRow
    private let log = Logger(label: "goals")

    init(_ context: ServiceContext) {
        store = context.store
        reports = LogFollower(context, table: "goal_watch", behind: ReportProjection.self)
        owners = RowByRow("goals", context.store, log)
    }

    /// Looks whenever reports have changed, and every few seconds, until the task is cancelled.
    func run() async {
        await RepeatedWork(log, orElse: "goals could not be looked at").run(pausing: reports.wait) {
            while try await reports.step(look) {}
            // With all reports in view, so that none of them is overlooked by an end that comes first.
            try await end(at: .now())
            try await judge(try await owners.due().compactMap { UUID($0) }, at: .now())
        }
    }

    private func look(_ events: [ReportEvent]) async throws {
        var owners: Set<UUID> = []
        for event in events {
            switch event {
            case .written(let report, _, _, _, _, _), .recordingLearned(let report, _): owners.insert(report.ownerId)
            // A goal that was set while a report was on its way.
            case .goalSet(let owner, _): owners.insert(owner)
            case .failed, .deleted, .erased, .practiceCounted, .practiceWithdrawn, .practiceForgotten, .graceChanged,
                .dayFrozen, .dayThawed, .milestoneReached, .subjectErased, .goalMet, .goalMissed, .goalDropped,
                .reportShared, .shareRevoked, .uploadNoted, .export, .wording, .retentionLearned:
                break
            }
        }
        try await judge(owners.sorted(), at: .now())
    }

    private func judge(_ asked: [UUID], at now: Timestamp) async throws {
        try await owners.run(asked, key: { $0.description }) { owner, _ in try await judge(owner, at: now) }
    }

    /// Judges the goals whose time is over. Those of an owner who is noted have their turn with what is due.
    private func end(at now: Timestamp) async throws {
        let ended = try await store.pool.query(
            """
            select owner_id from goals g where next_end <= $1
                and not exists (select from stuck_rows s where s.work = 'goals' and s.key = g.owner_id::text)
            order by next_end limit \(Self.most)
            """, [.time(now.adding(seconds: -Goals.patience))]
        ).rows.map { $0.uuid(0) }
        try await judge(ended, at: now)
    }

    private func judge(_ owner: UUID, at now: Timestamp) async throws {
        let stream = Goals.stream(owner)
        let commands = CommandHandler<Goals>(store)
        let goals = try await commands.load(stream).state.open.values.sorted { $0.goalId < $1.goalId }
        let rows = try await GoalReports.rows(for: goals, of: owner, store.pool)
        for goal in goals {
            let hits = goal.hits(among: rows)
            // Each outcome has an id of its own: the one that comes first stands.
            let isMet = hits.count >= goal.target.recordings
            let id = UUID.v5(namespace: goal.goalId, name: isMet ? "met" : "missed")
            do {
                _ = try await commands.handle(
                    .judge(ownerId: owner, goalId: goal.goalId, hits: hits, at: now), on: stream, id: id,
                    requestHash: id.bytes,
                    metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "goal-watch"))
            } catch AppendError.erased {
                // Nobody is told any more.
                return
            }
        }
    }
}
