import Glibc
import Primitives

/// Moments to come, as people on this machine say them.
struct LocalTime {
    /// How far the zone is ahead of UTC, in seconds.
    let offset: Int64
    /// What people call the zone, such as `Europe/Berlin`.
    let zone: String

    /// The zone of this machine, or of `TZ`, as it is at a moment.
    init(at moment: Timestamp) {
        var seconds = time_t((moment - .epoch).components.seconds)
        var facts = tm()
        localtime_r(&seconds, &facts)
        let place = Variables["TZ"] ?? Files.absolute("/etc/localtime")?.components(behind: "/zoneinfo/")
        self.init(offset: Int64(facts.tm_gmtoff), zone: place ?? String(cString: facts.tm_zone))
    }

    init(offset: Int64, zone: String) {
        self.offset = offset
        self.zone = zone
    }

    /// Such as `tomorrow at 00:00 (Europe/Berlin)`.
    func words(_ moment: Timestamp, now: Timestamp) -> String {
        let (then, today) = (moment.adding(seconds: offset), now.adding(seconds: offset))
        let text = then.rfc3339
        let day = String(text.prefix(10))
        let tomorrow = today.adding(seconds: 86_400).rfc3339.prefix(10)
        let name =
            today.rfc3339.hasPrefix(day) ? "today" : day == tomorrow ? "tomorrow" : "on \(day)"
        return "\(name) at \(text.dropFirst(11).prefix(5)) (\(zone))"
    }

    /// The same for this machine, now.
    static func words(_ moment: Timestamp) -> String { LocalTime(at: moment).words(moment, now: .now()) }
}

extension String {
    /// What stands behind a text, or nil where there is none.
    fileprivate func components(behind text: String) -> String? {
        firstRange(of: text).map { String(self[$0.upperBound...]) }
    }
}
