import CKafka
import Primitives
package import Runtime

/// Reads single partitions from an offset to their end, without a group: for a relay that reads its topic back, and to
/// check the record before a stored offset.
///
/// One client serves any number of partitions, one after another; use it from one task at a time.
@Loop package final class PartitionReader {
    /// What ``next(limit:within:)`` found.
    package enum Step: Sendable {
        /// Records in order, at least one.
        case records([KafkaRecord])
        /// There are no more records; the offset is that of the next record to come.
        case end(Int64)
    }

    /// What a partition holds.
    package struct Watermarks: Sendable, Equatable {
        /// The offset of the first record that is still there.
        package let low: Int64
        /// The offset after the last record; equal to `low` if the partition is empty.
        package let high: Int64

        package init(low: Int64, high: Int64) {
            self.low = low
            self.high = high
        }
    }

    private let client: KafkaClient
    private let events: QueueEvents
    private var reading = RecordReading()
    private let topics: TopicObjects
    private var current: TopicPartition?
    private var pending: Result<Step, KafkaError>?
    private var trouble: KafkaError?
    private var waiting: LoopWait?
    private var isReading = false
    private var isClosed = false

    /// Makes a reader; it connects when first used.
    ///
    /// - Throws: ``KafkaError`` with `configuration` when an option is not accepted.
    package init(settings: KafkaSettings) throws(KafkaError) {
        let options =
            KafkaConsumer.fetchOptions(settings.kind) + [
                ("enable.partition.eof", "true"), ("auto.offset.reset", "error"), ("allow.auto.create.topics", "false"),
                // The end of a partition is detected when a waiting fetch returns empty.
                ("fetch.wait.max.ms", "4"),
            ]
        let client = try KafkaClient(
            RD_KAFKA_CONSUMER, settings: settings, options: options,
            events: RD_KAFKA_EVENT_FETCH | RD_KAFKA_EVENT_ERROR)
        self.client = client
        topics = TopicObjects(client)
        let queue: OpaquePointer = rd_kafka_queue_new(client.pointer)
        events = QueueEvents(queue)
        events.onReady = { [weak self] in self?.waiting?.resume() }
    }

    isolated deinit {
        events.close()
        if !isClosed { startDestroying() }
    }

    /// Asks the broker for the first and the end offset of a partition.
    ///
    /// - Throws: ``KafkaError`` with `unknownTopic`, `timedOut` or `unreachable` after at most `limit`.
    package func watermarks(
        _ partition: TopicPartition, within limit: Duration = .seconds(10)
    ) async throws(KafkaError) -> Watermarks {
        if isClosed { throw KafkaError(.closed) }
        let milliseconds = Int32(clamping: limit.milliseconds)
        let (native, low, high) = await client.blocking { pointer in
            var low: Int64 = 0
            var high: Int64 = 0
            let native = rd_kafka_query_watermark_offsets(
                pointer, partition.topic, partition.partition, &low, &high, milliseconds)
            return (native.rawValue, low, high)
        }
        guard native == 0 else { throw KafkaError(native: rd_kafka_resp_err_t(native), detail: partition.description) }
        return Watermarks(low: low, high: high)
    }

    /// Starts reading a partition at an offset (or one of ``KafkaOffset``) and stops reading any other.
    ///
    /// - Throws: ``KafkaError``; a missing offset is reported by ``next(limit:within:)``.
    package func assign(_ partition: TopicPartition, from offset: Int64) async throws(KafkaError) {
        await stop()
        if isClosed { throw KafkaError(.closed) }
        let topic = try topics.object(partition.topic)
        let outcome = events.withQueue { rd_kafka_consume_start_queue(topic.pointer, partition.partition, offset, $0) }
        guard outcome == 0 else { throw KafkaError(native: rd_kafka_last_error(), detail: partition.description) }
        current = partition
    }

    /// The next records of the assigned partition, or its end.
    ///
    /// - Parameter limit: the maximum number of records to return.
    /// - Throws: `CancellationError`; ``KafkaError`` with `offsetOutOfRange`, `unknownTopic` and others, or after
    ///   `duration` with `timedOut` or the error that kept the broker from answering.
    package func next(limit: Int = 500, within duration: Duration = .seconds(10)) async throws -> Step {
        precondition(!isReading, "Only one task may use a partition reader.")
        isReading = true
        var isLate = false
        let timer = EventLoop.shared.schedule(after: duration) { [weak self] in
            isLate = true
            self?.waiting?.resume()
        }
        defer {
            EventLoop.shared.cancel(timer)
            isReading = false
            waiting = nil
        }
        while true {
            if isClosed { throw KafkaError(.closed) }
            try Task.checkCancellation()
            if let step = take(limit) { return try step.get() }
            if isLate { throw trouble ?? KafkaError(.timedOut, detail: current?.description ?? "", isRetriable: true) }
            let wait = LoopWait()
            waiting = wait
            try await wait.wait()
        }
    }

    /// Stops reading the assigned partition; the client stays usable.
    package func stop() async {
        guard let partition = current, let topic = try? topics.object(partition.topic) else { return }
        current = nil
        pending = nil
        trouble = nil
        await client.blocking { _ in _ = rd_kafka_consume_stop(topic.pointer, partition.partition) }
        // The library drops the rest of the old partition's records when the queue is drained.
        events.take { _ in true }
    }

    /// Closes the client without blocking the loop; a second call does nothing.
    package func close() async {
        guard !isClosed else { return }
        await stop()
        isClosed = true
        waiting?.resume()
        events.close()
        await startDestroying().value
    }

    @discardableResult
    private func startDestroying() -> Task<Void, Never> {
        let client = client
        let release = topics.release()
        return Task { await client.destroy { _ in release() } }
    }

    private func take(_ limit: Int) -> Result<Step, KafkaError>? {
        if let step = pending {
            pending = nil
            return step
        }
        var records: [KafkaRecord] = []
        events.take { event in
            if rd_kafka_event_type(event) == RD_KAFKA_EVENT_FETCH {
                reading.read(event, into: &records)
                return records.count < limit
            }
            pending = step(event)
            return pending == nil
        }
        if !records.isEmpty { return .success(.records(records)) }
        defer { pending = nil }
        return pending
    }

    private func step(_ event: OpaquePointer) -> Result<Step, KafkaError>? {
        guard rd_kafka_event_type(event) == RD_KAFKA_EVENT_ERROR else { return nil }
        let location = location(of: event)
        if let location, location.partition != current { return nil }
        if rd_kafka_event_error(event) == RD_KAFKA_RESP_ERR__PARTITION_EOF, let location {
            return .success(.end(location.offset))
        }
        let error = client.error(of: event)
        // While brokers come and go the library retries; the caller's deadline limits that.
        if error.isRetriable {
            trouble = error
            return nil
        }
        return .failure(error)
    }
}
