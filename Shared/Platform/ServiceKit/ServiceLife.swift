package import EventRelay
import EventSourcing
package import EventStore
import JSON
package import Observability
import Postgres
package import Primitives
package import Runtime

/// Tells when instances of the service start and end: as events at a start and soon after, in between by a heartbeat.
@Loop package final class ServiceLife {
    /// The time between two heartbeats.
    private static let interval = Duration.seconds(1)
    /// How many heartbeats lie between two looks for instances that have ended.
    private static let look = 10
    /// For how long there may be no heartbeat before that is worth an event.
    private static let silence = Duration.seconds(5)

    /// This process. The names of its database connections end with it, by which others see that it runs.
    package nonisolated let instance: UUID
    private let store: EventStore
    private let log: Logger
    private var hasBegun = false
    /// How often this instance came back.
    private var returns = 0
    private var lastBeat = ContinuousClock.now
    /// A time in which it was silent and that is not told yet, as an end.
    private var untold: LifeEvent?
    /// What else is not told yet, the first first, each with its append's id.
    private var notes: [(id: UUID, event: LifeEvent)] = []
    /// What was done to the store on purpose and is told, by the ids of the appends.
    private var toldUpkeep: Set<UUID> = []

    package init(_ instance: UUID, _ store: EventStore, log: Logger) {
        self.instance = instance
        self.store = store
        self.log = log
    }

    /// Tells that this instance starts, and before that which ones have ended since somebody last told: in one append, so that a
    /// start is one step for whoever follows the log.
    ///
    /// - Throws: `AppendError` or `PostgresError`; it can be repeated.
    package func begin() async throws {
        while true {
            do {
                try await append(
                    UUID.v5(namespace: instance, name: "start"), try await ended() + [.started(instance: instance)])
                hasBegun = true
                lastBeat = .now
                return
            } catch AppendError.guarded(.instanceTold) {
                // Another instance has told one of them meanwhile.
            }
        }
    }

    /// Sends heartbeats until the task is cancelled, tells which other instances have ended, and makes up for a start that could
    /// not be told.
    package func run() async {
        var beats = 0
        while !Task.isCancelled {
            do {
                if hasBegun {
                    try await beat()
                    try await tellNotes()
                    beats += 1
                    if beats % Self.look == 0 {
                        try await tellEnded(silentFor: .seconds(3))
                        try await tellUpkeep()
                    }
                } else {
                    try await begin()
                }
            } catch {
                // Without the database, or while the store refuses appends, others have the word.
            }
            try? await Loop.sleep(for: Self.interval)
        }
    }

    /// Says that this instance runs, and tells of the time before in which it could not. The heartbeat does not wait for that: a
    /// store that refuses appends runs all the same.
    ///
    /// - Parameter gap: for how long there was no heartbeat; nil for what was measured here.
    /// - Throws: `AppendError` or `PostgresError`; it can be repeated.
    package func beat(after gap: Duration? = nil) async throws {
        // Before it, because with an answer that is lost the silence would be too.
        if untold == nil, gap ?? (ContinuousClock.now - lastBeat) > Self.silence { untold = try await endBefore() }
        let stands = try await replaceBeat()
        lastBeat = .now
        if stands, untold == nil { return }
        let back = LifeEvent.returned(instance: instance)
        do {
            if stands, let untold {
                try await append(UUID.v5(namespace: instance, name: "silence \(returns)"), [untold, back])
            } else {
                try await append(UUID.v5(namespace: instance, name: "return \(returns)"), [back])
            }
        } catch AppendError.guarded(.instanceTold) {
            // Another instance has taken this one for dead meanwhile: the next heartbeat tells its return.
        }
        untold = nil
        returns += 1
    }

    /// The heartbeat itself, which may be what took long. Notes the silence that ends with it.
    ///
    /// - Returns: whether the instance is not taken for dead.
    private func replaceBeat() async throws -> Bool {
        // What it replaces is read as it was before; the clock is read when it has come about.
        let row = try await store.pool.query(
            """
            with before as materialized (
                    select started_at, beat_at from service_instances where instance = $1 and not told),
                beaten as materialized (select beat_instance($1) as stands)
            select stands, coalesce(beat_at < clock_timestamp() - make_interval(secs => $2), false), started_at, beat_at
            from beaten left join before on true
            """, [.uuid(instance), Self.silenceSeconds]
        ).rows[0]
        if untold == nil, row.bool(1) { untold = silentEnd(startedAt: row.time(2), lastSeenAt: row.time(3)) }
        return row.bool(0)
    }

    /// The end that the last heartbeat looks like to others; nil when it is not so long ago, or when others have told it.
    private func endBefore() async throws -> LifeEvent? {
        try await store.pool.query(
            """
            select started_at, beat_at from service_instances
            where instance = $1 and not told and beat_at < clock_timestamp() - make_interval(secs => $2)
            """, [.uuid(instance), Self.silenceSeconds]
        ).first.map { silentEnd(startedAt: $0.time(0), lastSeenAt: $0.time(1)) }
    }

    private func silentEnd(startedAt: Timestamp, lastSeenAt: Timestamp) -> LifeEvent {
        .ended(instance: instance, .silent, startedAt: startedAt, lastSeenAt: lastSeenAt)
    }

    private static var silenceSeconds: PostgresValue { .double(Double(silence.milliseconds) / 1_000) }

    /// Notes who publishes, and what the topic lacked; told with the next heartbeat.
    package func note(_ change: RelayChange) {
        let (name, event): (String, LifeEvent) =
            switch change {
            case .taken(let epoch): ("lease \(epoch) taken", .leaseTaken(instance: instance, epoch: epoch))
            case .lost(let epoch): ("lease \(epoch) lost", .leaseLost(instance: instance, epoch: epoch))
            case .reset(let epoch, let partitions, let from):
                (
                    "topic reset \(epoch)",
                    .topicReset(instance: instance, epoch: epoch, partitions: Int64(partitions), from: from)
                )
            }
        notes.append((UUID.v5(namespace: instance, name: name), event))
    }

    /// Tells what was noted.
    ///
    /// - Throws: `AppendError` or `PostgresError`; it can be repeated.
    package func tellNotes() async throws {
        while let next = notes.first {
            try await append(next.id, [next.event])
            notes.removeFirst()
        }
    }

    /// Tells that the broker answers again.
    ///
    /// - Throws: `AppendError` or `PostgresError`; it can be repeated.
    package func tellBrokerReturned(awaySince: Timestamp, until: Timestamp) async throws {
        // The same however often it is told.
        let id = UUID.v5(namespace: instance, name: "broker away since \(awaySince)")
        try await append(id, [.brokerReturned(instance: instance, awaySince: awaySince, until: until)])
    }

    /// Tells what was done to the store on purpose within the last month: incarnations that began, read models that were made anew.
    /// Whoever does it works beside the service, and leaves a row.
    ///
    /// - Throws: `AppendError` or `PostgresError`; it can be repeated.
    package func tellUpkeep() async throws {
        let begun = try await store.pool.query(
            """
            select incarnation, fork, started_at from incarnations
            where parent is not null and started_at > clock_timestamp() - interval '31 days' order by started_at
            """
        ).rows.map { row -> (String, LifeEvent) in
            (
                "incarnation \(row.uuid(0))",
                .incarnationBegun(
                    instance: instance, incarnation: row.uuid(0), fork: row.int(1), begunAt: row.time(2))
            )
        }
        let rebuilt = try await store.pool.query(
            """
            select id, model, state, events, started_at from rebuilds
            where state <> 'building' and started_at > clock_timestamp() - interval '31 days' order by id
            """
        ).rows.map { row -> (String, LifeEvent) in
            // A number is given anew after a restore.
            (
                "rebuild \(row.int(0)) of \(row.time(4)): \(row.text(2))",
                .readModelRebuilt(
                    instance: instance, model: row.text(1), state: row.text(2), events: row.int(3),
                    begunAt: row.time(4))
            )
        }
        for (name, event) in begun + rebuilt {
            // The same whoever tells it, so that it is told once.
            let id = UUID.v5(namespace: Self.upkeep, name: name)
            guard !toldUpkeep.contains(id) else { continue }
            if try await store.pool.query("select from events where id = $1", [.uuid(Append.eventID(id, 0))]).rows
                .isEmpty
            {
                try await append(id, [event])
            }
            toldUpkeep.insert(id)
        }
    }

    /// Where the ids of such appends come from.
    private static let upkeep = UUID.v5(namespace: UUID.zero, name: "what was done to the store")

    /// Notes that this instance ends in order; the next one to look tells it.
    package func end() async {
        do {
            try await Loop.withDeadline(.seconds(2)) {
                _ = try await self.store.pool.query("select end_instance($1)", [.uuid(self.instance)])
            }
        } catch {
            log.warning("this end will be taken for a kill", ["reason": .string("\(error)")])
        }
    }

    /// Tells which instances have ended since somebody last told.
    private func tellEnded(silentFor silence: Duration) async throws {
        while true {
            let ended = try await ended(silentFor: silence)
            guard !ended.isEmpty else { return }
            do {
                return try await append(.v7(), ended)
            } catch AppendError.guarded(.instanceTold) {
                // Another instance has told one of them meanwhile.
            }
        }
    }

    /// The instances that have ended in order, or have no connection any more, and are not told yet.
    ///
    /// - Parameter silence: how old the last heartbeat of one without connections is at least: all lose them with the database.
    private func ended(silentFor silence: Duration = .zero) async throws -> [LifeEvent] {
        try await store.pool.query(
            """
            select instance, started_at, coalesce(ended_at, beat_at), ended_at is not null from service_instances i
            where not told and instance <> $1 and (ended_at is not null
                or beat_at <= clock_timestamp() - make_interval(secs => $2) and not exists (
                    select from pg_stat_activity a
                    where a.datname = current_database() and a.application_name like '% ' || i.instance))
            order by beat_at
            """, [.uuid(instance), .double(Double(silence.milliseconds) / 1_000)]
        ).rows.map { row in
            .ended(
                instance: row.uuid(0), row.bool(3) ? .clean : .killed, startedAt: row.time(1), lastSeenAt: row.time(2))
        }
    }

    private func append(_ id: UUID, _ events: [LifeEvent]) async throws {
        let writes = events.enumerated().map { index, event in
            // A stream for each event, as of what is learned: nothing is decided on it.
            StreamWrite(StreamName("life", Append.eventID(id, index)), expectedVersion: 0, events: [NewEvent(event)])
        }
        try await store.append(
            Append(
                id: id, requestHash: id.bytes,
                metadata: EventMetadata(owner: nil, correlation: id, actor: "service"), writes: writes,
                calls: events.compactMap { event in
                    switch event {
                    case .started(let instance), .returned(let instance): KitRows.begin(instance)
                    case .ended(let instance, _, _, _): KitRows.tell(instance)
                    case .brokerReturned, .leaseTaken, .leaseLost, .topicReset, .incarnationBegun, .readModelRebuilt:
                        nil
                    }
                }))
    }
}
