/// SHA-1 (RFC 3174), which version 5 identifiers are defined with. Not collision-resistant: never sign with it.
package enum SHA1 {
    private static let blockLength = 64

    /// The 20-byte hash of a message.
    package static func digest(_ message: [UInt8]) -> [UInt8] {
        let padded = pad(message)
        var state: State = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        for start in stride(from: 0, to: padded.count, by: blockLength) {
            absorb(padded, from: start, into: &state)
        }
        var output: [UInt8] = []
        output.reserveCapacity(20)
        for index in state.indices {
            for shift in stride(from: UInt32(24), through: 0, by: -8) {
                output.append(UInt8(truncatingIfNeeded: state[index] >> shift))
            }
        }
        return output
    }

    private typealias State = InlineArray<5, UInt32>

    /// The message, a one bit, zeros and the length in bits, padded to whole blocks (section 4).
    private static func pad(_ message: [UInt8]) -> [UInt8] {
        let length = (message.count + 9 + blockLength - 1) / blockLength * blockLength
        var padded = [UInt8](repeating: 0, count: length)
        padded.replaceSubrange(0..<message.count, with: message)
        padded[message.count] = 0x80
        let bits = UInt64(message.count) * 8
        for index in 0..<8 {
            padded[length - 1 - index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index))
        }
        return padded
    }

    /// One round of the compression function (section 6.1).
    private static func absorb(_ bytes: [UInt8], from start: Int, into state: inout State) {
        var words = InlineArray<80, UInt32>(repeating: 0)
        for index in 0..<16 {
            let at = start + 4 * index
            words[index] =
                UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8
                | UInt32(bytes[at + 3])
        }
        for index in 16..<80 {
            words[index] = rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1)
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for index in 0..<80 {
            let (mix, constant) = round(index, b, c, d)
            let next = rotate(a, 5) &+ mix &+ e &+ words[index] &+ constant
            (a, b, c, d, e) = (next, a, rotate(b, 30), c, d)
        }
        state[0] &+= a
        state[1] &+= b
        state[2] &+= c
        state[3] &+= d
        state[4] &+= e
    }

    private static func round(_ index: Int, _ b: UInt32, _ c: UInt32, _ d: UInt32) -> (UInt32, UInt32) {
        switch index {
        case ..<20: (b & c | ~b & d, 0x5A82_7999)
        case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
        case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
        default: (b ^ c ^ d, 0xCA62_C1D6)
        }
    }

    private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
        word << count | word >> (32 - count)
    }
}
