package import Primitives

extension Streaks {
    /// The streak that has not ended at a moment, in a place whose clocks may be put back before it ends: then its last hours come
    /// twice, and both count.
    ///
    /// - Parameter offset: how far the clocks there are ahead of UTC at a moment, in seconds.
    /// - Throws: what `offset` throws.
    package func current(
        at now: Timestamp, utcOffsetSeconds offset: (Timestamp) async throws -> Int64
    ) async rethrows -> Current? {
        let present = try await offset(now)
        let found = current(at: now, utcOffsetSeconds: present)
        // Clocks are put back by no more.
        let later = try await offset((found?.atRiskUntil ?? now).adding(seconds: 3 * 3_600))
        guard later < present, let other = current(at: now, utcOffsetSeconds: later) else { return found }
        // Only when they have been put back by then.
        guard try await offset(other.atRiskUntil.adding(seconds: -1)) == later else { return found }
        guard let found else { return other }
        return (found.run.days, found.atRiskUntil) < (other.run.days, other.atRiskUntil) ? other : found
    }
}
