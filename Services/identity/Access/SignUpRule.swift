package import Configuration
package import HTTPServer
import Primitives

/// Who may sign up, and who is let in.
///
/// | Variable | Type | Default | Meaning |
/// |---|---|---|---|
/// | `SIGN_UP` | choice | open | who may sign up, in whatever way: `open` anybody, `closed` nobody, `allow-listed` those of the list, which must be there |
/// | `SIGN_IN_ALLOWED_EMAILS` | text | none | e-mail addresses with commas or spaces between; where there are any, only accounts with one of them, confirmed, are let in and kept in |
/// | `SIGN_IN_ALLOWED_EMAILS_FILE` | file | none | the same list, up to 1 MiB, in lines; a line that begins with `#` is a comment |
package struct SignUpRule: Sendable {
    /// The raw values are those of `SIGN_UP`.
    private enum Mode: String, CaseIterable {
        case open, closed
        case allowListed = "allow-listed"
    }

    private let mode: Mode
    /// The addresses in small letters; nil when there is no list.
    private let allowed: Set<String>?

    /// Reads the variables; problems stay in `environment` until it is finished.
    package init(_ environment: Environment) {
        mode = environment.choice("SIGN_UP", default: Mode.open)
        let text = environment.optional("SIGN_IN_ALLOWED_EMAILS")
        let file = environment.file("SIGN_IN_ALLOWED_EMAILS_FILE")
        if text != nil, file != nil {
            environment.refuse(
                "SIGN_IN_ALLOWED_EMAILS", "and SIGN_IN_ALLOWED_EMAILS_FILE are both set; unset one of them.")
        }
        let words = (text.map { [$0] } ?? Self.lines(file)).flatMap { line in
            line.split { $0 == "," || $0.isWhitespace }.map { $0.lowercased() }
        }
        for word in words where (try? EmailAddress(word)) == nil {
            environment.refuse(
                text != nil ? "SIGN_IN_ALLOWED_EMAILS" : "SIGN_IN_ALLOWED_EMAILS_FILE",
                "has what is no e-mail address, such as anna@example.org; correct it.")
            break
        }
        allowed = text == nil && file == nil ? nil : Set(words)
        if allowed?.isEmpty ?? (mode == .allowListed) {
            environment.refuse(
                "SIGN_UP", "is allow-listed, or there is a list, but it has no address; fill SIGN_IN_ALLOWED_EMAILS.")
        }
    }

    private static func lines(_ file: [UInt8]?) -> [String] {
        String(decoding: file ?? [], as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    /// Whether only listed addresses are let in, so that an address has to be confirmed before.
    package var hasList: Bool { allowed != nil }

    /// Whether anybody may sign up at all, and whether that is everybody.
    package var isOpen: Bool { mode != .closed }
    package var isOpenToAll: Bool { mode == .open && !hasList }

    /// Refuses a sign-up that is not wanted here.
    ///
    /// - Parameter address: in small letters; nil without one, as an anonymous device is.
    /// - Throws: the problem `sign-up-closed` (403), or `address-not-allowed` (403).
    package func requireOpen(to address: String?) throws(Problem) {
        if mode == .closed { throw Problem(.signUpClosed) }
        guard hasList else { return }
        guard let address else { throw Problem(.signUpClosed) }
        try requireListed(address)
    }

    /// Refuses an account whose address is not on the list.
    ///
    /// - Parameter address: in small letters; nil without one.
    /// - Throws: the problem `address-not-allowed` (403).
    package func requireListed(_ address: String?) throws(Problem) {
        guard let allowed else { return }
        guard let address, allowed.contains(address) else { throw Problem(.addressNotAllowed) }
    }
}
