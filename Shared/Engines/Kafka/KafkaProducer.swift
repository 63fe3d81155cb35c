import CKafka
package import Runtime

/// Writes records to partitions, in order and without duplicates, and waits for the broker's acknowledgement.
///
/// Idempotent, with acknowledgement from all in-sync replicas. It never times out: while no broker answers, records stay
/// in memory and ``send(_:)`` waits. Any failure is final, because later records must not overtake a failed one: the
/// caller closes the producer, reads back what arrived, and makes a new one.
@Loop package final class KafkaProducer {
    /// Why the producer can no longer be used; nil while it can.
    package private(set) var failure: KafkaError?
    /// The last broker error since the last acknowledgement, for logs and health; librdkafka retries.
    package private(set) var trouble: KafkaError?

    private let client: KafkaClient
    private let events: QueueEvents
    private var batches: [UInt64: ProducerBatch] = [:]
    // Batches that librdkafka has not accepted completely because its queue was full; in order.
    private var unsent: [ProducerBatch] = []
    private var lastNumber: UInt64 = 0
    private var isDestroyed = false

    // A delivery report identifies its record by batch number and index, packed into the pointer-sized opaque, so nothing
    // needs freeing.
    private static let indexBits: UInt64 = 24

    /// Makes a producer; it connects in the background.
    ///
    /// - Throws: ``KafkaError`` with `configuration` when an option is not accepted.
    package init(settings: KafkaSettings) throws(KafkaError) {
        let client = try KafkaClient(
            RD_KAFKA_PRODUCER, settings: settings,
            options: [
                ("enable.idempotence", "true"), ("acks", "all"), ("message.timeout.ms", "0"), ("linger.ms", "0"),
                ("max.in.flight.requests.per.connection", "5"), ("retry.backoff.ms", "50"),
                ("queue.buffering.max.messages", "20000"), ("queue.buffering.max.kbytes", "32768"),
            ],
            events: RD_KAFKA_EVENT_DR | RD_KAFKA_EVENT_ERROR)
        self.client = client
        events = QueueEvents(rd_kafka_queue_get_main(client.pointer))
        events.onReady = { [weak self] in self?.takeEvents() }
    }

    isolated deinit {
        events.close()
        if !isDestroyed {
            let client = client
            Loop.task { await client.destroy() }
        }
    }

    /// Writes a batch and returns the offsets of its records, in order, once all are acknowledged.
    ///
    /// Several batches may be in flight; the order of the calls is the order in each partition.
    ///
    /// - Throws: ``KafkaError`` if a record was refused, the producer is unusable or closed, or the task was cancelled.
    ///   Records of the batch may be in their partitions nevertheless, and every other in-flight batch fails too.
    package func send(_ records: [OutgoingRecord]) async throws(KafkaError) -> [Int64] {
        if let failure { throw failure }
        if Task.isCancelled { throw KafkaError(.cancelled) }
        if records.isEmpty { return [] }
        precondition(
            records.count < 1 << Self.indexBits, "A batch must be smaller than \(1 << Self.indexBits) records.")
        lastNumber += 1
        let batch = ProducerBatch(number: lastNumber, records: records)
        batches[batch.number] = batch
        unsent.append(batch)
        queueUnsent()
        let result = await withTaskCancellationHandler {
            await batch.answer()
        } onCancel: {
            Task { @Loop in self.cancel(batch) }
        }
        return try result.get()
    }

    /// Closes the producer: fails the in-flight batches with `closed`, drops what librdkafka holds and ends its threads.
    ///
    /// Await the sends first if they are to arrive. The loop is not blocked; a second call does nothing.
    package func close() async {
        guard !isDestroyed else { return }
        isDestroyed = true
        fail(KafkaError(.closed))
        events.close()
        await client.destroy { _ = rd_kafka_purge($0, RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT) }
    }

    private func cancel(_ batch: ProducerBatch) {
        guard batches[batch.number] != nil else { return }
        fail(KafkaError(.cancelled))
    }

    private func queueUnsent() {
        while let batch = unsent.first {
            while batch.queued < batch.records.count {
                let opaque = batch.number << Self.indexBits | UInt64(batch.queued)
                let native = client.produce(batch.records[batch.queued], opaque: UInt(opaque))
                // A full queue is back-pressure: the next delivery reports make room.
                if native == RD_KAFKA_RESP_ERR__QUEUE_FULL { return }
                guard native == RD_KAFKA_RESP_ERR_NO_ERROR else {
                    return fail(client.fatalError ?? KafkaError(native: native))
                }
                batch.queued += 1
            }
            unsent.removeFirst()
        }
    }

    private func takeEvents() {
        events.take { event in
            switch rd_kafka_event_type(event) {
            case RD_KAFKA_EVENT_DR:
                while let message = rd_kafka_event_message_next(event) { settle(message.pointee) }
            case RD_KAFKA_EVENT_ERROR:
                let error = client.error(of: event)
                if error.isFatal { fail(error) } else { trouble = error }
            default: break
            }
            return true
        }
        if failure == nil { queueUnsent() }
    }

    private func settle(_ message: rd_kafka_message_t) {
        let opaque = UInt64(UInt(bitPattern: message._private))
        guard let batch = batches[opaque >> Self.indexBits] else { return }
        guard message.err == RD_KAFKA_RESP_ERR_NO_ERROR else {
            return fail(client.fatalError ?? KafkaError(native: message.err))
        }
        trouble = nil
        let index = Int(opaque & (1 << Self.indexBits - 1))
        if batch.acknowledge(index, offset: message.offset) {
            batches[batch.number] = nil
            batch.succeed()
        }
    }

    private func fail(_ error: KafkaError) {
        guard failure == nil else { return }
        failure = error
        let failed = batches.values.sorted { $0.number < $1.number }
        batches = [:]
        unsent = []
        let purge = RD_KAFKA_PURGE_F_QUEUE | RD_KAFKA_PURGE_F_INFLIGHT | RD_KAFKA_PURGE_F_NON_BLOCKING
        _ = rd_kafka_purge(client.pointer, purge)
        for batch in failed { batch.fail(error) }
    }
}
