import CKafka
import Runtime

/// A librdkafka client with its options applied. Its calls are thread safe, says the library's introduction; everything
/// that can block is run by ``blocking(_:)``.
final class KafkaClient: @unchecked Sendable {
    // Sendable: `rd_kafka_t` is thread safe. The owner destroys it once, after its queues.
    let pointer: OpaquePointer

    /// Threads of our own, because a broker that does not answer would hold the process's other blocking work. Four, so that
    /// the ends of a relay and a consumer that wait for it do not hold those of their successors.
    private static let threads = Offload(threads: 4)

    /// Makes a client; later options win.
    ///
    /// - Parameter events: the `RD_KAFKA_EVENT_` bits that come as events on its queues, instead of as callbacks.
    init(
        _ type: rd_kafka_type_t, settings: KafkaSettings, options: [(name: String, value: String)], events: Int32
    ) throws(KafkaError) {
        let configuration: OpaquePointer = rd_kafka_conf_new()
        // A library must not write to our output: troubles come as error events.
        rd_kafka_conf_set_log_cb(configuration, nil)
        rd_kafka_conf_set_events(configuration, events)
        let common: [(name: String, value: String)] = [
            ("bootstrap.servers", settings.bootstrap), ("client.id", settings.clientID),
            ("socket.nagle.disable", "true"), ("socket.keepalive.enable", "true"),
            ("socket.connection.setup.timeout.ms", "5000"), ("reconnect.backoff.ms", "50"),
            ("reconnect.backoff.max.ms", "1000"),
        ]
        for option in common + options + settings.options {
            guard rd_kafka_conf_set(configuration, option.name, option.value, nil, 0) == RD_KAFKA_CONF_OK else {
                rd_kafka_conf_destroy(configuration)
                throw KafkaError(
                    .configuration, detail: "Option \(option.name) is unknown or its value is not accepted.")
            }
        }
        let (made, message) = withErrorText { rd_kafka_new(type, configuration, $0, $1) }
        guard let made else {
            rd_kafka_conf_destroy(configuration)
            throw KafkaError(.configuration, detail: message)
        }
        pointer = made
    }

    /// Runs a call that may wait for a broker, away from the loop.
    func blocking<T: Sendable>(_ call: @escaping @Sendable (OpaquePointer) -> T) async -> T {
        await Self.threads.runBlocking { call(self.pointer) }
    }

    /// Ends the client, away from the loop: `farewell` first, then the threads and connections. Call it once.
    func destroy(_ farewell: @escaping @Sendable (OpaquePointer) -> Void = { _ in }) async {
        await blocking { pointer in
            farewell(pointer)
            rd_kafka_destroy_flags(pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        }
    }

    /// The error that made the client unusable, if there is one.
    var fatalError: KafkaError? {
        let (native, message) = withErrorText { rd_kafka_fatal_error(pointer, $0, $1) }
        guard native != RD_KAFKA_RESP_ERR_NO_ERROR else { return nil }
        return KafkaError(native: native, detail: message, isFatal: true)
    }

    /// The error that an event of type `RD_KAFKA_EVENT_ERROR` carries.
    func error(of event: OpaquePointer) -> KafkaError {
        let native = rd_kafka_event_error(event)
        if native == RD_KAFKA_RESP_ERR__FATAL || rd_kafka_event_error_is_fatal(event) != 0, let fatal = fatalError {
            return fatal
        }
        let message = rd_kafka_event_error_string(event).map { String(cString: $0) } ?? ""
        return KafkaError(native: native, detail: message)
    }
}

/// Lends a buffer for an error message to a C call and gives back the call's result with the message.
func withErrorText<T>(_ call: (UnsafeMutablePointer<CChar>, Int) -> T) -> (T, String) {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 512) { buffer in
        buffer.initialize(repeating: 0)
        let result = call(buffer.baseAddress!, buffer.count)
        return (result, String(cString: buffer.baseAddress!))
    }
}

extension Offload {
    fileprivate func runBlocking<T: Sendable>(_ call: @escaping @Sendable () -> T) async -> T {
        do {
            return try await run { call() }
        } catch {
            // `run` throws only what the work throws, and this work throws nothing.
            preconditionFailure("Blocking work that cannot fail has failed.")
        }
    }
}
