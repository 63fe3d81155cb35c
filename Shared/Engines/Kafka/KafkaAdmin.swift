import CKafka
import Primitives
package import Runtime

/// Creates topics and inspects the cluster.
///
/// The development broker's topics are created by its own process (``MockBroker``), so there only inspecting works.
@Loop package final class KafkaAdmin {
    private let client: KafkaClient
    private let kind: KafkaSettings.Kind
    private var isClosed = false

    /// Makes an admin client; it connects when first used.
    ///
    /// - Throws: ``KafkaError`` with `configuration` if an option is not accepted.
    package init(settings: KafkaSettings) throws(KafkaError) {
        client = try KafkaClient(RD_KAFKA_PRODUCER, settings: settings, options: [], events: RD_KAFKA_EVENT_ERROR)
        kind = settings.kind
    }

    isolated deinit {
        if !isClosed {
            let client = client
            Loop.task { await client.destroy() }
        }
    }

    /// Creates the topics that do not exist yet, and waits until all are usable. What a broker refuses only for the moment, such as
    /// one that has just started and counts no brokers yet, is tried again until `limit` is over.
    ///
    /// - Throws: ``KafkaError`` with `wrongPartitionCount` if a topic exists with a different number of partitions (its
    ///   keys would go elsewhere), `unsupported` if one is missing on the development broker, and as ``insist(within:_:)``.
    package func createTopics(
        _ topics: [TopicDefinition], within limit: Duration = .seconds(30)
    ) async throws(KafkaError) {
        try await Self.insist(within: limit) { (left) async throws(KafkaError) in
            try await makeMissing(topics, within: left)
        }
    }

    /// Tries something again and again until it is done. What brokers refuse only for the moment counts as not done yet.
    ///
    /// - Parameter attempt: gets the time that is left; true when it is done.
    /// - Throws: ``KafkaError``: after `limit` the last one that might have passed, before that one which only says that the time is
    ///   over; `timedOut` where there was none; all others at once.
    package static func insist(
        within limit: Duration, _ attempt: (_ left: Duration) async throws(KafkaError) -> Bool
    ) async throws(KafkaError) {
        let deadline = monotonicNanoseconds() + limit.microseconds * 1_000
        var cause: KafkaError?
        while true {
            let left = Duration.nanoseconds(max(1_000_000, deadline - monotonicNanoseconds()))
            do throws(KafkaError) {
                if try await attempt(left) { return }
                cause = nil
            } catch {
                guard error.isRetriable else { throw error }
                // The last try has little time, and would hide why those before it came to nothing.
                if error.code != .timedOut || cause == nil { cause = error }
            }
            guard monotonicNanoseconds() < deadline else { throw cause ?? KafkaError(.timedOut, isRetriable: true) }
            // A creation may be confirmed before every broker knows the topic.
            do { try await Loop.sleep(for: .milliseconds(20)) } catch { throw KafkaError(.cancelled) }
        }
    }

    /// Creates those that are missing; whether all were there before.
    private func makeMissing(_ topics: [TopicDefinition], within limit: Duration) async throws(KafkaError) -> Bool {
        let present = try await cluster(within: limit).topics
        for topic in topics {
            if let count = present[topic.name], count != topic.partitions {
                throw KafkaError(.wrongPartitionCount, detail: "\(topic.name): \(count) instead of \(topic.partitions)")
            }
        }
        let missing = topics.filter { present[$0.name] == nil }
        if missing.isEmpty { return true }
        if kind == .development {
            throw KafkaError(.unsupported, detail: missing.map(\.name).joined(separator: ", "))
        }
        try await create(missing, within: limit)
        return false
    }

    /// Deletes a topic with all its records and waits until it is gone; for tests and operators' tools.
    ///
    /// - Throws: ``KafkaError`` with `unsupported` on the development broker, `unknownTopic`, `timedOut` after `limit`.
    package func deleteTopic(_ name: String, within limit: Duration = .seconds(30)) async throws(KafkaError) {
        let deadline = monotonicNanoseconds() + limit.microseconds * 1_000
        try await request(limit) { TopicRequests.delete($0, name, $1) }
        while try await partitionCount(of: name, within: limit) != nil {
            guard monotonicNanoseconds() < deadline else { throw KafkaError(.timedOut, isRetriable: true) }
            do { try await Loop.sleep(for: .milliseconds(20)) } catch { throw KafkaError(.cancelled) }
        }
    }

    /// The number of partitions of a topic; nil if it does not exist.
    ///
    /// - Throws: ``KafkaError``, `unreachable` or `timedOut` after at most `limit`.
    package func partitionCount(
        of topic: String, within limit: Duration = .seconds(10)
    ) async throws(KafkaError) -> Int32? {
        try await cluster(within: limit).topics[topic]
    }

    /// The cluster's broker ids, and the partition count of each topic whose partitions all have a leader.
    ///
    /// - Throws: ``KafkaError``, `unreachable` or `timedOut` after at most `limit`.
    package func cluster(
        within limit: Duration = .seconds(10)
    ) async throws(KafkaError) -> (brokers: [Int32], topics: [String: Int32]) {
        if isClosed { throw KafkaError(.closed) }
        let milliseconds = Int32(clamping: limit.milliseconds)
        return try await client.blocking { ClusterMetadata.read($0, milliseconds) }.get()
    }

    /// Closes the client without blocking the loop; a second call does nothing.
    package func close() async {
        guard !isClosed else { return }
        isClosed = true
        await client.destroy()
    }

    private func create(_ topics: [TopicDefinition], within limit: Duration) async throws(KafkaError) {
        try await request(limit) { TopicRequests.create($0, topics, $1) }
    }

    /// Makes a request of the admin API on a thread that may block.
    func request<T: Sendable>(
        _ limit: Duration,
        _ request: @escaping @Sendable (_ client: OpaquePointer, _ milliseconds: Int32) -> Result<T, KafkaError>
    ) async throws(KafkaError) -> T {
        if isClosed { throw KafkaError(.closed) }
        if kind == .development { throw KafkaError(.unsupported, detail: "the development broker") }
        let milliseconds = Int32(clamping: limit.milliseconds)
        return try await client.blocking { request($0, milliseconds) }.get()
    }
}

/// A metadata request, made on a thread that may block.
private enum ClusterMetadata {
    static func read(
        _ client: OpaquePointer, _ milliseconds: Int32
    ) -> Result<(brokers: [Int32], topics: [String: Int32]), KafkaError> {
        var answer: UnsafePointer<rd_kafka_metadata_t>?
        // Requests all topics, because asking for one by name may create it.
        let native = rd_kafka_metadata(client, 1, nil, &answer, milliseconds)
        guard native == RD_KAFKA_RESP_ERR_NO_ERROR, let answer else { return .failure(KafkaError(native: native)) }
        defer { rd_kafka_metadata_destroy(answer) }
        let metadata = answer.pointee
        var topics: [String: Int32] = [:]
        for index in 0..<Int(metadata.topic_cnt) {
            let topic = metadata.topics[index]
            guard topic.err == RD_KAFKA_RESP_ERR_NO_ERROR, topic.partition_cnt > 0 else { continue }
            if (0..<Int(topic.partition_cnt)).contains(where: { topic.partitions[$0].leader < 0 }) { continue }
            topics[String(cString: topic.topic)] = topic.partition_cnt
        }
        return .success(((0..<Int(metadata.broker_cnt)).map { metadata.brokers[$0].id }, topics))
    }
}
