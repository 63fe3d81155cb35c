extension Duration {
    /// Whole nanoseconds, clamped to between 0 and a hundred years, so that adding them to a clock cannot overflow.
    package var nanosecondsClamped: Int64 {
        let limit: Int64 = 100 * 365 * 86_400
        let (seconds, attoseconds) = components
        if seconds < 0 || attoseconds < 0 { return 0 }
        if seconds >= limit { return limit * 1_000_000_000 }
        return seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }
}
