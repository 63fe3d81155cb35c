import CKafka
import Runtime

/// A configured librdkafka client. Its calls are thread-safe, according to the library's introduction; everything that can
/// block runs through ``blocking(_:)``.
final class KafkaClient: @unchecked Sendable {
    // Sendable: `rd_kafka_t` is thread-safe. The owner destroys it once, after its queues.
    let pointer: OpaquePointer

    /// A separate pool, because an unresponsive broker would hold up the process's other blocking work.
    private static let threads = Offload(threads: 4)

    /// Makes a client; later options override earlier ones.
    ///
    /// - Parameter events: the `RD_KAFKA_EVENT_` bits to deliver as events on its queues instead of callbacks.
    init(
        _ type: rd_kafka_type_t, settings: KafkaSettings, options: [(name: String, value: String)], events: Int32
    ) throws(KafkaError) {
        let configuration: OpaquePointer = rd_kafka_conf_new()
        // The library must not write to our output; problems arrive as error events.
        rd_kafka_conf_set_log_cb(configuration, nil)
        rd_kafka_conf_set_events(configuration, events)
        let common: [(name: String, value: String)] = [
            ("bootstrap.servers", settings.bootstrap), ("client.id", settings.clientID),
            ("socket.nagle.disable", "true"), ("socket.keepalive.enable", "true"),
            ("socket.connection.setup.timeout.ms", "5000"), ("reconnect.backoff.ms", "50"),
            ("reconnect.backoff.max.ms", "1000"),
        ]
        for option in common + options + settings.security.options + settings.options {
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

    /// Runs a call that may wait for a broker, off the loop.
    func blocking<T: Sendable>(_ call: @escaping @Sendable (OpaquePointer) -> T) async -> T {
        await Self.threads.runBlocking { call(self.pointer) }
    }

    /// Destroys the client on a thread of its own: runs `farewell` first, then ends threads and connections. Call it once.
    ///
    /// Waits for it at most ``patience``: now and then the library does not end a client whose topic was deleted or made
    /// anew meanwhile (librdkafka 2.0: one of its threads waits for a reference that nobody gives back), and its successor
    /// must not wait for that.
    func destroy(_ farewell: @escaping @Sendable (OpaquePointer) -> Void = { _ in }) async {
        await Self.end {
            farewell(self.pointer)
            rd_kafka_destroy_flags(self.pointer, RD_KAFKA_DESTROY_F_NO_CONSUMER_CLOSE)
        }
    }

    /// How long a client may take to end.
    private static let patience = Duration.seconds(10)

    @Loop private static func end(_ work: @escaping @Sendable () -> Void) async {
        let ended = LoopWait()
        Offload.runApart {
            work()
            Task { @Loop in ended.resume() }
        }
        let timer = EventLoop.shared.schedule(after: patience) { ended.resume() }
        // In a task of its own, because the caller's may be cancelled.
        _ = await Loop.task { try await ended.wait() }.result
        EventLoop.shared.cancel(timer)
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

/// Lends a C call a buffer for an error message; returns the call's result and the message.
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
            // `run` throws only what the work throws, and this work does not throw.
            preconditionFailure("Blocking work that cannot fail has failed.")
        }
    }
}

extension KafkaClient {
    /// Hands a record to the library, which copies it; never blocks.
    func produce(_ record: OutgoingRecord, opaque: UInt) -> rd_kafka_resp_err_t {
        let headers = nativeHeaders(record.headers)
        let native = record.key.withBytes { key in
            record.value.withBytes { value in
                ckafka_produce(
                    pointer, record.topic, record.partition, key.start, key.count, value.start, value.count, headers,
                    opaque)
            }
        }
        // The library owns the headers only if it took the record.
        if native != RD_KAFKA_RESP_ERR_NO_ERROR, let headers { rd_kafka_headers_destroy(headers) }
        return native
    }

    private func nativeHeaders(_ headers: RecordHeaders) -> OpaquePointer? {
        if headers.count == 0 { return nil }
        let native: OpaquePointer = rd_kafka_headers_new(headers.count)
        // Fails only for names and values that exceed the protocol's 32-bit lengths.
        headers.withEach { name, value, size in _ = rd_kafka_header_add(native, name, -1, value, size) }
        return native
    }
}

extension [UInt8]? {
    /// Lends the bytes: a null pointer for nil, a non-null one for an empty array.
    fileprivate func withBytes<T>(_ body: ((start: UnsafeRawPointer?, count: Int)) -> T) -> T {
        guard let bytes = self else { return body((nil, 0)) }
        if bytes.isEmpty {
            return withUnsafeBytes(of: UInt8(0)) { body(($0.baseAddress, 0)) }
        }
        return bytes.withUnsafeBytes { body(($0.baseAddress, $0.count)) }
    }
}
