import EventSourcing
package import EventStore
import JSON
package import ObjectStorage
package import Observability
import Postgres
package import Primitives
package import Runtime

/// Removes the bytes of unwanted objects: discarded ones, those of erased subjects, those whose writer did not finish before its
/// deadline, and those that were kept for a while that is over.
///
/// Every step can be repeated and any number of instances may sweep. A row goes only after its object, and not before
/// the deadline: until then a slow writer may still put the object there.
@Loop package final class ObjectSweeper {
    private static let batchSize: Int64 = 200
    /// After how many failures in a row it is the store that fails, and no single object.
    private static let patience = 3

    private let store: EventStore
    private let objects: any ObjectStore
    private let log: Logger
    private let interval: Duration
    /// Behind which object a round begins: where the one before it gave up, so that some that cannot be removed hold up no other.
    private var place = ""

    /// - Parameter interval: the time between two rounds.
    package init(
        _ store: EventStore, _ objects: any ObjectStore, log: Logger, interval: Duration = .seconds(5)
    ) {
        self.store = store
        self.objects = objects
        self.log = log
        self.interval = interval
    }

    /// Sweeps until the task is cancelled. A failure is logged once and tried again.
    package func run() async {
        await RepeatedWork(log, orElse: "objects cannot be removed yet").run(every: interval) {
            let removed = try await sweep()
            if removed > 0 { log.info("objects removed", ["count": .int(Int64(removed))]) }
        }
    }

    /// One round over all that is due.
    ///
    /// - Returns: how many intents were completed.
    /// - Throws: `PostgresError` or `AppendError`; the last `ObjectStoreError`, after the other objects had their turn unless several in a
    ///   row have failed. Then the next round goes on behind these.
    @discardableResult
    package func sweep() async throws -> Int {
        let overdue = try await store.pool.query(
            """
            select 1 from object_intents
            where (deadline < clock_timestamp() or kept_until < clock_timestamp()) and not unwanted limit 1
            """)
        if overdue.count > 0 {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "sweeper"),
                    writes: [], calls: [KitRows.discardOverdue()]))
        }
        let start = place
        place = ""
        return try await remove("unwanted", [], behind: start)
    }

    /// Removes the unwanted objects of one subject now, as a part of its erasure.
    ///
    /// - Throws: as ``sweep()``.
    package func sweep(of subject: UUID) async throws {
        try await remove("unwanted and subject = $3", [.uuid(subject)])
    }

    @discardableResult
    private func remove(
        _ condition: String, _ parameters: [PostgresValue], behind start: String = ""
    ) async throws -> Int {
        var done = 0
        var last = start
        var failure: (any Error)?
        var failures = 0
        while true {
            let keys = try await store.pool.query(
                "select object_key from object_intents where \(condition) and object_key > $1 order by object_key limit $2",
                [.text(last), .int(Self.batchSize)] + parameters
            ).rows.map { $0.text(0) }
            guard let end = keys.last else {
                if let failure { throw failure }
                return done
            }
            for key in keys {
                do {
                    try await objects.delete(key)
                    failures = 0
                } catch {
                    failure = error
                    failures += 1
                    if Task.isCancelled || failures == Self.patience {
                        place = key
                        throw error
                    }
                    continue
                }
                CrashPoint.reached("sweeper.after-delete")
                // One row at a time: who holds some and waits for others would meet an append that does so too, in another
                // order and under the head lock.
                let removed = try await store.pool.query(
                    """
                    delete from object_intents where object_key = $1 and unwanted
                        and (deadline is null or deadline < clock_timestamp())
                    """, [.text(key)])
                done += removed.affected
            }
            last = end
        }
    }
}
