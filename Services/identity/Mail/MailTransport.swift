package import Primitives
import Runtime

/// Where mail leaves.
package enum MailTransport: Sendable, Equatable {
    /// A folder with a folder for each owner, for development.
    case folder(String)
    /// A mail server.
    case server(MailServer)

    /// For work that blocks on the network or the disk; one thread, because mails go one after another.
    private static let thread = Offload(threads: 1)

    /// Hands a mail over. When it returns, the mail is somebody else's to keep or on the disk.
    ///
    /// - Throws: ``MailError``.
    package func send(_ mail: OutgoingMail) async throws {
        try await Self.thread.run { [self] in
            switch self {
            case .folder(let path): try MailFolder(path).write(mail)
            case .server(let server): try server.send(mail)
            }
        }
    }

    /// Removes what is kept here of an owner's mail; what a server has taken cannot be called back.
    ///
    /// - Throws: ``MailError``.
    package func forget(_ owner: UUID) async throws {
        guard case .folder(let path) = self else { return }
        try await Self.thread.run { try MailFolder(path).remove(owner) }
    }
}
