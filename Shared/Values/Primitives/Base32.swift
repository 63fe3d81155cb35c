/// Base 32 (RFC 4648, section 6) without padding, for what people copy by hand.
package enum Base32 {
    private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)

    /// The digits of some bytes, in capitals.
    package static func encode(_ bytes: some Collection<UInt8>) -> String {
        var text: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            count += 8
            while count >= 5 {
                count -= 5
                text.append(digits[Int(bits >> UInt32(count) & 31)])
            }
            bits &= (1 << UInt32(count)) - 1
        }
        if count > 0 { text.append(digits[Int(bits << UInt32(5 - count) & 31)]) }
        return String(decoding: text, as: UTF8.self)
    }

    /// The bytes for digits of either case; nil for any other character, or for digits that no bytes have.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var count = 0
        for character in text.utf8 {
            let capital = (0x61...0x7A).contains(character) ? character - 0x20 : character
            guard let value = digits.firstIndex(of: capital) else { return nil }
            bits = bits << 5 | UInt32(value)
            count += 5
            if count >= 8 {
                count -= 8
                bytes.append(UInt8(bits >> UInt32(count) & 0xFF))
            }
            bits &= (1 << UInt32(count)) - 1
        }
        return count < 5 && bits == 0 ? bytes : nil
    }
}
