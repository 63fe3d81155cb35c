package import Primitives
import Runtime

/// How mail is delivered.
package enum MailTransport: Sendable, Equatable {
    /// To a folder with a subfolder for each owner, for development.
    case folder(String)
    /// To a mail server.
    case server(MailServer)

    /// For work that blocks on the network or the disk; one thread, because mails are sent one after another.
    private static let thread = Offload(threads: 1)

    /// Delivers a mail. When it returns, the mail is on disk or with the server.
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

    /// Removes an owner's stored mails; what a server has accepted cannot be recalled.
    ///
    /// - Throws: ``MailError``.
    package func forget(_ owner: UUID) async throws {
        guard case .folder(let path) = self else { return }
        try await Self.thread.run { try MailFolder(path).remove(owner) }
    }
}
