package import HTTPServer

/// An e-mail address as somebody typed it. Only ASCII, so that no two addresses look the same.
package struct EmailAddress: Sendable {
    package let text: String
    /// The same for every way of writing the address in capital and small letters.
    package let key: String

    /// - Throws: a problem 422 when it has not the form of an address.
    package init(_ text: String) throws(Problem) {
        let parts = text.split(separator: "@", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...64).contains(parts[0].utf8.count), !parts[1].isEmpty, text.utf8.count <= 254,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !parts[1].hasPrefix("."), !parts[1].hasSuffix("."),
            parts[1].utf8.allSatisfy({ $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: ";") })
        else { throw .unacceptable("email-invalid", "Send an address such as anna@example.org.") }
        self.text = text
        key = text.lowercased()
    }
}

/// Names as people write them.
package enum DisplayName {
    /// The name without white space around it; nothing for an empty one.
    ///
    /// - Throws: a problem 422 when it is too long or has control characters.
    package static func checked(_ text: String?) throws(Problem) -> String? {
        guard let text else { return nil }
        let name = String(String(text.drop { $0.isWhitespace }.reversed()).drop { $0.isWhitespace }.reversed())
        guard name.unicodeScalars.count <= 100,
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw .unacceptable("display-name-invalid", "Send a name of at most 100 characters on one line.") }
        return name.isEmpty ? nil : name
    }
}
