extension UUID: CustomStringConvertible {
    /// Where the hyphens stand in the 36 characters of the text form.
    private static let hyphens: (Int, Int, Int, Int) = (8, 13, 18, 23)

    /// An identifier from its text form `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
    ///
    /// Digits of either case are read (RFC 9562, section 4); braces, missing hyphens and white space are refused.
    package init?(_ string: some StringProtocol) {
        var high: UInt64 = 0
        var low: UInt64 = 0
        var position = 0
        var digits = 0
        for character in string.utf8 {
            switch position {
            case Self.hyphens.0, Self.hyphens.1, Self.hyphens.2, Self.hyphens.3:
                guard character == UInt8(ascii: "-") else { return nil }
            default:
                guard position < 36, let digit = Hex.value(of: character) else { return nil }
                if digits < 16 {
                    high = high << 4 | UInt64(digit)
                } else {
                    low = low << 4 | UInt64(digit)
                }
                digits += 1
            }
            position += 1
        }
        guard position == 36 else { return nil }
        self.init(high: high, low: low)
    }

    /// The lower-case hyphenated text form, 36 characters.
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            var position = 0
            for digit in 0..<32 {
                switch position {
                case Self.hyphens.0, Self.hyphens.1, Self.hyphens.2, Self.hyphens.3:
                    buffer[position] = UInt8(ascii: "-")
                    position += 1
                default:
                    break
                }
                let word = digit < 16 ? high : low
                let nibble = UInt8(truncatingIfNeeded: word >> UInt64(60 - 4 * (digit & 15))) & 0xF
                buffer[position] = Hex.digit(nibble)
                position += 1
            }
            return 36
        }
    }
}
