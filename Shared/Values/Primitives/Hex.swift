/// Base 16 (RFC 4648, section 8): two digits for each byte.
package enum Hex {
    /// The lower-case digits of some bytes.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        String(unsafeUninitializedCapacity: bytes.count * 2) { buffer in
            var position = 0
            for byte in bytes {
                buffer[position] = digit(byte >> 4)
                buffer[position + 1] = digit(byte & 0xF)
                position += 2
            }
            return position
        }
    }

    /// The bytes for digits of either case; nil for an odd number of digits or any other character.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var upper: UInt8?
        bytes.reserveCapacity(text.utf8.count / 2)
        for character in text.utf8 {
            guard let value = value(of: character) else { return nil }
            if let half = upper {
                bytes.append(half << 4 | value)
                upper = nil
            } else {
                upper = value
            }
        }
        return upper == nil ? bytes : nil
    }

    /// The lower-case character of a value from 0 to 15.
    static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") - 10 + value
    }

    /// The value of a digit of either case, or nil.
    static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
