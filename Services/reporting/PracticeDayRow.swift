package import Contracts
package import JSON
package import Practice
package import Primitives
import Projections

/// A row of `practice_days`: the sessions of one local day, and what follows from them.
package struct PracticeDayRow: Sendable, Equatable {
    package var identity: PracticeDayIdentity
    /// By the times at which they began.
    package var sessions: [(id: UUID, time: PracticeTime)]
    /// When the newest event was recorded.
    package var updatedAt: Timestamp

    package static func == (left: PracticeDayRow, right: PracticeDayRow) -> Bool {
        left.identity == right.identity && left.updatedAt == right.updatedAt
            && left.sessions.elementsEqual(right.sessions) { $0.id == $1.id && $0.time == $1.time }
    }

    /// Counts a session as it was told last.
    mutating func count(_ session: UUID, _ time: PracticeTime, at moment: Timestamp) {
        withdraw(session, at: moment)
        // Most are told one after the other, so the place is looked for from the end.
        let before = sessions.lastIndex { ($0.time.startedAt, $0.id) < (time.startedAt, session) }
        sessions.insert((session, time), at: before.map { $0 + 1 } ?? 0)
    }

    /// Counts a session no longer; there may be none left then.
    mutating func withdraw(_ session: UUID, at moment: Timestamp) {
        if let place = sessions.firstIndex(where: { $0.id == session }) { sessions.remove(at: place) }
        updatedAt = moment
    }

    /// What counts of the day.
    package var facts: DayFacts {
        let starts = sessions.map(\.time.startedAt)
        let offsets = sessions.map(\.time.utcOffsetSeconds)
        return DayFacts(
            day: identity.day, sessions: Int64(sessions.count),
            seconds: SessionsOfDay.seconds(
                sessions.map {
                    SessionsOfDay.Stretch(
                        startedAt: $0.time.startedAt, endedAt: $0.time.endedAt, activeSeconds: $0.time.activeSeconds)
                }),
            early: sessions.map { Self.secondsAfterMidnight($0.time) }.filter { $0 < DayFacts.longestGraceSeconds }
                .sorted(),
            firstStartedAt: starts.min() ?? .epoch, lastStartedAt: starts.max() ?? .epoch,
            westmostOffset: offsets.min() ?? 0, eastmostOffset: offsets.max() ?? 0)
    }

    /// How long was practised in sessions that began in each hour of the day, in seconds: the hours that have any.
    package var hours: [Int64: Int64] {
        sessions.reduce(into: [:]) { hours, session in
            hours[Self.secondsAfterMidnight(session.time) / 3_600, default: 0] += session.time.activeSeconds
        }
    }

    private static func secondsAfterMidnight(_ time: PracticeTime) -> Int64 {
        time.startedAt.seconds + time.utcOffsetSeconds - time.day.number * LocalDay.seconds
    }
}

/// The row as the table has it. All but the sessions follows from them.
extension PracticeDayRow: TableRow {
    package static let columns = [
        "owner_id", "kind", "day", "day_number", "sessions", "seconds", "early", "hours", "first_started_at",
        "last_started_at", "westmost_offset", "eastmost_offset", "last_time_zone", "entries", "updated_at",
    ]

    package init(_ columns: JSONObject) throws(JSONError) {
        identity = PracticeDayIdentity(
            ownerId: try columns.uuid("owner_id"), kind: try columns.code("kind"), day: try columns.day("day"))
        var sessions: [(id: UUID, time: PracticeTime)] = []
        for entry in try columns.array("entries") {
            guard let entry = entry.objectValue else {
                throw JSONError(.type, at: "entries", "must be an array of objects")
            }
            sessions.append((try entry.uuid("sessionId"), try PracticeTime(entry)))
        }
        self.sessions = sessions
        updatedAt = try columns.timestamp("updated_at")
    }

    /// A session with the members of `PracticeTime.json`, which ``init(_:)`` reads: without composing them, as rows have many.
    private static func entry(_ session: UUID, _ time: PracticeTime) -> JSONValue {
        .object(
            JSONObject(uniqueMembers: [
                (key: "sessionId", value: .uuid(session)), (key: "startedAt", value: .time(time.startedAt)),
                (key: "endedAt", value: .time(time.endedAt)), (key: "activeSeconds", value: .int(time.activeSeconds)),
                (key: "timeZone", value: .string(time.timeZone)),
                (key: "utcOffsetSeconds", value: .int(time.utcOffsetSeconds)),
            ]))
    }

    package var values: JSONObject {
        let facts = facts
        let hours = hours.sorted { $0.key < $1.key }.map { ("\($0.key)", JSONValue.int($0.value)) }
        return [
            "owner_id": .uuid(identity.ownerId), "kind": identity.kind.json,
            "day": .string(identity.day.description), "day_number": .int(identity.day.number),
            "sessions": .int(facts.sessions), "seconds": .int(facts.seconds),
            "early": .array(facts.early.map(JSONValue.int)), "hours": .object(JSONObject(hours)),
            "first_started_at": .time(facts.firstStartedAt), "last_started_at": .time(facts.lastStartedAt),
            "westmost_offset": .int(facts.westmostOffset), "eastmost_offset": .int(facts.eastmostOffset),
            "last_time_zone": .string(sessions.last?.time.timeZone ?? "UTC"),
            "entries": .array(sessions.map { Self.entry($0.id, $0.time) }),
            "updated_at": .time(updatedAt),
        ]
    }
}
