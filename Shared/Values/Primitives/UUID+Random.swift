extension UUID {
    private static let versionMask: UInt64 = 0xFFFF_FFFF_FFFF_0FFF
    private static let variantMask: UInt64 = 0x3FFF_FFFF_FFFF_FFFF
    private static let variant: UInt64 = 0x8000_0000_0000_0000
    private static let largestMillisecond: Int64 = 0xFFFF_FFFF_FFFF

    /// The time prefix of the last identifier made by ``v7()``: 48 bits of milliseconds, 12 bits of fraction.
    private static let lastPrefix = Locked<UInt64>(0)

    /// Sets version and RFC 9562 variant on 128 given bits.
    static func stamped(high: UInt64, low: UInt64, version: UInt64) -> UUID {
        UUID(high: high & versionMask | version << 12, low: low & variantMask | variant)
    }

    /// A random identifier (RFC 9562, section 5.4), from the system's cryptographic random source.
    package static func v4() -> UUID {
        var source = SystemRandomNumberGenerator()
        return stamped(high: source.next(), low: source.next(), version: 4)
    }

    /// A time-ordered identifier (RFC 9562, section 5.7) for a given moment.
    ///
    /// The twelve bits after the milliseconds hold the fraction of the millisecond (section 6.2, method 3), so the
    /// order is accurate to about a quarter of a microsecond. Moments before 1970 or after the year 10889 are clamped to
    /// the format's range.
    /// - Parameters:
    ///   - moment: the time to encode.
    ///   - random: the random part; its low 62 bits are used.
    package static func v7(at moment: Timestamp, random: UInt64) -> UUID {
        v7(prefix: prefix(of: moment), random: random)
    }

    /// A time-ordered identifier for now, greater than every earlier one of this process, even if the clock is set back.
    package static func v7() -> UUID {
        var source = SystemRandomNumberGenerator()
        let now = prefix(of: Timestamp.now())
        let next = lastPrefix.withLock { last in
            last = max(now, last + 1)
            return last
        }
        return v7(prefix: next, random: source.next())
    }

    /// When a version 7 identifier was made, in whole milliseconds; nil for other versions.
    package var timestamp: Timestamp? {
        version == 7 ? Timestamp(milliseconds: Int64(high >> 16)) : nil
    }

    private static func prefix(of moment: Timestamp) -> UInt64 {
        let milliseconds = min(max(moment.milliseconds, 0), largestMillisecond)
        let beyond = max(moment.microseconds - milliseconds * 1_000, 0)
        return UInt64(milliseconds) << 12 | UInt64(min(beyond, 999) * 4_096 / 1_000)
    }

    private static func v7(prefix: UInt64, random: UInt64) -> UUID {
        stamped(high: (prefix >> 12) << 16 | prefix & 0xFFF, low: random, version: 7)
    }
}
