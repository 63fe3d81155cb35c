import CKafka
import Glibc
import Runtime

/// The events of one librdkafka queue, announced on the loop by an eventfd instead of a waiting thread.
///
/// The library writes to the eventfd when an empty queue gets its first event, so the handler must take events until
/// there are none.
@Loop final class QueueEvents: DescriptorHandler {
    /// Called when there may be events.
    var onReady: (@Loop () -> Void)?

    private var queue: OpaquePointer?
    private let descriptor: Int32

    /// Takes ownership of a queue.
    init(_ queue: OpaquePointer) {
        self.queue = queue
        descriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(descriptor >= 0, "The kernel gave no eventfd (errno \(errno)).")
        EventLoop.shared.register(descriptor, handler: self)
        var one: UInt64 = 1
        rd_kafka_queue_io_event_enable(queue, descriptor, &one, 8)
        // A client without a broker may have queued an error already; then no later event would be the first.
        _ = write(descriptor, &one, 8)
    }

    func ready(_ readiness: Readiness) {
        // The eventfd is not read: each write is a new edge, and reading it would be an extra call.
        if readiness.readable { onReady?() }
    }

    /// Calls `body` with each event that is there now until it returns false; returns whether the queue is empty.
    ///
    /// The event is valid only during the call.
    @discardableResult
    func take(while body: (OpaquePointer) -> Bool) -> Bool {
        while let queue, let event = rd_kafka_queue_poll(queue, 0) {
            defer { rd_kafka_event_destroy(event) }
            if !body(event) { return false }
        }
        return true
    }

    /// Runs `body` with the queue; nil if it is closed.
    func withQueue<T>(_ body: (OpaquePointer) -> T) -> T? { queue.map(body) }

    /// Releases the queue; events still in it are lost. A second call does nothing.
    func close() {
        guard let queue else { return }
        self.queue = nil
        onReady = nil
        rd_kafka_queue_io_event_enable(queue, -1, nil, 0)
        rd_kafka_queue_destroy(queue)
        EventLoop.shared.unregister(descriptor)
        _ = Glibc.close(descriptor)
    }
}
