/// Why a mail was not sent.
package struct MailError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure; the raw value is the code under which a mail is parked.
    package enum Code: String, Sendable {
        /// The server cannot be reached or did not answer in time.
        case unreachable
        /// The server's certificate or the TLS handshake was not accepted, or the server offers no TLS.
        case untrusted
        /// The server does not accept the user and password.
        case loginRefused = "login-refused"
        /// The server permanently refuses this mail or does not know its recipient.
        case refused
        /// The server refused the mail temporarily.
        case deferred
        /// The folder cannot be written.
        case folder
        /// The recipient's address cannot be used for mail.
        case address
        /// The mail cannot be composed.
        case unreadable
    }

    package let code: Code
    /// A sentence that says what to do next; it contains neither addresses nor the password.
    package let description: String

    package init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// Whether a retry is pointless.
    package var isFinal: Bool { code == .refused || code == .address }
}
