import Glibc

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

/// Something that owns a descriptor and wants to hear of its changes.
package protocol DescriptorHandler: AnyObject {
    /// Called on the loop after a change; must not block.
    @Loop func ready(_ readiness: Readiness)
}
