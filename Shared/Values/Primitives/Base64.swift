/// Base 64 with padding (RFC 4648, section 4).
package enum Base64 {
    private static let codec = Base64Codec(symbols: ("+", "/"), padded: true)

    /// The encoded bytes, padded with `=` to a multiple of four characters.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        codec.encode(Array(bytes))
    }

    /// The decoded bytes; nil for white space, wrong padding, other alphabets or set bits beyond the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        codec.decode(Array(text.utf8))
    }
}

/// Base 64 with the URL-safe alphabet and no padding (RFC 4648, section 5; RFC 7515, section 2).
package enum Base64URL {
    private static let codec = Base64Codec(symbols: ("-", "_"), padded: false)

    /// The encoded bytes, without padding.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        codec.encode(Array(bytes))
    }

    /// The decoded bytes; nil for white space, padding, other alphabets or set bits beyond the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        codec.decode(Array(text.utf8))
    }
}
