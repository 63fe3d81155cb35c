package import Contracts
package import JSON
package import Primitives

/// What its owner tells of a session that is over: when, where, how long, and when it was interrupted.
package struct LoggedPractice: Sendable, Hashable {
    /// An interruption.
    package struct Pause: Sendable, Hashable {
        package var startedAt: Timestamp
        package var endedAt: Timestamp

        package init(startedAt: Timestamp, endedAt: Timestamp) {
            self.startedAt = startedAt
            self.endedAt = endedAt
        }
    }

    package var time: PracticeTime
    /// One after another, within the session.
    package var pauses: [Pause]

    package init(_ time: PracticeTime, pauses: [Pause] = []) {
        self.time = time
        self.pauses = pauses
    }

    /// The same at the place of another one.
    func placed(as other: LoggedPractice) -> LoggedPractice {
        var practice = self
        practice.time.timeZone = other.time.timeZone
        practice.time.utcOffsetSeconds = other.time.utcOffsetSeconds
        return practice
    }
}

/// How it is stored in events and rows.
extension LoggedPractice {
    package init(_ object: JSONObject) throws(JSONError) {
        time = try PracticeTime(object)
        pauses = try Self.pauses(object["pauses"])
    }

    package var json: JSONObject {
        time.json.adding(["pauses": pauses.isEmpty ? nil : pausesJSON])
    }

    /// The pauses as a list of objects.
    var pausesJSON: JSONValue {
        .array(pauses.map { ["startedAt": .time($0.startedAt), "endedAt": .time($0.endedAt)] })
    }

    /// Reads a list of pauses; an absent one is empty.
    ///
    /// - Throws: `JSONError` for what is no list of objects with two times.
    static func pauses(_ value: JSONValue?) throws(JSONError) -> [Pause] {
        guard let value, !value.isNull else { return [] }
        guard let list = value.arrayValue else { throw JSONError(.type, at: "pauses", "must be an array") }
        var pauses: [Pause] = []
        for element in list {
            guard let pause = element.objectValue else {
                throw JSONError(.type, at: "pauses", "must be an array of objects")
            }
            pauses.append(
                Pause(startedAt: try pause.timestamp("startedAt"), endedAt: try pause.timestamp("endedAt")))
        }
        return pauses
    }
}
