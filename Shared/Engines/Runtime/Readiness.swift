import CEpoll

/// What changed on a descriptor.
package struct Readiness: Sendable {
    /// Reading will not block (data, end of file or an error).
    package let readable: Bool
    /// Writing will not block (room or an error).
    package let writable: Bool
    /// The peer has closed its side, or the descriptor has an error.
    package let hungUp: Bool

    init(epollEvents events: UInt32) {
        let closed = EPOLLHUP.rawValue | EPOLLERR.rawValue | EPOLLRDHUP.rawValue
        hungUp = events & closed != 0
        readable = events & (EPOLLIN.rawValue | closed) != 0
        writable = events & (EPOLLOUT.rawValue | EPOLLHUP.rawValue | EPOLLERR.rawValue) != 0
    }
}

/// An owner of a descriptor that is notified of changes.
package protocol DescriptorHandler: AnyObject, Sendable {
    /// Called on the loop after a change; must not block.
    @Loop func ready(_ readiness: Readiness)
}

/// When a handler is called.
package enum Interest: Sendable, Equatable {
    /// Once for every change of readability, writability or hang-up (edge-triggered). The handler must read or write
    /// until the kernel would block, or remember that it has not.
    case changes
    /// Repeatedly while reading or writing would not block (level-triggered); for libraries that do not drain a
    /// descriptor.
    case level(reading: Bool, writing: Bool)

    var epollEvents: UInt32 {
        switch self {
        case .changes: EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
        case .level(let reading, let writing):
            (reading ? EPOLLIN.rawValue | EPOLLRDHUP.rawValue : 0) | (writing ? EPOLLOUT.rawValue : 0)
        }
    }
}
