package import HTTPServer
import Mail
import ServiceKit

/// An e-mail address as somebody typed it: the dot-strings of RFC 5321, section 4.1.2. Only ASCII, so that no two
/// addresses look the same, and nothing that would need quotes in a mail.
package struct EmailAddress: Sendable {
    package let text: String
    /// The same for every way of writing the address in capital and small letters.
    package let key: String

    /// - Throws: a problem 422 when it has not the form of an address.
    package init(_ text: String) throws(Problem) {
        guard MailAddress(text) != nil else {
            throw Problem(.emailInvalid)
        }
        self.text = text
        key = text.lowercased()
    }
}

/// Names as people write them.
package enum DisplayName {
    /// The name without white space around it; nil for an empty one.
    ///
    /// - Throws: a problem 422 when it is too long or has control characters.
    package static func checked(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        let name = String(String(text.drop { $0.isWhitespace }.reversed()).drop { $0.isWhitespace }.reversed())
        guard name.unicodeScalars.count <= 100,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw Problem(.displayNameInvalid) }
        return name.isEmpty ? nil : name
    }
}
