package import Contracts
package import JSON
package import Primitives
package import Progress

/// A goal as it was set.
package struct Goal: Sendable, Equatable {
    package var goalId: UUID
    /// Of which sessions the reports count.
    package var kind: SessionKind
    package var target: GoalTarget
    /// Recordings count that were begun from here on.
    package var setAt: Timestamp
    /// And before this: the end of its last local day.
    package var endsAt: Timestamp
    /// In whose days it was set.
    package var timeZone: String

    package init(
        goalId: UUID, kind: SessionKind, target: GoalTarget, setAt: Timestamp, endsAt: Timestamp, timeZone: String
    ) {
        self.goalId = goalId
        self.kind = kind
        self.target = target
        self.setAt = setAt
        self.endsAt = endsAt
        self.timeZone = timeZone
    }

    /// A goal by the parts of its target: see ``GoalTarget``.
    package init(
        goalId: UUID, kind: SessionKind, measure: String, atLeast: Double?, atMost: Double?, recordings: Int64,
        days: Int64, setAt: Timestamp, endsAt: Timestamp, timeZone: String
    ) {
        self.init(
            goalId: goalId, kind: kind,
            target: GoalTarget(
                measure: measure, atLeast: atLeast, atMost: atMost, recordings: recordings, days: days),
            setAt: setAt, endsAt: endsAt, timeZone: timeZone)
    }

    /// The stored form.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        self.init(
            goalId: try object.uuid("goalId"), kind: try object.code("kind"), measure: try object.string("measure"),
            atLeast: try object.optionalDouble("atLeast"), atMost: try object.optionalDouble("atMost"),
            recordings: try object.int("recordings"), days: try object.int("days"),
            setAt: try object.timestamp("setAt"), endsAt: try object.timestamp("endsAt"),
            timeZone: try object.string("timeZone"))
    }

    package var json: JSONObject {
        ([
            "goalId": .uuid(goalId), "kind": kind.json,
        ] as JSONObject).adding(membersOf: target.json).adding([
            "setAt": .time(setAt), "endsAt": .time(endsAt), "timeZone": .string(timeZone),
        ])
    }

    /// Whether a recording that was begun at a moment falls into its time.
    package func covers(_ moment: Timestamp) -> Bool { setAt <= moment && moment < endsAt }
}

extension GoalTarget {
    /// As it is stored, and as clients read it.
    package var json: JSONObject {
        [
            "measure": .string(measure), "atLeast": .optional(atLeast), "atMost": .optional(atMost),
            "recordings": .int(recordings), "days": .int(days),
        ]
    }
}

/// A recording that was as a goal wants it.
package struct GoalHit: Sendable, Equatable {
    package var sessionId: UUID
    package var value: Double
    /// Of the rules that judged; nil of a report that does not say.
    package var rulesVersion: Int64?

    package init(sessionId: UUID, value: Double, rulesVersion: Int64?) {
        self.sessionId = sessionId
        self.value = value
        self.rulesVersion = rulesVersion
    }

    package var json: JSONObject {
        ["sessionId": .uuid(sessionId), "value": .double(value), "rulesVersion": .optional(rulesVersion)]
    }

    /// The stored form of several.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type.
    static func list(_ values: [JSONValue]) throws(JSONError) -> [GoalHit] {
        var hits: [GoalHit] = []
        for value in values {
            guard let hit = value.objectValue else { throw JSONError(.type, at: "hits", "must be an array of objects") }
            hits.append(
                GoalHit(
                    sessionId: try hit.uuid("sessionId"), value: try hit.double("value"),
                    rulesVersion: try hit.optionalInt("rulesVersion")))
        }
        return hits
    }
}

extension ReportHistoryRow {
    /// The valid value of something that can be aimed at; nil when the report has none.
    package func value(of measure: String) -> Double? {
        switch measure {
        case GoalTarget.fillersPerMinute:
            summary.durationSec > 0 ? summary.fillerCount.map { Double($0) * 60 / Double(summary.durationSec) } : nil
        case "confidenceScore": summary.confidenceScore.map(Double.init)
        case "paceWordsPerMin": basis?.measures[measure]?.value ?? summary.paceWordsPerMin.map(Double.init)
        case "eyeContactPct": basis?.measures[measure]?.value ?? summary.eyeContactPct
        default: basis?.measures[measure]?.value
        }
    }

    /// When the recording was begun; when the report was written, as long as that is not known.
    package var begunAt: Timestamp { recording?.begunAt ?? createdAt }
}

extension Goal {
    /// What counts towards it, in the order in which it was recorded.
    ///
    /// - Parameter rows: reports of its owner, any of them.
    package func hits(among rows: [ReportHistoryRow]) -> [GoalHit] {
        tried(among: rows).compactMap { row in
            row.value(of: target.measure).flatMap { value in
                target.isMet(by: value)
                    ? GoalHit(sessionId: row.sessionId, value: value, rulesVersion: row.basis?.rulesVersion) : nil
            }
        }
    }

    /// The reports of recordings of its kind that fall into its time, in the order in which they were recorded.
    package func tried(among rows: [ReportHistoryRow]) -> [ReportHistoryRow] {
        rows.filter { ($0.recording?.kind ?? ReportHistoryRow.firstKind) == kind && covers($0.begunAt) }
            .sorted { ($0.begunAt, $0.sessionId) < ($1.begunAt, $1.sessionId) }
    }
}
