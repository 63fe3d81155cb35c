import CKafka
package import Runtime

/// A member of a consumer group that reads at the caller's pace.
///
/// The caller keeps the offsets: it chooses the offset at which each assigned partition starts, and nothing is committed
/// unless requested. One task calls ``next(limit:)`` repeatedly and answers its events. Nothing is read ahead beyond
/// librdkafka's bounded queue. During long work, ``pause(_:)`` and keep calling ``next(limit:)``: a member that does not
/// poll for ``GroupTimes/maxPollInterval`` loses its partitions.
@Loop package final class KafkaConsumer {
    private let client: KafkaClient
    private let events: QueueEvents
    private let pollInterval: Duration
    private var reading = RecordReading()
    // Taken from the queue after records that had to be returned first.
    private var pending: ConsumerEvent?
    private var waiting: LoopWait?
    private var assignment = Assignment()
    private var isClosed = false
    private var isWoken = false

    /// Joins a group that reads the topics.
    ///
    /// - Throws: ``KafkaError`` with `configuration` if an option or a topic name is not accepted.
    package init(
        settings: KafkaSettings, group: String, topics: [String], times: GroupTimes = GroupTimes()
    ) throws(KafkaError) {
        let client = try KafkaClient(
            RD_KAFKA_CONSUMER, settings: settings, options: Self.options(group, times, settings.kind),
            events: RD_KAFKA_EVENT_FETCH | RD_KAFKA_EVENT_ERROR | RD_KAFKA_EVENT_REBALANCE)
        self.client = client
        rd_kafka_poll_set_consumer(client.pointer)
        // Waiting counts as silence: the group must see a poll well within its interval.
        pollInterval = min(times.maxPollInterval / 3, .seconds(30))
        events = QueueEvents(rd_kafka_queue_get_consumer(client.pointer))
        let native = withPartitionList(topics.map { (TopicPartition(topic: $0, partition: -1), 0) }) {
            rd_kafka_subscribe(client.pointer, $0)
        }
        events.onReady = { [weak self] in self?.waiting?.resume() }
        guard native == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(native: native) }
    }

    isolated deinit {
        events.close()
        if !isClosed {
            let client = client
            Loop.task { await client.destroy() }
        }
    }

    /// Waits for the next event.
    ///
    /// - Parameter limit: the maximum number of records to return.
    /// - Throws: `CancellationError`, or ``KafkaError`` with `closed`; neither loses records.
    package func next(limit: Int) async throws -> ConsumerEvent {
        precondition(waiting == nil, "Only one task may read from a consumer.")
        while true {
            if isClosed { throw KafkaError(.closed) }
            try Task.checkCancellation()
            if isWoken {
                isWoken = false
                return .woken
            }
            if let event = take(limit) { return event }
            let wait = LoopWait()
            waiting = wait
            let timer = EventLoop.shared.schedule(after: pollInterval) { wait.resume() }
            defer {
                EventLoop.shared.cancel(timer)
                waiting = nil
            }
            try await wait.wait()
        }
    }

    /// Makes ``next(limit:)`` return ``ConsumerEvent/woken`` soon, even if nothing happens.
    package func wake() {
        isWoken = true
        waiting?.resume()
    }

    /// Answers ``ConsumerEvent/assigned(_:)`` with the start in each partition: an offset, or one of ``KafkaOffset``.
    ///
    /// - Throws: ``KafkaError``: `closed` after ``close()``, otherwise librdkafka's cause; with `isFatal`, the client must be
    ///   replaced.
    package func assign(_ starts: [(TopicPartition, Int64)]) throws(KafkaError) {
        try call { withPartitionList(starts) { rd_kafka_assign(client.pointer, $0) } }
        assignment = Assignment(starts)
    }

    /// Answers ``ConsumerEvent/revoked(_:lost:)``. Drops records of the partitions that were read ahead.
    ///
    /// - Throws: ``KafkaError``, as ``assign(_:)``.
    package func unassign() throws(KafkaError) {
        try call { rd_kafka_assign(client.pointer, nil) }
        assignment = Assignment()
    }

    /// Stops fetching from partitions; what was read ahead is fetched again after ``resume(_:)``.
    ///
    /// - Throws: ``KafkaError``, as ``assign(_:)``.
    package func pause(_ partitions: [TopicPartition]) throws(KafkaError) {
        try call { withPartitionList(partitions.map { ($0, 0) }) { rd_kafka_pause_partitions(client.pointer, $0) } }
        assignment.paused.formUnion(partitions)
    }

    /// Continues paused partitions after the last record returned.
    ///
    /// - Throws: ``KafkaError``, as ``assign(_:)``.
    package func resume(_ partitions: [TopicPartition]) throws(KafkaError) {
        try call { withPartitionList(partitions.map { ($0, 0) }) { rd_kafka_resume_partitions(client.pointer, $0) } }
        assignment.paused.subtract(partitions)
    }

    /// Continues an assigned partition at another offset. Records read ahead are dropped for all partitions and fetched
    /// again. A paused partition stays paused.
    ///
    /// - Throws: ``KafkaError``, as ``assign(_:)``.
    package func seek(_ partition: TopicPartition, to offset: Int64) throws(KafkaError) {
        // librdkafka's own seek fails silently while a partition is starting, and permanently after an offset out of
        // range; an assignment always works, but it must name all partitions and resets pauses.
        let wanted = assignment.moving(partition, to: offset)
        try assign(wanted.starts)
        assignment = wanted
        if !wanted.paused.isEmpty { try pause(Array(wanted.paused)) }
    }

    /// Commits offsets for tools that show the group's lag; nothing here reads them back, and failures are ignored.
    package func commitHint(_ offsets: [(TopicPartition, Int64)]) {
        if isClosed { return }
        _ = withPartitionList(offsets) { rd_kafka_commit(client.pointer, $0, 1) }
    }

    /// The end offset of a partition as last reported by the broker, for lag metrics; nil if not yet known.
    package func knownEnd(of partition: TopicPartition) -> Int64? {
        if isClosed { return nil }
        var low: Int64 = -1
        var high: Int64 = -1
        let native = rd_kafka_get_watermark_offsets(client.pointer, partition.topic, partition.partition, &low, &high)
        return native == RD_KAFKA_RESP_ERR_NO_ERROR && high >= 0 ? high : nil
    }

    /// Leaves the group, so that others take over at once, and closes the client. ``next(limit:)`` throws from then on.
    ///
    /// The loop is not blocked; a second call does nothing.
    package func close() async {
        guard !isClosed else { return }
        isClosed = true
        waiting?.resume()
        events.close()
        await client.destroy { _ = rd_kafka_consumer_close($0) }
    }

    private func take(_ limit: Int) -> ConsumerEvent? {
        if let event = pending {
            pending = nil
            return event
        }
        var records: [KafkaRecord] = []
        events.take { event in
            if rd_kafka_event_type(event) == RD_KAFKA_EVENT_FETCH {
                reading.read(event, into: &records)
                return records.count < limit
            }
            pending = consumerEvent(event)
            return pending == nil
        }
        if !records.isEmpty {
            assignment.advance(past: records)
            return .records(records)
        }
        defer { pending = nil }
        return pending
    }

    private func consumerEvent(_ event: OpaquePointer) -> ConsumerEvent? {
        switch rd_kafka_event_type(event) {
        case RD_KAFKA_EVENT_REBALANCE:
            let isAssignment = rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR__ASSIGN_PARTITIONS
            if isAssignment { return .assigned(partitions(of: event)) }
            return .revoked(partitions(of: event), lost: rd_kafka_assignment_lost(client.pointer) != 0)
        case RD_KAFKA_EVENT_ERROR:
            let error = client.error(of: event)
            if error.code == .offsetOutOfRange, let location = location(of: event) {
                assignment.stranded.insert(location.partition)
                return .offsetOutOfRange(location.partition)
            }
            return .failure(error)
        default: return nil
        }
    }

    private func call(_ body: () -> rd_kafka_resp_err_t) throws(KafkaError) {
        if isClosed { throw KafkaError(.closed) }
        let native = body()
        guard native == RD_KAFKA_RESP_ERR_NO_ERROR else {
            throw client.fatalError ?? KafkaError(native: native)
        }
    }
}
