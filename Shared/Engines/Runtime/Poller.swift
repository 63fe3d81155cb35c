import CEpoll
import Glibc

/// The loop's epoll descriptor: which descriptors are watched, by whom, and the wait for them.
///
/// Use everything but ``wake()`` on the loop's thread only.
final class Poller {
    private struct Registration {
        let handler: any DescriptorHandler
        let generation: UInt32
    }

    private let epoll: Int32
    private let wakeDescriptor: Int32
    private var registrations: [Int32: Registration] = [:]
    private var lastGeneration: UInt32 = 0
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init() {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeDescriptor = eventfd(0, Int32(EFD_CLOEXEC | EFD_NONBLOCK))
        precondition(epoll >= 0 && wakeDescriptor >= 0, "The kernel gave no epoll descriptor (errno \(errno)).")
        var event = epoll_event()
        event.events = EPOLLIN.rawValue
        event.data.u64 = Self.key(wakeDescriptor, generation: 0)
        epoll_ctl(epoll, EPOLL_CTL_ADD, wakeDescriptor, &event)
    }

    /// Ends a wait; can be called from any thread.
    func wake() {
        var one: UInt64 = 1
        _ = write(wakeDescriptor, &one, 8)
    }

    func register(_ descriptor: Int32, for interest: Interest, handler: any DescriptorHandler) {
        // Descriptor numbers are reused after closing: the generation distinguishes a late event from one of the new owner.
        lastGeneration &+= 1
        var event = epoll_event()
        event.events = interest.epollEvents
        event.data.u64 = Self.key(descriptor, generation: lastGeneration)
        let isKnown =
            registrations.updateValue(
                Registration(handler: handler, generation: lastGeneration), forKey: descriptor) != nil
        // Tries the other operation too, for libraries that close a descriptor before unregistering it.
        let operations = isKnown ? [EPOLL_CTL_MOD, EPOLL_CTL_ADD] : [EPOLL_CTL_ADD, EPOLL_CTL_MOD]
        for operation in operations where epoll_ctl(epoll, operation, descriptor, &event) == 0 { return }
        preconditionFailure("The descriptor \(descriptor) cannot be watched (errno \(errno)).")
    }

    func unregister(_ descriptor: Int32) {
        guard registrations.removeValue(forKey: descriptor) != nil else { return }
        var event = epoll_event()
        epoll_ctl(epoll, EPOLL_CTL_DEL, descriptor, &event)
    }

    /// Waits for events for at most `milliseconds` (-1: forever) and calls their handlers.
    func wait(milliseconds: Int32) {
        let count = events.withUnsafeMutableBufferPointer { buffer in
            epoll_wait(epoll, buffer.baseAddress, Int32(buffer.count), milliseconds)
        }
        // Negative after a signal; the loop simply continues.
        for index in 0..<max(0, Int(count)) { dispatch(events[index]) }
    }

    private func dispatch(_ event: epoll_event) {
        let key = event.data.u64
        let descriptor = Int32(truncatingIfNeeded: key)
        if descriptor == wakeDescriptor {
            var count: UInt64 = 0
            _ = read(wakeDescriptor, &count, 8)
            return
        }
        // An earlier handler of this round may have closed this descriptor.
        guard let registration = registrations[descriptor], registration.generation == UInt32(key >> 32) else { return }
        let readiness = Readiness(epollEvents: event.events)
        let handler = registration.handler
        Loop.assumeIsolated { handler.ready(readiness) }
    }

    private static func key(_ descriptor: Int32, generation: UInt32) -> UInt64 {
        UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor))
    }
}
