package import Primitives

/// The sessions of one local day.
package enum SessionsOfDay {
    /// One of them, as far as time is counted.
    package struct Stretch: Sendable, Equatable {
        package var startedAt: Timestamp
        package var endedAt: Timestamp
        /// How long was practised within it.
        package var activeSeconds: Int64

        package init(startedAt: Timestamp, endedAt: Timestamp, activeSeconds: Int64) {
            self.startedAt = startedAt
            self.endedAt = endedAt
            self.activeSeconds = activeSeconds
        }
    }

    /// How long was practised, in seconds. Sessions that overlap, such as those of a watch and a telephone, count together no more
    /// than the time from the beginning of the first to the end of the last of them.
    package static func seconds(_ stretches: [Stretch]) -> Int64 {
        var total: Int64 = 0
        var active: Int64 = 0
        var from = Timestamp.epoch
        var to = Timestamp.epoch
        for stretch in stretches.sorted(by: { ($0.startedAt, $0.endedAt) < ($1.startedAt, $1.endedAt) }) {
            if active > 0, stretch.startedAt < to {
                active += stretch.activeSeconds
                to = max(to, stretch.endedAt)
            } else {
                total += counted(active, from, to)
                (active, from, to) = (stretch.activeSeconds, stretch.startedAt, stretch.endedAt)
            }
        }
        return total + counted(active, from, to)
    }

    private static func counted(_ active: Int64, _ from: Timestamp, _ to: Timestamp) -> Int64 {
        // Rounded up: active seconds are whole, the others are not.
        active == 0 ? 0 : min(active, ((to - from).microseconds + 999_999) / 1_000_000)
    }
}
