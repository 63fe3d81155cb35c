extension Duration {
    /// Whole milliseconds, rounded towards zero and clamped to `Int64`.
    package var milliseconds: Int64 {
        Self.scaled(components, perSecond: 1_000)
    }

    /// Whole microseconds, rounded towards zero and clamped to `Int64`.
    package var microseconds: Int64 {
        Self.scaled(components, perSecond: 1_000_000)
    }

    /// A duration from a configuration value: a whole number and one of `us`, `ms`, `s`, `m`, `h`, `d`, as in
    /// `250ms`, `2s` or `15m`; nil for anything else, including a sign, a fraction or white space.
    package init?(configuration text: some StringProtocol) {
        let digits = text.utf8.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard let count = Int64(Substring(text).prefix(digits.count)) else { return nil }
        let microseconds: Int64
        switch Substring(text).dropFirst(digits.count) {
        case "us": microseconds = 1
        case "ms": microseconds = 1_000
        case "s": microseconds = 1_000_000
        case "m": microseconds = 60_000_000
        case "h": microseconds = 3_600_000_000
        case "d": microseconds = 86_400_000_000
        default: return nil
        }
        let (product, overflow) = count.multipliedReportingOverflow(by: microseconds)
        guard !overflow else { return nil }
        self = .microseconds(product)
    }

    private static func scaled(_ parts: (seconds: Int64, attoseconds: Int64), perSecond: Int64) -> Int64 {
        let (whole, tooMany) = parts.seconds.multipliedReportingOverflow(by: perSecond)
        let fraction = parts.attoseconds / (1_000_000_000_000_000_000 / perSecond)
        let (sum, overflow) = whole.addingReportingOverflow(fraction)
        guard !tooMany, !overflow else { return parts.seconds < 0 ? .min : .max }
        return sum
    }
}
