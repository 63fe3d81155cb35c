package import EventStore
package import Kafka
package import Runtime

/// What a consumer needs of the database: the log, its watermarks and what was set aside. ``EventStore``, or a simulated
/// one.
///
/// Every change names the epoch of the partition's owner, and does nothing when another owner has taken over, unless it says
/// otherwise.
@Loop package protocol ConsumerLog: EventLog {
    /// Claims a partition: from now on only this owner can move its watermark.
    ///
    /// - Throws: `PostgresError`.
    func claim(_ partition: TopicPartition) async throws -> Watermark

    /// Moves a watermark without an effect; false when another owner has taken over.
    ///
    /// - Throws: `PostgresError`.
    func move(_ watermark: Watermark, to next: Watermark) async throws -> Bool

    /// Whether the database holds exactly this watermark, under its owner's epoch.
    ///
    /// - Throws: `PostgresError`.
    func stands(_ watermark: Watermark) async throws -> Bool

    /// Notes what is missing.
    ///
    /// - Throws: `PostgresError`.
    func note(_ watermark: Watermark, alarm: String) async throws

    /// Counts durably that a record is about to be handled: how often by now, nil if another owner took over.
    ///
    /// - Parameter record: the record's identity; the count is that one record's alone.
    /// - Throws: `PostgresError`.
    func countAttempt(_ watermark: Watermark, at record: String) async throws -> Int64?

    /// Counts durably that a last word beyond a gap is about to be handled: how often by now, nil if another owner took over.
    ///
    /// - Parameter record: the record's identity, which has a count of its own: at a gap all of them are met again.
    /// - Throws: `PostgresError`.
    func countLastWord(_ watermark: Watermark, at record: String) async throws -> Int64?

    /// Forgets the count of a last word beyond a gap: it has not ended the process. Also for a former owner.
    ///
    /// - Throws: `PostgresError`.
    func uncountLastWord(_ partition: TopicPartition, at record: String) async throws

    /// Notes an orderly end.
    ///
    /// - Parameters:
    ///   - isClean: whether nothing is left that may have ended an earlier process.
    ///   - record: what names the record whose counted attempt the end has cut short. That was no death, also when another
    ///     owner has taken over meanwhile: two that take a partition from each other must not count as a record that kills.
    /// - Throws: `PostgresError`.
    func release(_ watermark: Watermark, isClean: Bool, uncounting record: String?) async throws

    /// The keys of a partition that have messages set aside.
    ///
    /// - Throws: `PostgresError`.
    func parkedKeys(_ partition: TopicPartition) async throws -> Set<String>

    /// What names the messages of a partition that are set aside.
    ///
    /// - Throws: `PostgresError`.
    func parkedIdentities(_ partition: TopicPartition) async throws -> [String]

    /// Forgets messages that were set aside.
    ///
    /// - Throws: `PostgresError`.
    func forgetParked(_ identities: [String], _ watermark: Watermark) async throws

    /// What may go now: of every key its first message, when it was released or dropped.
    ///
    /// - Throws: `PostgresError`.
    func releasedMessages(_ partition: TopicPartition) async throws -> [ParkedMessage]

    /// The partitions in which messages were released or dropped.
    ///
    /// - Throws: `PostgresError`.
    func partitionsWithReleases() async throws -> [TopicPartition]

    /// Counts durably that a released message is about to be handled: how often by now; nil when it is not there any more.
    ///
    /// - Throws: `PostgresError`.
    func countTry(_ message: ParkedMessage) async throws -> Int64?

    /// Takes a release back: the message could not be handled even now.
    ///
    /// - Throws: `PostgresError`.
    func keep(_ message: ParkedMessage) async throws
}
