import Contracts
import EventSourcing
import EventStore
import JSON
import Observability
import Postgres
import Primitives
import Projections
import Runtime
import ServiceKit

/// Gives accounts the sessions of anonymous devices that were handed over to them, each once and under its own id.
///
/// The announcement only begins it; this goes on with all that are under way, in steps of a bounded number of sessions. A step is one
/// append, with the place that the hand-over has come to: a death leaves it whole or undone, and of instances that take the same step
/// one succeeds.
///
/// - It concerns the sessions that the log had of the device when it began, of those the ones that began before the device's secret was shown.
/// - The same sitting, of the same kind and between the same moments, counts once: the account's stays, the device's is dropped as `repeated`, which is no deletion by an owner.
/// - A day of the account that has as many sessions as can be takes no more: the others stay with the device.
/// - A session that is changed on the device again and again while it is moved stays there, too.
/// - Of an account that was erased meanwhile nothing is left: they are deleted.
/// - Of a device that was erased meanwhile nothing more moves: what is the account's by then stays so, the rest goes with the device.
@Loop struct PracticeHandovers {
    /// How many sessions one step looks at.
    static let most = 100
    /// How many hand-overs take a step in turn.
    static let mostAtOnce = 100
    /// How often a session may be changed while a step is decided, before it stays with the device; and the account tell others, before
    /// the step no longer looks whether one of them is there already.
    private static let patience = 4
    /// How often a step is decided before the others have their turn.
    private static let mostAttempts = 64

    /// For tests: what happens between a decision and its append.
    var meanwhile: @Loop () async throws -> Void = {}

    private let store: EventStore
    private let list: any LiveReadModel
    private let log = Logger(label: "handovers")

    init(_ context: ServiceContext) {
        store = context.store
        list = context.live(PracticeProjection.self)
    }

    /// Records that a device was handed over; a repeat changes nothing.
    ///
    /// - Throws: `AppendError`, `EventDecodingError` or `PostgresError`.
    static func begin(_ handover: DeviceHandover, _ store: EventStore, through gate: any AppendGate) async throws {
        let terms = Handover.Terms(
            handoverId: handover.appendID, deviceId: handover.device, accountId: handover.account,
            handedOverAt: handover.moment)
        // Whoever was erased by now: the first step finds out, and what is recorded are ids alone.
        _ = try await CommandHandler<Handover>(store, through: gate).handle(
            .begin(terms), on: Handover.stream(terms.handoverId), id: handover.appendID,
            requestHash: handover.requestHash, metadata: handover.metadata(of: handover.device, actor: .sessions),
            thoughErased: true)
    }

    /// Ends a hand-over of which identity knows nothing any more. What the account has by then stays its own; a repeat changes nothing.
    ///
    /// - Parameter event: with which it began.
    /// - Throws: `AppendError`, `EventDecodingError` or `PostgresError`.
    static func end(
        _ terms: Handover.Terms, because event: RecordedEvent, _ store: EventStore, through gate: any AppendGate
    ) async throws {
        var metadata = event.metadata
        metadata.causation = event.id
        metadata.origin = nil
        let id = UUID.v5(namespace: event.id, name: "orphan")
        // Each round that finds it elsewhere follows a step, of which there is an end.
        while let place = try await places(store, "h.handover_id = $1", [.uuid(terms.handoverId)]).first {
            do {
                _ = try await CommandHandler<Handover>(store, through: gate).handle(
                    .finish(place.outcome, after: place.after), on: Handover.stream(terms.handoverId), id: id,
                    requestHash: id.bytes, metadata: metadata, thoughErased: true)
                return
            } catch AppendError.guarded(.handoverElsewhere) {}
        }
    }

    /// Works every second until the task is cancelled.
    func run() async {
        await RepeatedWork(log, orElse: "sessions of devices could not be handed over").run(every: .seconds(1), work)
    }

    /// Goes on with all hand-overs, a step of each in turn, of those of one device with the first. One that cannot go on keeps none of another
    /// device from it, however many there are of them.
    ///
    /// - Throws: why the last that could not go on could not, after all others are finished; ``Trouble/listBehind`` at once, as it holds up all of
    ///   them; `PostgresError` or `CancellationError`.
    func work() async throws {
        var failure: (any Error)?
        // They have their next try in the next round.
        var failed: [UUID] = []
        while true {
            let places = try await underWay(but: failed)
            if places.isEmpty { break }
            for place in places {
                do {
                    try await step(place)
                } catch Trouble.listBehind {
                    throw Trouble.listBehind
                } catch {
                    if Task.isCancelled { throw CancellationError() }
                    failure = error
                    failed.append(place.id)
                }
            }
        }
        if let failure { throw failure }
    }

    // MARK: A step

    /// What a hand-over has come to.
    struct Place {
        let id: UUID
        let after: String
        let outcome: Handover.Outcome
    }

    /// The first hand-overs that are under way, of each device the first.
    ///
    /// - Parameter left: which are left out.
    /// - Throws: `PostgresError`.
    func underWay(but left: [UUID] = []) async throws -> [Place] {
        try await Self.places(
            store,
            """
            not exists (select from handovers o where o.device_id = h.device_id and o.number < h.number)
            and h.handover_id <> all($1)
            """, [.uuids(left)])
    }

    private static func places(
        _ store: EventStore, _ condition: String, _ values: [PostgresValue] = []
    ) async throws -> [Place] {
        try await store.pool.query(
            """
            select handover_id, after_stream, moved, deleted, kept from handovers h where \(condition)
            order by number limit \(mostAtOnce)
            """, values
        ).rows.map {
            Place(
                id: $0.uuid(0), after: $0.text(1),
                outcome: Handover.Outcome(moved: $0.int(2), deleted: $0.int(3), kept: $0.int(4)))
        }
    }

    /// A hand-over as its stream has it.
    private struct Job {
        let place: Place
        let terms: Handover.Terms
        /// Where it began: sessions of later events are no part of it.
        let position: Int64
        let metadata: EventMetadata

        func metadata(of owner: UUID) -> EventMetadata {
            var metadata = metadata
            metadata.owner = owner
            return metadata
        }
    }

    /// Looks at the next sessions of a hand-over, or ends it when there are none.
    ///
    /// - Throws: `AppendError`, `EventDecodingError` or `PostgresError`; ``Trouble`` when it has to wait.
    func step(_ place: Place) async throws {
        guard let begun = try await store.read(Handover.stream(place.id)).first,
            case .handoverBegun(let terms) = try begun.decoded(as: SessionEvent.self)
        else { throw Trouble.notBegun(place.id) }
        let job = Job(place: place, terms: terms, position: begun.position, metadata: begun.metadata)
        let streams = try await next(job)
        guard let last = streams.last else { return try await finish(job) }
        // What the account has told, it must be known to have.
        var logged = try await logged(by: terms.accountId)
        try await foldList()
        var isAccountThere = true
        var changes: [StreamName: Int] = [:]
        var tellings = 0
        for _ in 0..<Self.mostAttempts {
            let contested = Set(changes.filter { $0.value >= Self.patience }.keys)
            do {
                let found = try await found(streams, of: job)
                let verdicts =
                    isAccountThere ? try await verdicts(found, job, keeping: contested) : deletions(found, job)
                let guards =
                    isAccountThere && tellings < Self.patience ? [HandoverRows.account(terms.accountId, logged)] : []
                try await append(
                    verdicts, to: last, job, of: isAccountThere ? terms.accountId : terms.deviceId, guards)
                return
            } catch AppendError.conflict(let stream, _) {
                changes[stream, default: 0] += 1
            } catch AppendError.guarded(.handoverAccountTold) {
                tellings += 1
                logged = try await self.logged(by: terms.accountId)
                try await foldList()
            } catch AppendError.guarded(.dayFull) {
                // The account was quicker, and the day is full now.
            } catch AppendError.guarded(.handoverElsewhere) {
                return
            } catch AppendError.erased where isAccountThere {
                isAccountThere = false
            } catch AppendError.erased, AppendError.guarded(.handoverDeviceErased) {
                return try await finish(job)
            }
        }
        throw Trouble.busy(place.id)
    }

    /// The next sessions that the log had of the device when the hand-over began.
    private func next(_ job: Job) async throws -> [StreamName] {
        try await store.pool.query(
            """
            select s.stream from stream_owners s join events e on e.stream = s.stream and e.version = 1
            where s.owner = $1 and starts_with(s.stream, $2) and s.stream > $3 and e.position < $4
            order by s.stream limit \(Self.most)
            """,
            [
                .uuid(job.terms.deviceId), .text(LoggedSession.category + "-"), .text(job.place.after),
                .int(job.position),
            ]
        ).rows.map { StreamName(rawValue: $0.text(0)) }
    }

    /// How many sessions an account has told, those among them that were deleted or moved away later.
    private func logged(by account: UUID) async throws -> Int64 {
        try await store.pool.query(
            "select coalesce(sum(logged), 0)::bigint from logged_days where owner_id = $1", [.uuid(account)]
        ).rows[0].int(0)
    }

    private func append(
        _ verdicts: [Verdict], to last: StreamName, _ job: Job, of owner: UUID, _ guards: [RowCall]
    ) async throws {
        var outcome = Handover.Outcome()
        var decisions: [Decision] = []
        var first: StreamName?
        for verdict in verdicts {
            let command: LoggedSessionCommand
            switch verdict.fate {
            case .moves:
                command = .handOver(from: job.terms.deviceId, to: job.terms.accountId)
                outcome.moved += 1
            case .isRepeat:
                command = .dropRepeat(by: job.terms.deviceId)
                outcome.deleted += 1
            case .goes:
                command = .delete(by: job.terms.deviceId)
                outcome.deleted += 1
            case .stays:
                outcome.kept += 1
                continue
            }
            first = first ?? verdict.found.stream
            decisions.append(try verdict.found.loaded.decide(command))
        }
        // Once it is committed, the first of them is never the device's again. An append without any is told by its row.
        let id = first.map { UUID.v5(namespace: job.place.id, name: $0.description) } ?? .v7()
        try await meanwhile()
        try await store.append(
            Append(
                id: id, requestHash: job.place.id.bytes, metadata: job.metadata(of: owner), decisions: decisions,
                calls: [HandoverRows.step(job.place.id, from: job.place.after, to: last, outcome)]
            ).adding(first: guards))
    }

    private func finish(_ job: Job) async throws {
        let stream = Handover.stream(job.place.id)
        let id = UUID.v5(namespace: job.place.id, name: "finished")
        do {
            _ = try await CommandHandler<Handover>(store).handle(
                .finish(job.place.outcome, after: job.place.after), on: stream, id: id, requestHash: id.bytes,
                metadata: job.metadata(of: job.terms.deviceId), thoughErased: true)
        } catch AppendError.guarded(.handoverElsewhere) {
            // Another instance has come further, and ends it.
        }
    }

    // MARK: What becomes of a session

    private enum Fate { case moves, isRepeat, goes, stays }

    private struct Verdict {
        let found: Found
        let fate: Fate
    }

    /// A session of the device.
    private struct Found {
        let stream: StreamName
        let loaded: CommandHandler<LoggedSession>.Loaded
        let time: PracticeTime
        let sitting: Sitting
    }

    /// A sitting, whoever told it.
    private struct Sitting: Hashable {
        let kind: SessionKind
        let startedAt: Timestamp
        let endedAt: Timestamp

        init(_ kind: SessionKind, _ time: PracticeTime) {
            (self.kind, startedAt, endedAt) = (kind, time.startedAt, time.endedAt)
        }

        init(_ row: PostgresRow) {
            (kind, startedAt, endedAt) = (SessionKind(rawValue: row.text(0)), row.time(1), row.time(2))
        }
    }

    /// Those that are there, and the device's still.
    private func found(_ streams: [StreamName], of job: Job) async throws -> [Found] {
        var found: [Found] = []
        for stream in streams {
            let loaded = try await CommandHandler<LoggedSession>(store).load(stream)
            guard case .logged(let session, let telling) = loaded.state, session.ownerId == job.terms.deviceId else {
                continue
            }
            let time = telling.newest.time
            found.append(
                Found(stream: stream, loaded: loaded, time: time, sitting: Sitting(session.kind, time)))
        }
        return found
    }

    private func verdicts(_ found: [Found], _ job: Job, keeping contested: Set<StreamName>) async throws -> [Verdict] {
        var told = try await told(found, by: job.terms.accountId)
        var room = try await room(for: found, of: job.terms.accountId)
        return found.map { one in
            let day = one.time.day.number
            guard job.terms.concerns(begunAt: one.time.startedAt), !contested.contains(one.stream) else {
                return Verdict(found: one, fate: .stays)
            }
            if told.contains(one.sitting) { return Verdict(found: one, fate: .isRepeat) }
            guard let left = room[day], left > 0 else { return Verdict(found: one, fate: .stays) }
            room[day] = left - 1
            told.insert(one.sitting)
            return Verdict(found: one, fate: .moves)
        }
    }

    private func deletions(_ found: [Found], _ job: Job) -> [Verdict] {
        found.map {
            Verdict(found: $0, fate: job.terms.concerns(begunAt: $0.time.startedAt) ? .goes : .stays)
        }
    }

    /// The sittings among these that the account has told, too.
    private func told(_ found: [Found], by account: UUID) async throws -> Set<Sitting> {
        let rows = try await store.pool.query(
            """
            select kind, started_at, ended_at from practice_log
            where owner_id = $1 and started_at = any($2::text[]::timestamptz[])
            """, [.uuid(account), .texts(found.map { $0.sitting.startedAt.rfc3339 })]
        ).rows
        return Set(rows.map { Sitting($0) })
    }

    /// How many sessions the account's days take that these would come to.
    private func room(for found: [Found], of account: UUID) async throws -> [Int64: Int64] {
        let days = Set(found.map(\.time.day.number))
        let rows = try await store.pool.query(
            "select day, logged from logged_days where owner_id = $1 and day = any($2::text[]::integer[])",
            [.uuid(account), .texts(days.map(String.init))]
        ).rows
        let logged = Dictionary(uniqueKeysWithValues: rows.map { ($0.int(0), $0.int(1)) })
        return Dictionary(
            uniqueKeysWithValues: days.map { ($0, LoggedSession.mostOfDay - (logged[$0] ?? 0)) })
    }

    // MARK: The list of sessions

    /// Waits until the list of logged sessions holds all that the log held a moment ago.
    private func foldList() async throws {
        let head = try await store.pool.query("select coalesce(max(position), 0) from events").rows[0].int(0)
        for _ in 0..<10 {
            let folded =
                try await store.pool.query(
                    "select position from projections where name = $1", [.text(PracticeProjection.name)]
                ).first?.int(0) ?? 0
            if folded >= head { return }
            try await list.folded.wait(atMost: .milliseconds(200))
        }
        throw Trouble.listBehind
    }

    /// Why a hand-over has to wait.
    enum Trouble: Error, Equatable, CustomStringConvertible {
        /// There is a row and no stream, which only a hand in the database can have brought about.
        case notBegun(UUID)
        /// Its sessions are changed all the while.
        case busy(UUID)
        /// The list of sessions is not folded.
        case listBehind

        var description: String {
            switch self {
            case .notBegun(let id): "The hand-over \(id) has a row and no events; see whether the log is whole."
            case .busy(let id): "The sessions of the hand-over \(id) are changed all the while; it is tried again."
            case .listBehind:
                "The list practice_log is behind the log; the hand-overs go on when it is folded."
            }
        }
    }
}
