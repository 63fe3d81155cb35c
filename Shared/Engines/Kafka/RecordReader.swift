import Runtime

extension RecordReader {
    /// As ``watermarks(_:within:)``, with the usual patience.
    ///
    /// - Throws: as that one.
    package func watermarks(_ partition: TopicPartition) async throws(KafkaError) -> PartitionReader.Watermarks {
        try await watermarks(partition, within: .seconds(10))
    }

    /// As ``next(limit:within:)``, with the usual patience.
    ///
    /// - Throws: as that one.
    package func next() async throws -> PartitionReader.Step { try await next(limit: 500, within: .seconds(10)) }

    /// The record at exactly this offset; nil if the partition does not hold it (any longer, or yet).
    ///
    /// - Throws: `CancellationError` or ``KafkaError``.
    package func record(
        at offset: Int64, of partition: TopicPartition, within limit: Duration = .seconds(10)
    ) async throws -> KafkaRecord? {
        if offset < 0 { return nil }
        do {
            try await assign(partition, from: offset)
            let step = try await next(limit: 1, within: limit)
            await stop()
            guard case .records(let records) = step, let record = records.first else { return nil }
            return record.offset == offset ? record : nil
        } catch let error as KafkaError where error.code == .offsetOutOfRange {
            await stop()
            return nil
        } catch {
            await stop()
            throw error
        }
    }

    /// Passes the records from an offset to the current end to `body`, batch by batch, and returns the end offset.
    ///
    /// - Parameter limit: how long the broker may be silent.
    /// - Throws: `CancellationError`, ``KafkaError``, or what `body` throws.
    package func readToEnd(
        _ partition: TopicPartition, from offset: Int64 = KafkaOffset.beginning, within limit: Duration = .seconds(10),
        _ body: @Loop ([KafkaRecord]) async throws -> Void
    ) async throws -> Int64 {
        try await assign(partition, from: offset)
        do {
            while true {
                switch try await next(limit: 500, within: limit) {
                case .records(let records): try await body(records)
                case .end(let end):
                    await stop()
                    return end
                }
            }
        } catch {
            await stop()
            throw error
        }
    }
}
