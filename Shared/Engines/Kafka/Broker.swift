package import Runtime

/// What writes to a broker, reads from it and joins its groups: ``KafkaSettings`` name a real one, tests simulate one.
@Loop package protocol Broker: Sendable {
    /// The kind of broker.
    nonisolated var kind: KafkaSettings.Kind { get }

    /// A client that writes, idempotent and with acknowledgement.
    ///
    /// - Throws: ``KafkaError`` with `configuration`.
    func producer() throws(KafkaError) -> any RecordProducer

    /// A client that reads single partitions, without a group.
    ///
    /// - Throws: ``KafkaError`` with `configuration`.
    func reader() throws(KafkaError) -> any RecordReader

    /// A new member of a consumer group that reads the topics.
    ///
    /// - Throws: ``KafkaError`` with `configuration`.
    func join(group: String, topics: [String]) throws(KafkaError) -> any GroupMember
}

/// Writes records to partitions, in order and without duplicates.
@Loop package protocol RecordProducer: AnyObject, Sendable {
    /// Writes a batch and returns the offsets of its records, in order, once all are acknowledged. Several batches may be
    /// in flight; the order of the calls is the order in each partition.
    ///
    /// - Throws: ``KafkaError``: any failure is final, and records of the batch may be in their partitions nevertheless.
    func send(_ records: [OutgoingRecord]) async throws(KafkaError) -> [Int64]

    /// Fails what is in flight and closes the client; a second call does nothing.
    func close() async
}

/// Reads single partitions, one after another; used by one task at a time.
@Loop package protocol RecordReader: AnyObject, Sendable {
    /// The first and the end offset of a partition.
    ///
    /// - Throws: ``KafkaError`` with `unknownTopic`, `timedOut` or `unreachable` after at most `limit`.
    func watermarks(_ partition: TopicPartition, within limit: Duration) async throws(KafkaError)
        -> PartitionReader.Watermarks

    /// Starts reading a partition at an offset (or one of ``KafkaOffset``) and stops reading any other.
    ///
    /// - Throws: ``KafkaError``; a missing offset is reported by ``next(limit:within:)``.
    func assign(_ partition: TopicPartition, from offset: Int64) async throws(KafkaError)

    /// The next records of the assigned partition, or its end.
    ///
    /// - Throws: `CancellationError`, or ``KafkaError`` with `offsetOutOfRange`, `unknownTopic`, `timedOut` and others.
    func next(limit: Int, within duration: Duration) async throws -> PartitionReader.Step

    /// Stops reading the assigned partition.
    func stop() async

    /// Closes the client; a second call does nothing.
    func close() async
}

/// A member of a consumer group; its events are answered by one task.
@Loop package protocol GroupMember: AnyObject, Sendable {
    /// Waits for the next event.
    ///
    /// - Throws: `CancellationError`, or ``KafkaError`` with `closed`; neither loses records.
    func next() async throws -> ConsumerEvent

    /// Makes ``next()`` return ``ConsumerEvent/woken`` soon.
    func wake()

    /// Answers ``ConsumerEvent/assigned(_:)`` with the start in each partition: an offset, or one of ``KafkaOffset``.
    func assign(_ starts: [(TopicPartition, Int64)]) throws(KafkaError)

    /// Answers ``ConsumerEvent/revoked(_:lost:)``.
    func unassign() throws(KafkaError)

    /// Stops fetching from partitions.
    func pause(_ partitions: [TopicPartition]) throws(KafkaError)

    /// Continues paused partitions after the last record returned.
    func resume(_ partitions: [TopicPartition]) throws(KafkaError)

    /// Leaves the group and closes the client; a second call does nothing.
    func close() async
}

// MARK: The real one

extension KafkaSettings: Broker {
    package func producer() throws(KafkaError) -> any RecordProducer { try KafkaProducer(settings: self) }

    package func reader() throws(KafkaError) -> any RecordReader { try PartitionReader(settings: self) }

    package func join(group: String, topics: [String]) throws(KafkaError) -> any GroupMember {
        try KafkaConsumer(
            settings: self, group: group, topics: topics, times: GroupTimes(sessionTimeout: sessionTimeout))
    }
}

extension KafkaProducer: RecordProducer {}

extension PartitionReader: RecordReader {}

extension KafkaConsumer: GroupMember {
    package func next() async throws -> ConsumerEvent { try await next(limit: 500) }
}
