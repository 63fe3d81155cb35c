package import EventSourcing
package import EventStore
package import Primitives
package import Runtime

/// What a relay needs of the database: the log, the lease row and its notes. ``EventStore``, or a simulated one.
@Loop package protocol RelayLog: EventLog {
    /// Lends a connection that belongs to one lease: if it breaks, the lease ends, because a new one may lead to another
    /// database.
    ///
    /// - Throws: `PostgresError`, or what the work throws.
    func withLeaseConnection<T>(_ work: (any LeaseConnection) async throws -> T) async throws -> T

    /// Reads the log for publishing and works on the events, away from the loop when there are many. In the same statement
    /// it is looked whether the lease is still held, in the same history.
    ///
    /// - Throws: ``RelayTrouble/leaseLost`` when it is not, `PostgresError`, or what the work throws.
    func readLog<T: Sendable>(
        after position: Int64, limit: Int, under lease: RelayLease,
        _ work: @escaping @Sendable ([RecordedEvent]) throws -> T
    ) async throws -> T

    /// Whether a lease is still held; renews it if asked to.
    ///
    /// - Parameter isRewinding: whether the holder has a rewind to carry out. If it has none and the row asks for one, the
    ///   database was replaced by one in which the rewind was not done yet, and the lease is void.
    /// - Throws: `PostgresError`.
    func isHeld(_ epoch: Int64, renewing: Bool, isRewinding: Bool) async throws -> Bool

    /// Releases a lease, so that another instance need not wait for it to expire.
    ///
    /// - Throws: `PostgresError`.
    func release(_ epoch: Int64) async throws

    /// Asks the next lease to publish everything after a position again, and ends the present one.
    ///
    /// - Throws: `PostgresError`.
    func rewind(to position: Int64) async throws

    /// The store's incarnations.
    ///
    /// - Throws: `PostgresError`.
    func lineage() async throws -> Lineage

    /// The ids of the events at these positions, as far as there are any.
    ///
    /// - Throws: `PostgresError`.
    func eventIDs(at positions: [Int64]) async throws -> [Int64: UUID]

    /// Confirms a restore: history goes on after the fork under a new name.
    ///
    /// - Parameters:
    ///   - published: the position up to which the topic holds everything.
    ///   - topEpoch: the highest epoch in the topic.
    ///   - found: every incarnation in the topic.
    ///   - disowned: what somebody else wrote into the topic; none after a restore.
    /// - Throws: `PostgresError`.
    func begin(
        _ incarnation: UUID, fork: Int64, published: Int64, topEpoch: Int64, found: [UUID],
        disowning disowned: [DisownedRecord]
    ) async throws
}

/// The connection of one lease; one statement at a time.
@Loop package protocol LeaseConnection: AnyObject {
    /// Why the store refuses appends; nil when it does not.
    ///
    /// - Throws: `PostgresError`.
    func refusal() async throws -> String?

    /// Takes the lease if it is free or already the holder's; nil while another holder renews it.
    ///
    /// - Throws: `PostgresError`.
    func takeLease(_ holder: UUID) async throws -> RelayLease?

    /// Moves the cursor and renews the lease, if it is still held under this epoch and the cursor is where it was left;
    /// otherwise nothing happens, and the answer is false.
    ///
    /// Does not wait for the disk: if a crash of PostgreSQL sets the cursor back, the next lease finds in the topic what is
    /// already there.
    ///
    /// - Parameter rewound: the rewind that is complete now; nil while there is none. A wish to go back further, which came
    ///   meanwhile, stays.
    /// - Throws: `PostgresError`.
    func advance(_ epoch: Int64, from old: Int64, to new: Int64, _ tails: [PartitionTail], rewound: Int64?)
        async throws -> Bool

    /// Counts the lease's epoch on to a higher one; false when it is no longer held.
    ///
    /// - Throws: `PostgresError`.
    func raise(_ epoch: Int64, to higher: Int64) async throws -> Bool

    /// Refuses appends until a restore is confirmed; without effect when the epoch is not the lease's any more, or history has
    /// gone on under another incarnation since.
    ///
    /// - Throws: `PostgresError`.
    func refuseAppends(_ reason: String, _ epoch: Int64, _ incarnation: UUID) async throws

    /// The highest position of the log.
    ///
    /// - Throws: `PostgresError`.
    func end() async throws -> Int64

    /// The stored cursor.
    ///
    /// - Throws: `PostgresError`.
    func cursor() async throws -> Int64

    /// Where reading back may begin, as noted with the cursor.
    ///
    /// - Throws: `PostgresError`.
    func notedTails() async throws -> [PartitionTail]

    /// The id of the event at a position; nil if there is none.
    ///
    /// - Throws: `PostgresError`.
    func eventID(at position: Int64) async throws -> UUID?

    /// The log's events after a position, in order, at most `limit`.
    ///
    /// - Throws: `PostgresError`.
    func readLog(after position: Int64, limit: Int) async throws -> [RecordedEvent]
}
