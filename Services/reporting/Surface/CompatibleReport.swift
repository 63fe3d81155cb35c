import JSON
import Primitives
import RestTables

/// A report as the table `analysis_reports` of the compatible surface has it: the members that the app decodes, in the types that it
/// needs (`docs/supabase.md`).
enum CompatibleReport {
    static let table = RestTable(
        "analysis_reports",
        [
            RestColumn("id", .uuid), RestColumn("session_id", .uuid), RestColumn("confidence_score", .integer),
            RestColumn("impression_tags", .json), RestColumn("filler_words", .json, isInSource: false),
            RestColumn("tone_timeline", .json, isInSource: false),
            RestColumn("emotion_breakdown", .json, isInSource: false), RestColumn("gaze_eye_contact_pct", .double),
            RestColumn("feedback", .text, isInSource: false), RestColumn("created_at", .timestamp),
            RestColumn("duration_sec", .integer), RestColumn("vocal_analysis", .json, isInSource: false),
            RestColumn("body_language_analysis", .json, isInSource: false), RestColumn("strengths", .texts),
            RestColumn("areas_for_improvement", .texts), RestColumn("practice_exercises", .texts),
            RestColumn("key_moments", .json, isInSource: false),
        ],
        source: """
            select r.report_id as id, r.session_id,
                coalesce((r.content ->> 'confidenceScore')::float8, 0)::bigint as confidence_score,
                coalesce(r.content -> 'impressionTags', '[]'::json) as impression_tags,
                coalesce((r.content #>> '{gaze,eyeContactPct}')::float8, 0) as gaze_eye_contact_pct,
                e.recorded_at as created_at, coalesce((r.content ->> 'durationSec')::float8, 0)::bigint as duration_sec,
                coalesce(r.content -> 'strengths', '[]'::json) as strengths,
                coalesce(r.content -> 'areasForImprovement', '[]'::json) as areas_for_improvement,
                coalesce(r.content -> 'practiceExercises', '[]'::json) as practice_exercises,
                json_build_object('reportId', r.report_id, 'sessionId', r.session_id, 'createdAt', e.recorded_at,
                    'content', r.content) as row
            from reports r join events e on e.stream = '\(Report.category)-' || r.session_id::text and e.type = 'ReportWritten'
            where $1::uuid is null or r.owner_id = $1
            """,
        // Each is as long as a page of text, with every word of the recording.
        mostRows: 200)

    /// The visible row.
    ///
    /// - Throws: `JSONError` for a row of the source that is none.
    static func row(_ source: JSONObject) throws(JSONError) -> JSONObject {
        let content = try source.object("content")
        return [
            "id": .uuid(try source.uuid("reportId")), "session_id": .uuid(try source.uuid("sessionId")),
            "confidence_score": .int(whole(content["confidenceScore"]) ?? 0),
            "impression_tags": texts(content["impressionTags"]), "filler_words": counts(content["fillerWords"]),
            "tone_timeline": timeline(content["toneTimeline"]),
            "emotion_breakdown": shares(content["emotionBreakdown"]),
            "gaze_eye_contact_pct": number(content["gaze"]?["eyeContactPct"]) ?? .double(0),
            "feedback": .string(feedback(content)), "created_at": .time(try source.timestamp("createdAt")),
            "duration_sec": .int(whole(content["durationSec"]) ?? 0), "vocal_analysis": vocal(content["vocalAnalysis"]),
            "body_language_analysis": body(content["bodyLanguageAnalysis"]), "strengths": texts(content["strengths"]),
            "areas_for_improvement": texts(content["areasForImprovement"]),
            "practice_exercises": texts(content["practiceExercises"]), "key_moments": moments(content["keyMoments"]),
        ]
    }

    /// What people read, with what the zeros are that the app needs in place of what could not be judged.
    private static func feedback(_ content: JSONObject) -> String {
        let absent = [
            whole(content["confidenceScore"]) == nil ? "the score" : nil,
            number(content["gaze"]?["eyeContactPct"]) == nil ? "eye contact" : nil,
            content["fillerWords"]?.objectValue == nil ? "filler words" : nil,
        ].compactMap(\.self)
        let feedback = content["feedback"]?.stringValue ?? ""
        guard !absent.isEmpty else { return feedback }
        let note = "Not judged in this recording, and shown as 0 or nothing: \(absent.joined(separator: ", "))."
        return feedback.isEmpty ? note : "\(feedback) \(note)"
    }

    // MARK: Values

    private static func whole(_ value: JSONValue?) -> Int64? {
        value?.intValue ?? value?.doubleValue.flatMap { Int64(exactly: $0.rounded()) }
    }

    private static func number(_ value: JSONValue?) -> JSONValue? { value?.doubleValue.map(JSONValue.double) }

    private static func texts(_ value: JSONValue?) -> JSONValue {
        .array((value?.arrayValue ?? []).filter { $0.stringValue != nil })
    }

    /// Words with whole numbers: a fraction would fail the whole report in the app.
    private static func counts(_ value: JSONValue?) -> JSONValue {
        .object(
            JSONObject(
                (value?.objectValue ?? [:]).members.compactMap { name, value in
                    whole(value).map { (name, .int($0)) }
                }))
    }

    private static func shares(_ value: JSONValue?) -> JSONValue {
        .object(
            JSONObject(
                (value?.objectValue ?? [:]).members.compactMap { name, value in
                    number(value).map { (name, $0) }
                }))
    }

    /// Points whose energy was measured: the app has no form for others.
    private static func timeline(_ value: JSONValue?) -> JSONValue {
        .array(
            (value?.arrayValue ?? []).compactMap { point in
                guard let time = number(point["t"]), let energy = number(point["energy"]) else { return nil }
                return ["t": time, "energy": energy, "confidence": number(point["confidence"]) ?? .null]
            })
    }

    /// All five, or null: the app fails a report in which one of them is missing.
    private static func vocal(_ value: JSONValue?) -> JSONValue {
        guard let pace = whole(value?["paceWordsPerMin"]),
            let others = complete(value, ["volumeConsistency", "tonalVariety", "clarity", "pauseEffectiveness"])
        else { return .null }
        return .object((["paceWordsPerMin": .int(pace)] as JSONObject).adding(membersOf: others))
    }

    /// All five, or null.
    private static func body(_ value: JSONValue?) -> JSONValue {
        complete(
            value, ["postureScore", "gestureNaturalness", "facialExpressiveness", "eyeContactPct", "movementPurpose"]
        ).map(JSONValue.object) ?? .null
    }

    private static func complete(_ value: JSONValue?, _ names: [String]) -> JSONObject? {
        var members = JSONObject()
        for name in names {
            guard let number = number(value?[name]) else { return nil }
            members[name] = number
        }
        return members
    }

    private static func moments(_ value: JSONValue?) -> JSONValue {
        .array(
            (value?.arrayValue ?? []).compactMap { moment in
                guard let second = whole(moment["timestamp"]), let type = moment["type"]?.stringValue,
                    let words = moment["description"]?.stringValue
                else { return nil }
                return ["timestamp": .int(second), "type": .string(type), "description": .string(words)]
            })
    }
}
