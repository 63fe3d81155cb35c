extension UUID: CustomStringConvertible {
    /// The indices of the hyphens in the 36 characters of the text form.
    private static let hyphens: (Int, Int, Int, Int) = (8, 13, 18, 23)

    /// An identifier from its text form `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx`.
    ///
    /// Accepts digits of either case (RFC 9562, section 4); refuses braces, missing hyphens and white space.
    package init?(_ string: String) {
        var string = string
        guard let made = string.withUTF8(Self.read) else { return nil }
        self = made
    }

    /// The same for any other string type. Generic code is not specialized across modules, so ``init(_:)`` for `String`,
    /// which every event needs five times, has its own function.
    package init?(_ string: some StringProtocol) {
        self.init(String(string))
    }

    /// The same from UTF-8 bytes.
    package init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard let made = Self.read(text) else { return nil }
        self = made
    }

    private static func read(_ text: UnsafeBufferPointer<UInt8>) -> UUID? {
        guard text.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for position in 0..<36 {
            switch position {
            case hyphens.0, hyphens.1, hyphens.2, hyphens.3:
                guard text[position] == UInt8(ascii: "-") else { return nil }
            default:
                guard let digit = Hex.value(of: text[position]) else { return nil }
                if digits < 16 {
                    high = high << 4 | UInt64(digit)
                } else {
                    low = low << 4 | UInt64(digit)
                }
                digits += 1
            }
        }
        return UUID(high: high, low: low)
    }

    /// The lower-case hyphenated text form, 36 characters.
    package var description: String {
        String(unsafeUninitializedCapacity: 36) { buffer in
            write(to: buffer)
            return 36
        }
    }

    /// Appends the UTF-8 bytes of ``description``.
    package func write(to bytes: inout [UInt8]) {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 36) { buffer in
            write(to: buffer)
            bytes.append(contentsOf: UnsafeBufferPointer(buffer))
        }
    }

    private func write(to buffer: UnsafeMutableBufferPointer<UInt8>) {
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
    }
}
