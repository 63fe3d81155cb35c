/// The conversion that both base 64 alphabets share.
struct Base64Codec: Sendable {
    private static let padding = UInt8(ascii: "=")
    private static let invalid: UInt8 = 0xFF

    private let alphabet: [UInt8]
    private let values: [UInt8]
    private let padded: Bool

    /// A codec with the given characters for the values 62 and 63.
    init(symbols: (Unicode.Scalar, Unicode.Scalar), padded: Bool) {
        let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
        alphabet = letters + [UInt8(ascii: symbols.0), UInt8(ascii: symbols.1)]
        var values = [UInt8](repeating: Self.invalid, count: 256)
        for (value, character) in alphabet.enumerated() {
            values[Int(character)] = UInt8(value)
        }
        self.values = values
        self.padded = padded
    }

    func encode(_ bytes: [UInt8]) -> String {
        String(unsafeUninitializedCapacity: (bytes.count + 2) / 3 * 4) { output in
            var written = 0
            for start in stride(from: 0, to: bytes.count, by: 3) {
                let count = min(3, bytes.count - start)
                var group = UInt32(bytes[start]) << 16
                if count > 1 { group |= UInt32(bytes[start + 1]) << 8 }
                if count > 2 { group |= UInt32(bytes[start + 2]) }
                for index in 0..<4 {
                    if index <= count {
                        output[written] = alphabet[Int(group >> UInt32(18 - 6 * index) & 0x3F)]
                    } else if padded {
                        output[written] = Self.padding
                    } else {
                        break
                    }
                    written += 1
                }
            }
            return written
        }
    }

    func decode(_ text: [UInt8]) -> [UInt8]? {
        guard let length = unpaddedLength(text), length % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(length * 3 / 4)
        var group: UInt32 = 0
        var bits: UInt32 = 0
        for index in 0..<length {
            let value = values[Int(text[index])]
            guard value != Self.invalid else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> bits))
                group &= 1 << bits - 1
            }
        }
        // Leftover bits must be zero, or two strings would decode to the same bytes (RFC 4648, section 3.5).
        return group == 0 ? bytes : nil
    }

    /// The number of characters before the padding; nil if the padding is not what this codec writes.
    private func unpaddedLength(_ text: [UInt8]) -> Int? {
        guard padded else { return text.count }
        guard text.count % 4 == 0 else { return nil }
        let end = text.lastIndex { $0 != Self.padding }.map { $0 + 1 } ?? 0
        return text.count - end <= 2 ? end : nil
    }
}
