package import Primitives

/// A mail address: letters, digits and the few symbols of RFC 5321's dot-strings, so that it can be used in headers and
/// commands unchanged.
package struct MailAddress: Sendable, Equatable {
    /// The display name before the address.
    package let name: String?
    package let address: String

    /// The address; nil if it cannot be written without quotes.
    package init?(_ address: String, name: String? = nil) {
        let parts = address.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, address.utf8.count <= 254, Self.isDotString(parts[0].utf8, also: "!#$%&'*+-/=?^_`{|}~"),
            parts[0].utf8.count <= 64, Self.isDotString(parts[1].utf8, also: "-")
        else { return nil }
        self.address = address
        self.name = name
    }

    /// The address in a configuration value, `NAME <ADDRESS>` or `ADDRESS`; nil for anything else.
    package init?(configuration text: String) {
        guard text.hasSuffix(">"), let start = text.lastIndex(of: "<") else {
            self.init(text)
            return
        }
        let name = text[..<start].split(separator: " ").joined(separator: " ")
        self.init(String(text[text.index(after: start)...].dropLast()), name: name.isEmpty ? nil : name)
    }

    /// The part after the `@`.
    var domain: Substring { address.split(separator: "@").last ?? "" }

    private static func isDotString(_ bytes: Substring.UTF8View, also signs: String) -> Bool {
        let atoms = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return atoms.allSatisfy { atom in
            !atom.isEmpty
                && atom.allSatisfy { byte in
                    switch byte {
                    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                        UInt8(ascii: "0")...UInt8(ascii: "9"):
                        true
                    default: signs.utf8.contains(byte)
                    }
                }
        }
    }
}

/// A mail to one person, in plain text.
package struct MailMessage: Sendable, Equatable {
    package var recipient: MailAddress
    package var subject: String
    /// Lines end with a line feed only.
    package var text: String

    package init(to recipient: MailAddress, subject: String, text: String) {
        self.recipient = recipient
        self.subject = subject
        self.text = text
    }
}

/// A mail to send, with its sender.
package struct OutgoingMail: Sendable {
    /// The same for each attempt, so that a receiver can recognize a second copy (RFC 5322, section 3.6.4).
    let id: UUID
    /// Whose mail it is.
    let owner: UUID
    let sender: MailAddress
    let message: MailMessage
    let moment: Timestamp

    package init(id: UUID, owner: UUID, from sender: MailAddress, _ message: MailMessage, at moment: Timestamp) {
        self.id = id
        self.owner = owner
        self.sender = sender
        self.message = message
        self.moment = moment
    }
}
