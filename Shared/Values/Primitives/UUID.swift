/// A universally unique identifier (RFC 9562): sixteen bytes, compared in byte order.
///
/// Version 7 values made by ``v7()`` sort by the time they were made.
package struct UUID: Hashable, Comparable, Sendable {
    /// The first eight bytes, most significant first.
    package let high: UInt64
    /// The last eight bytes, most significant first.
    package let low: UInt64

    /// The all-zero identifier (RFC 9562, section 5.9).
    package static let zero = UUID(high: 0, low: 0)

    /// An identifier from its two halves.
    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An identifier from sixteen bytes in network order; nil for any other count.
    package init?(bytes: some Collection<UInt8>) {
        guard bytes.count == 16 else { return nil }
        var words: (high: UInt64, low: UInt64) = (0, 0)
        for (index, byte) in bytes.enumerated() {
            if index < 8 {
                words.high = words.high << 8 | UInt64(byte)
            } else {
                words.low = words.low << 8 | UInt64(byte)
            }
        }
        self.init(high: words.high, low: words.low)
    }

    /// The sixteen bytes in network order.
    package var bytes: [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { buffer, count in
            for index in 0..<8 {
                let shift = UInt64(56 - 8 * index)
                buffer[index] = UInt8(truncatingIfNeeded: high >> shift)
                buffer[index + 8] = UInt8(truncatingIfNeeded: low >> shift)
            }
            count = 16
        }
    }

    /// The version number in the identifier, 0 to 15; meaningful for identifiers of the RFC 9562 variant.
    package var version: Int { Int(high >> 12 & 0xF) }

    package static func < (left: UUID, right: UUID) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}
