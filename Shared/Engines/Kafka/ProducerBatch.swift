import Runtime

/// The records of one ``KafkaProducer/send(_:)`` and the result it waits for.
@Loop final class ProducerBatch {
    /// Identifies the batch in delivery reports.
    let number: UInt64
    let records: [OutgoingRecord]
    /// How many records librdkafka has accepted.
    var queued = 0

    private var offsets: [Int64]
    private var unacknowledged: Int
    private var result: Result<[Int64], KafkaError>?
    private var continuation: UnsafeContinuation<Result<[Int64], KafkaError>, Never>?

    init(number: UInt64, records: [OutgoingRecord]) {
        self.number = number
        self.records = records
        offsets = [Int64](repeating: -1, count: records.count)
        unacknowledged = records.count
    }

    /// Stores the offset of one record; returns whether it was the last one.
    func acknowledge(_ index: Int, offset: Int64) -> Bool {
        offsets[index] = offset
        unacknowledged -= 1
        return unacknowledged == 0
    }

    /// Completes the batch with the offsets of all records.
    func succeed() { finish(.success(offsets)) }

    /// Fails the batch; does nothing if it is complete.
    func fail(_ error: KafkaError) { finish(.failure(error)) }

    /// Suspends until there is a result.
    func answer() async -> Result<[Int64], KafkaError> {
        await withUnsafeContinuation { continuation in
            if let result { continuation.resume(returning: result) } else { self.continuation = continuation }
        }
    }

    private func finish(_ result: Result<[Int64], KafkaError>) {
        guard self.result == nil else { return }
        self.result = result
        continuation?.resume(returning: result)
        continuation = nil
    }
}
