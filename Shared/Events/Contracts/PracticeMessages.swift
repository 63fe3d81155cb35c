package import JSON
package import Primitives

/// When and where somebody practised, and for how long.
package struct PracticeTime: Sendable, Hashable {
    /// When it began.
    package var startedAt: Timestamp
    /// When it ended, pauses included.
    package var endedAt: Timestamp
    /// How long it was practised, without pauses, in seconds.
    package var activeSeconds: Int64
    /// The IANA time zone of the place.
    package var timeZone: String
    /// How far clocks there were ahead of UTC when it began, in seconds; negative in the west.
    package var utcOffsetSeconds: Int64

    package init(
        startedAt: Timestamp, endedAt: Timestamp, activeSeconds: Int64, timeZone: String, utcOffsetSeconds: Int64
    ) {
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.activeSeconds = activeSeconds
        self.timeZone = timeZone
        self.utcOffsetSeconds = utcOffsetSeconds
    }

    package init(_ object: JSONObject) throws(JSONError) {
        startedAt = try object.timestamp("startedAt")
        endedAt = try object.timestamp("endedAt")
        activeSeconds = try object.int("activeSeconds")
        timeZone = try object.string("timeZone")
        utcOffsetSeconds = try object.int("utcOffsetSeconds")
    }

    package var json: JSONObject {
        [
            "startedAt": .time(startedAt), "endedAt": .time(endedAt), "activeSeconds": .int(activeSeconds),
            "timeZone": .string(timeZone), "utcOffsetSeconds": .int(utcOffsetSeconds),
        ]
    }

    /// The day on which it began, on the clocks of the place.
    package var day: LocalDay { LocalDay(of: startedAt, utcOffsetSeconds: utcOffsetSeconds) }
}

/// A session that was over when it was told: it counts on the local day on which it began.
package struct SessionLogged: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionLogged")

    package var session: SessionIdentity
    package var time: PracticeTime

    package init(_ session: SessionIdentity, time: PracticeTime) {
        self.session = session
        self.time = time
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        time = try PracticeTime(object)
    }

    package var json: JSONObject { session.json.adding(membersOf: time.json) }
}

/// A logged session was otherwise than it was told first, on the same local day.
package struct SessionCorrected: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionCorrected")

    package var session: SessionIdentity
    package var time: PracticeTime

    package init(_ session: SessionIdentity, time: PracticeTime) {
        self.session = session
        self.time = time
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        time = try PracticeTime(object)
    }

    package var json: JSONObject { session.json.adding(membersOf: time.json) }
}

/// A logged session no longer counts on its local day.
package struct SessionWithdrawn: SessionKindMessage {
    package static let type = MessageType(.sessions, "SessionWithdrawn")

    package var session: SessionIdentity
    /// As it was told last.
    package var time: PracticeTime
    package var reason: WithdrawalReason

    package init(_ session: SessionIdentity, time: PracticeTime, reason: WithdrawalReason) {
        self.session = session
        self.time = time
        self.reason = reason
    }

    package init(_ object: JSONObject) throws(JSONError) {
        session = try SessionIdentity(object)
        time = try PracticeTime(object)
        reason = try object.code("reason")
    }

    package var json: JSONObject { session.json.adding(membersOf: time.json).adding(["reason": reason.json]) }
}
