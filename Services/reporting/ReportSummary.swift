package import JSON

/// The numbers of a report that history and progress show; nothing in it is a person's words.
package struct ReportSummary: Sendable, Equatable {
    /// 0 to 100; nil if it could not be judged.
    package var confidenceScore: Int64?
    /// The points of 100 that the score rests on; nil of a report that does not say, as those of rules version 1.
    package var scoreCoverage: Int64?
    /// Between what the score lies; nil without a score, and of a report that does not say.
    package var scoreRange: ClosedRange<Int64>?
    package var paceWordsPerMin: Int64?
    /// 0 to 1.
    package var eyeContactPct: Double?
    /// All counted filler words, a lower bound.
    package var fillerCount: Int64?
    package var durationSec: Int64
    /// Impression tags of the fixed list.
    package var tags: [String]

    package init(
        confidenceScore: Int64?, scoreCoverage: Int64? = nil, scoreRange: ClosedRange<Int64>? = nil,
        paceWordsPerMin: Int64?, eyeContactPct: Double?, fillerCount: Int64?, durationSec: Int64, tags: [String]
    ) {
        self.confidenceScore = confidenceScore
        self.scoreCoverage = scoreCoverage
        self.scoreRange = scoreRange
        self.paceWordsPerMin = paceWordsPerMin
        self.eyeContactPct = eyeContactPct
        self.fillerCount = fillerCount
        self.durationSec = durationSec
        self.tags = tags
    }

    /// Takes the numbers out of a whole report and checks them.
    ///
    /// - Throws: which member is missing, of another form or out of its range; the report then failed.
    package init(report: JSONObject) throws(JSONError) {
        let fillers = try report.optionalObject("fillerWords")
        var count: Int64 = 0
        for (word, value) in fillers?.members ?? [] {
            guard let number = value.intValue, (0...1_000_000).contains(number) else {
                throw JSONError(.type, at: "fillerWords.\(word)", "must be a count")
            }
            count += number
        }
        self.init(
            confidenceScore: try report.optionalInt("confidenceScore"),
            scoreCoverage: try report.optionalInt("scoreCoverage"), scoreRange: try Self.range(report),
            paceWordsPerMin: try report.optionalObject("vocalAnalysis")?.optionalInt("paceWordsPerMin"),
            eyeContactPct: try report.optionalObject("gaze")?.optionalDouble("eyeContactPct"),
            fillerCount: fillers == nil ? nil : count, durationSec: try report.int("durationSec"),
            tags: try Self.tags(report))
        try checkRanges()
    }

    /// The stored form.
    ///
    /// - Throws: `JSONError` for a member that is missing or of another type.
    package init(_ object: JSONObject) throws(JSONError) {
        self.init(
            confidenceScore: try object.optionalInt("confidenceScore"),
            scoreCoverage: try object.optionalInt("scoreCoverage"), scoreRange: try Self.range(object),
            paceWordsPerMin: try object.optionalInt("paceWordsPerMin"),
            eyeContactPct: try object.optionalDouble("eyeContactPct"),
            fillerCount: try object.optionalInt("fillerCount"), durationSec: try object.int("durationSec"),
            tags: try Self.tags(object))
    }

    /// The stored form. What a report does not say is left out, as it was before there was such a member.
    package var json: JSONObject {
        var object: JSONObject = [
            "confidenceScore": .optional(confidenceScore), "paceWordsPerMin": .optional(paceWordsPerMin),
            "eyeContactPct": .optional(eyeContactPct), "fillerCount": .optional(fillerCount),
            "durationSec": .int(durationSec), "impressionTags": .array(tags.map(JSONValue.string)),
        ]
        if let scoreCoverage { object["scoreCoverage"] = .int(scoreCoverage) }
        if let scoreRange {
            object["scoreRange"] = ["low": .int(scoreRange.lowerBound), "high": .int(scoreRange.upperBound)]
        }
        return object
    }

    private static func range(_ object: JSONObject) throws(JSONError) -> ClosedRange<Int64>? {
        guard let range = try object.optionalObject("scoreRange") else { return nil }
        let (low, high) = (try range.int("low"), try range.int("high"))
        guard 0 <= low, low <= high, high <= 100 else {
            throw JSONError(.type, at: "scoreRange", "must be a range between 0 and 100")
        }
        return low...high
    }

    /// Only single lower-case words pass, so that no other text slips into the log.
    private static func tags(_ object: JSONObject) throws(JSONError) -> [String] {
        var tags: [String] = []
        for value in try object.array("impressionTags") {
            guard let tag = value.stringValue, (1...20).contains(tag.utf8.count), tags.count < 5,
                tag.utf8.allSatisfy({ (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) })
            else { throw JSONError(.type, at: "impressionTags", "must be at most five lower-case words") }
            tags.append(tag)
        }
        return tags
    }

    private func checkRanges() throws(JSONError) {
        guard (0...100).contains(confidenceScore ?? 0) else {
            throw JSONError(.type, at: "confidenceScore", "must lie between 0 and 100")
        }
        guard (0...100).contains(scoreCoverage ?? 0) else {
            throw JSONError(.type, at: "scoreCoverage", "must lie between 0 and 100")
        }
        guard (0...1000).contains(paceWordsPerMin ?? 0) else {
            throw JSONError(.type, at: "paceWordsPerMin", "must lie between 0 and 1000")
        }
        guard (0...1).contains(eyeContactPct ?? 0) else {
            throw JSONError(.type, at: "eyeContactPct", "must lie between 0 and 1")
        }
        guard (0...86_400).contains(durationSec) else {
            throw JSONError(.type, at: "durationSec", "must lie between 0 and 86400")
        }
    }
}
