import Contracts
import JSON
import Primitives
import RestTables
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

@testable import reporting

/// The app's own model of a report, member for member and type for type.
private struct AppReport: Decodable {
    struct Tone: Decodable {
        let t: Double
        let energy: Double
        let confidence: Double?
    }
    struct Moment: Decodable {
        let timestamp: Int
        let type: String
        let description: String
    }
    struct Vocal: Decodable {
        let paceWordsPerMin: Int
        let volumeConsistency: Double
        let tonalVariety: Double
        let clarity: Double
        let pauseEffectiveness: Double
    }
    struct Body: Decodable {
        let postureScore: Double
        let gestureNaturalness: Double
        let facialExpressiveness: Double
        let eyeContactPct: Double
        let movementPurpose: Double
    }

    let session_id: String
    let confidence_score: Int
    let impression_tags: [String]
    let filler_words: [String: Int]
    let tone_timeline: [Tone]
    let emotion_breakdown: [String: Double]
    let gaze_eye_contact_pct: Double
    let feedback: String
    let created_at: String
    let duration_sec: Int?
    let strengths: [String]?
    let areas_for_improvement: [String]?
    let practice_exercises: [String]?
    let key_moments: [Moment]?
    let vocal_analysis: Vocal?
    let body_language_analysis: Body?
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The table analysis_reports` {
    private let owner = UUID.v7()

    /// Sends a request as the app does.
    private func get(
        _ desk: Desk, _ query: String, key: String, as user: UUID? = nil, bearer: String? = nil
    ) async throws -> Answer {
        let token = try user.map { try desk.group.compatibleToken(for: $0) } ?? bearer ?? key
        return try await desk.group.send(
            "GET", "/rest/v1/analysis_reports?\(query)",
            headers: [("apikey", key), ("Authorization", "Bearer \(token)")])
    }

    private func sessions(_ answer: Answer) throws -> [UUID] {
        #expect(answer.status == 200)
        return try (JSONValue.parse(answer.body).arrayValue ?? []).compactMap { row in
            row["session_id"]?.stringValue.flatMap { UUID($0) }
        }
    }

    /// A report of a session that was begun at a moment.
    private func written(
        _ desk: Desk, of owner: UUID, begunAt: Timestamp? = .now(), id: UUID = .v4(),
        _ report: JSONObject = Desk.report()
    ) async throws -> UUID {
        if let begunAt {
            try await desk.group.deliver(
                desk.topic.message(
                    SessionCreated(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate), timeZone: "UTC",
                        createdAt: begunAt, expiresAt: begunAt + .seconds(3_600))))
        }
        try await desk.complete(id, of: owner, desk.store(report))
        return id
    }

    private static let full: JSONObject = [
        "durationSec": 28.0, "confidenceScore": 82, "impressionTags": ["confident", "calm"],
        "fillerWords": ["um": 3.0, "like": 1], "gaze": ["eyeContactPct": 0.75],
        "vocalAnalysis": [
            "paceWordsPerMin": 150, "volumeConsistency": 0.5, "tonalVariety": 1, "clarity": 0.25,
            "pauseEffectiveness": 0,
        ],
        "bodyLanguageAnalysis": [
            "postureScore": 0.5, "gestureNaturalness": 0.5, "facialExpressiveness": 0.5, "eyeContactPct": 0.75,
            "movementPurpose": 0.5,
        ],
        "emotionBreakdown": ["joy": 0.5, "neutral": .null],
        "toneTimeline": [
            ["t": 0, "energy": 0.5, "confidence": .null], ["t": 5, "energy": .null, "confidence": .null],
        ],
        "strengths": ["Clear."], "areasForImprovement": ["Slower."], "practiceExercises": ["Read aloud."],
        "keyMoments": [["timestamp": 3, "type": "strength", "description": "A pause.", "start": 3.5, "quote": .null]],
        "feedback": "Well done.", "transcript": ["text": "Good morning", "words": []],
    ]

    @Test func `has what the app decodes, whether everything was measured or nothing`() async throws {
        try await Desk.run { desk in
            let key = try await desk.group.apiKey(.anon)
            let full = try await written(desk, of: owner, Self.full)
            let empty = try await written(
                desk, of: owner,
                [
                    "durationSec": 9, "confidenceScore": .null, "impressionTags": [], "fillerWords": .null,
                    "gaze": ["eyeContactPct": .null], "emotionBreakdown": .null, "toneTimeline": [],
                    "vocalAnalysis": ["paceWordsPerMin": .null, "volumeConsistency": 0.5],
                    "bodyLanguageAnalysis": ["postureScore": .null, "eyeContactPct": 0.5], "feedback": "Too dark.",
                ])
            let answer = try await get(desk, "session_id=eq.\(full.description.uppercased())&select=*", key: key)
            #expect(answer.status == 200)
            let report = try #require(try AppDecoding.decode([AppReport].self, answer.body).first)
            #expect(report.session_id == full.description && report.confidence_score == 82)
            #expect(report.filler_words == ["um": 3, "like": 1] && report.duration_sec == 28)
            #expect(report.gaze_eye_contact_pct == 0.75 && report.emotion_breakdown == ["joy": 0.5])
            #expect(report.tone_timeline.count == 1 && report.tone_timeline[0].energy == 0.5)
            #expect(
                report.vocal_analysis?.paceWordsPerMin == 150 && report.body_language_analysis?.eyeContactPct == 0.75)
            #expect(report.key_moments?.first?.timestamp == 3 && report.feedback == "Well done.")
            #expect(report.strengths == ["Clear."] && report.practice_exercises == ["Read aloud."])
            #expect(report.created_at.wholeMatch(of: #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z/#) != nil)
            // A number without decimals is written without.
            let text = String(decoding: answer.body, as: UTF8.self)
            #expect(text.contains(#""confidence_score":82,"#) && text.contains(#""um":3,"#))
            #expect(!text.contains("Good morning"))

            let second = try await get(desk, "session_id=eq.\(empty)&select=*", key: key)
            let bare = try #require(try AppDecoding.decode([AppReport].self, second.body).first)
            #expect(bare.confidence_score == 0 && bare.gaze_eye_contact_pct == 0 && bare.filler_words.isEmpty)
            #expect(bare.vocal_analysis == nil && bare.body_language_analysis == nil && bare.emotion_breakdown.isEmpty)
            #expect(
                bare.feedback
                    == "Too dark. Not judged in this recording, and shown as 0 or nothing: the score, eye contact, filler words."
            )
        }
    }

    @Test func `shows everybody their own reports, and nobody the one that they name, for an hour`() async throws {
        try await Desk.run { desk in
            let key = try await desk.group.apiKey(.anon)
            let stranger = UUID.v7()
            let mine = try await written(desk, of: owner)
            let theirs = try await written(desk, of: stranger)
            let old = try await written(desk, of: owner, begunAt: .now() - .seconds(3_601))
            let native = try await written(desk, of: owner, id: .v5(namespace: owner, name: "native"))
            let unknown = try await written(desk, of: owner, begunAt: nil)
            let own = try await sessions(get(desk, "select=*", key: key, as: owner))
            #expect(Set(own) == [mine, old, native, unknown])
            #expect(try await sessions(get(desk, "session_id=eq.\(theirs)", key: key, as: owner)).isEmpty)
            #expect(try await sessions(get(desk, "session_id=neq.\(mine)", key: key, as: stranger)) == [theirs])

            #expect(try await sessions(get(desk, "session_id=eq.\(mine)", key: key)) == [mine])
            for query in [
                "select=*", "limit=1", "session_id=in.(\(mine))", "session_id=eq.\(old)", "session_id=eq.\(native)",
                "session_id=eq.\(unknown)", "session_id=eq.\(UUID.v4())", "session_id=not.is.null",
                "session_id=eq.\(mine)&confidence_score=gte.0", "or=(session_id.eq.\(mine))", "confidence_score=gte.0",
            ] {
                #expect(try await sessions(get(desk, query, key: key)).isEmpty, "\(query)")
            }
            #expect(try await sessions(get(desk, "session_id=eq.\(mine)", key: key, as: .v7())).isEmpty)
        }
        try await Desk.run(["COMPATIBLE_ANONYMOUS_READS": "false"]) { desk in
            let key = try await desk.group.apiKey(.anon)
            let mine = try await written(desk, of: owner)
            #expect(try await sessions(get(desk, "session_id=eq.\(mine)", key: key)).isEmpty)
            #expect(try await sessions(get(desk, "session_id=eq.\(mine)", key: key, as: owner)) == [mine])
        }
    }

    @Test func `is looked through by numbers, times and words of fixed lists, and written by nobody`() async throws {
        try await Desk.run { desk in
            let key = try await desk.group.apiKey(.anon)
            let service = try await desk.group.apiKey(.service)
            let high = try await written(desk, of: owner, Self.full)
            let low = try await written(desk, of: owner, Desk.report(score: 40))
            for (query, found) in [
                ("confidence_score=gte.50", [high]), ("confidence_score=lt.50", [low]),
                ("order=confidence_score.asc&limit=1", [low]), ("impression_tags=cs.%5B%22calm%22%5D", [high]),
                ("gaze_eye_contact_pct=eq.0.75&order=confidence_score.desc", [high, low]),
                ("strengths=cs.%7BClear.%7D", [high]), ("created_at=lt.2020-01-01", []),
            ] {
                #expect(try await sessions(get(desk, query, key: key, as: owner)) == found, "\(query)")
            }
            let feedback = try await get(desk, "feedback=like.*", key: key, as: owner)
            #expect(feedback.status == 400 && feedback.code == "PGRST100")
            #expect(try await sessions(get(desk, "select=*", key: key, bearer: service)).count == 2)
            for method in ["POST", "PATCH", "DELETE"] {
                let answer = try await desk.group.send(
                    method, "/rest/v1/analysis_reports?session_id=eq.\(low)",
                    headers: [
                        ("apikey", key), ("Authorization", "Bearer \(try desk.group.compatibleToken(for: owner))"),
                    ],
                    json: [:])
                #expect(answer.status == 403 && answer.code == "42501")
            }
        }
    }

    @Test func `gives no row of anybody else, whatever is asked`() async throws {
        try await Desk.run { desk in
            let stranger = UUID.v7()
            var (mine, all) = ([UUID](), [UUID]())
            for number in 0..<4 {
                mine.append(try await written(desk, of: owner, Desk.report(score: Int64(number * 20))))
                all += [mine[number], try await written(desk, of: stranger, Desk.report(score: Int64(number * 20)))]
            }
            let seed = UInt64.random(in: 1...UInt64(Int64.max))
            print("seed of the queries of reports: \(seed)")
            var random = SeededRandom(seed: seed)
            func condition() -> (String, String) {
                let not = random.chance(30) ? "not." : ""
                switch random.below(5) {
                case 0:
                    return ("session_id", not + random.pick(["eq.", "neq.", "gte."])! + random.pick(all)!.description)
                case 1: return ("session_id", not + "in.(\(random.pick(all)!),\(random.pick(all)!))")
                case 2: return ("confidence_score", not + random.pick(["gte.0", "lt.30", "is.null", "eq.20"])!)
                case 3: return ("impression_tags", not + random.pick([#"cs.["confident"]"#, "cd.[]", "is.null"])!)
                default: return ("created_at", not + random.pick(["gte.2020-01-01", "lt.2020-01-01"])!)
                }
            }
            let reader = RestReader(CompatibleReport.table, desk.group.context) { try CompatibleReport.row($0) }
            var found = 0
            for number in 0..<2_000 {
                var pairs = [condition()]
                if random.chance(50) { pairs.append(condition()) }
                if random.chance(50) {
                    let (first, second) = (condition(), condition())
                    pairs.append((random.pick(["or", "not.and"])!, "(\(first.0).\(first.1),\(second.0).\(second.1))"))
                }
                let query = try RestQuery(pairs.map { (name: $0.0, value: $0.1) }, of: CompatibleReport.table)
                let rows = try await reader.every(query, in: .owner(owner))
                found += rows.count
                for row in rows {
                    #expect(try mine.contains(row.uuid("session_id")), "query \(number) of seed \(seed): \(pairs)")
                }
            }
            #expect(found > 1_000)
        }
    }
}
