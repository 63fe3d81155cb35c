/// Why a mail did not go out.
package struct MailError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure; the raw value is the code under which a mail is parked.
    package enum Code: String, Sendable {
        /// The server cannot be reached or did not answer in time.
        case unreachable
        /// The server's certificate or the TLS handshake is not acceptable, or it offers no TLS.
        case untrusted
        /// The server does not accept the user and password.
        case loginRefused = "login-refused"
        /// The server does not want this mail or does not know its recipient; it would not want it later either.
        case refused
        /// The server said no for now.
        case deferred
        /// The folder cannot be written.
        case folder
        /// The recipient's address cannot be used for mail.
        case address
        /// The mail cannot be put together.
        case unreadable
    }

    package let code: Code
    /// A sentence that says what to do next; it holds neither addresses nor the password.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether trying again is pointless.
    package var isFinal: Bool { code == .refused || code == .address }
}
