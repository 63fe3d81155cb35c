import CKafka
import Glibc
package import Runtime

/// librdkafka's in-memory broker in this process: one node on a free port of 127.0.0.1, for development and tests.
///
/// It supports producers, groups and readers. It keeps at most 5 MiB and 100,000 batches per partition and silently drops
/// the oldest; a group's first member waits three seconds for others; nothing survives the process. It is not for data
/// that matters.
@Loop package final class MockBroker {
    /// The requests that ``failNext(_:with:)`` supports, with their API keys in Kafka's protocol.
    package enum Request: Int16, Sendable {
        case produce = 0
        case fetch = 1
        case listOffsets = 2
        case metadata = 3
        case joinGroup = 11
        case heartbeat = 12
        case initProducerID = 22
    }

    /// How the broker can fail a request.
    package enum Fault: Sendable {
        /// Closes the connection.
        case disconnect
        case notLeader
        case requestTimedOut
        case notEnoughReplicas
        case recordTooLarge
        case topicUnauthorized
        case outOfOrderSequence
    }

    /// The address, `127.0.0.1:port`.
    package let bootstrap: String

    private let client: KafkaClient
    private let cluster: ClusterHandle
    private var isClosed = false

    /// Starts the broker with topics.
    ///
    /// - Throws: ``KafkaError`` if it gets no port or a topic cannot be created.
    package init(topics: [TopicDefinition] = []) throws(KafkaError) {
        let settings = KafkaSettings(bootstrap: "", clientID: "development-broker", kind: .development)
        let client = try KafkaClient(RD_KAFKA_PRODUCER, settings: settings, options: [], events: RD_KAFKA_EVENT_ERROR)
        self.client = client
        guard let pointer = rd_kafka_mock_cluster_new(client.pointer, 1),
            let address = rd_kafka_mock_cluster_bootstraps(pointer)
        else {
            Loop.task { await client.destroy() }
            throw KafkaError(.other, detail: "The development broker got no port.")
        }
        cluster = ClusterHandle(pointer: pointer)
        bootstrap = String(cString: address)
        sendAtOnce(port: bootstrap.split(separator: ":").last.flatMap { UInt16($0) } ?? 0)
        for topic in topics { try createTopic(topic) }
    }

    isolated deinit {
        if !isClosed { startDestroying() }
    }

    /// The settings for clients of this broker.
    package var settings: KafkaSettings { KafkaSettings(bootstrap: bootstrap, kind: .development) }

    /// Creates a topic; its replication and configuration are ignored.
    ///
    /// - Throws: ``KafkaError`` if the topic exists.
    package func createTopic(_ topic: TopicDefinition) throws(KafkaError) {
        let native = rd_kafka_mock_topic_create(cluster.pointer, topic.name, topic.partitions, 1)
        guard native == RD_KAFKA_RESP_ERR_NO_ERROR else { throw KafkaError(native: native, detail: topic.name) }
    }

    /// Fails the next requests of a kind with these faults, in order.
    package func failNext(_ request: Request, with faults: [Fault]) {
        let natives = faults.map(\.native)
        rd_kafka_mock_push_request_errors_array(cluster.pointer, request.rawValue, natives.count, natives)
    }

    /// Serves clients (true), or breaks all connections and accepts none (false).
    package func setUp(_ isUp: Bool) {
        _ = isUp ? rd_kafka_mock_broker_set_up(cluster.pointer, 1) : rd_kafka_mock_broker_set_down(cluster.pointer, 1)
    }

    /// Delays every answer by whole milliseconds.
    package func setDelay(milliseconds: Int32) {
        _ = rd_kafka_mock_broker_set_rtt(cluster.pointer, 1, milliseconds)
    }

    /// Stops the broker and discards its records. The loop is not blocked; a second call does nothing.
    package func close() async {
        guard !isClosed else { return }
        isClosed = true
        await startDestroying().value
    }

    @discardableResult
    private func startDestroying() -> Task<Void, Never> {
        let client = client
        let cluster = cluster
        return Task {
            await client.destroy { _ in rd_kafka_mock_cluster_destroy(cluster.pointer) }
        }
    }
}

/// A mock cluster, whose calls do their own locking.
private struct ClusterHandle: @unchecked Sendable {
    let pointer: OpaquePointer
}

extension MockBroker.Fault {
    fileprivate var native: rd_kafka_resp_err_t {
        switch self {
        case .disconnect: RD_KAFKA_RESP_ERR__TRANSPORT
        case .notLeader: RD_KAFKA_RESP_ERR_NOT_LEADER_FOR_PARTITION
        case .requestTimedOut: RD_KAFKA_RESP_ERR_REQUEST_TIMED_OUT
        case .notEnoughReplicas: RD_KAFKA_RESP_ERR_NOT_ENOUGH_REPLICAS
        case .recordTooLarge: RD_KAFKA_RESP_ERR_MSG_SIZE_TOO_LARGE
        case .topicUnauthorized: RD_KAFKA_RESP_ERR_TOPIC_AUTHORIZATION_FAILED
        case .outOfOrderSequence: RD_KAFKA_RESP_ERR_OUT_OF_ORDER_SEQUENCE_NUMBER
        }
    }
}

/// Sets TCP_NODELAY on the listening socket of a port of this process; accepted sockets inherit it on Linux.
///
/// Without it each small answer waits 40 ms, because the broker's Nagle algorithm meets the client's delayed
/// acknowledgement.
private func sendAtOnce(port: UInt16) {
    for descriptor in Int32(3)..<Int32(clamping: sysconf(Int32(_SC_OPEN_MAX))) where listens(descriptor, on: port) {
        var yes: Int32 = 1
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &yes, socklen_t(MemoryLayout<Int32>.size))
        return
    }
}

private func listens(_ descriptor: Int32, on port: UInt16) -> Bool {
    var listening: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    guard getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &listening, &size) == 0, listening != 0 else {
        return false
    }
    var address = sockaddr_in()
    size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let outcome = withUnsafeMutablePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return outcome == 0 && UInt16(bigEndian: address.sin_port) == port
}
