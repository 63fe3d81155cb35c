import Coaching
import Contracts
import JSON
import Primitives
import Testing

private typealias Document = MeasuredDocument

private func report(_ document: JSONObject) throws -> JSONObject {
    try ReportBuilder.report(Findings(document), session: Fixture.id)
}

@Suite("A report") struct ReportBuilderTests {
    @Test("says of each part that a provider has seen who that was, and nothing of emotions")
    func seen() throws {
        func measure(_ members: JSONObject) -> JSONValue {
            let common: JSONObject = ["unit": "0-1", "source": "model", "engine": "openai/gpt-4o-mini"]
            return .object(common.adding(membersOf: members))
        }
        var measured = MeasuredDocument.json()
        measured["engines"] = ["speech": "moonshine", "vision": "openai/gpt-4o-mini"]
        let measures = try measured.object("measures")
        measured["measures"] = .object(
            measures.adding([
                "postureScore": measure(["value": 0.804, "valid": true, "lowConfidence": true]),
                "gestureNaturalness": measure(["value": .null, "valid": false, "reason": "not-in-pictures"]),
                "facialExpressiveness": measure(["value": 0.5, "valid": true, "lowConfidence": true]),
            ]))
        let document = try MeasurementDocument(measured, brief: RecordingBrief(language: "de"))
        let report = ReportBuilder.report(document, session: Fixture.id)
        let body = report["bodyLanguageAnalysis"]
        #expect(body?["postureScore"] == 0.8 && body?["gestureNaturalness"] == .null)
        #expect(body?["facialExpressiveness"] == 0.5 && body?["movementPurpose"] == .null)
        #expect(report["emotionBreakdown"] == .null)
        #expect(report["engines"]?["vision"] == "openai/gpt-4o-mini")
        // Another language takes away what rests on words, and only that.
        let posture = report["measures"]?["postureScore"]
        #expect(posture?["engine"] == "openai/gpt-4o-mini" && posture?["lowConfidence"] == true)
        #expect(posture?["weight"]?.doubleValue ?? 0 > 20 && report["measures"]?["clarity"]?["engine"] == nil)
        let gestures = report["measures"]?["gestureNaturalness"]
        #expect(gestures?["code"] == "not-in-pictures" && gestures?["engine"] == "openai/gpt-4o-mini")
        #expect(gestures?["reason"] == "it is out of the pictures that were looked at")
        let part = report["scoreParts"]?.arrayValue?.first { $0["part"] == "posture" }
        #expect(part?["weight"] == 20 && part?["value"] == 0.804 && part?["measures"] == ["postureScore"])
    }

    @Test("has emotions where a provider was let find some, as its word alone, and judges nothing by them")
    func emotions() throws {
        let shares: JSONObject = ["joy": 0.5, "neutral": 0.3, "anxious": 0, "engaged": 0.2, "surprise": 0]
        func report(_ emotions: JSONValue?) throws -> JSONObject {
            let measured = MeasuredDocument.json().adding(["emotions": emotions])
            return ReportBuilder.report(
                try MeasurementDocument(measured, brief: RecordingBrief(language: "en")), session: Fixture.id)
        }
        let felt = try report(["engine": "openai/gpt-4o", "shares": .object(shares)])
        #expect(felt["emotionBreakdown"]?["joy"] == 0.5 && felt["emotionBreakdown"]?.objectValue?.members.count == 5)
        let measure = felt["measures"]?["emotionBreakdown"]
        #expect(measure?["valid"] == true && measure?["engine"] == "openai/gpt-4o")
        #expect(measure?["lowConfidence"] == true && measure?["weight"] == nil && measure?["source"] == "model")
        let plain = try report(nil)
        #expect(plain["emotionBreakdown"] == .null && plain["measures"]?["emotionBreakdown"]?["valid"] == false)
        for field in ["confidenceScore", "impressionTags", "strengths", "areasForImprovement", "feedback"] {
            #expect(felt[field] == plain[field], "\(field)")
        }
        for bad in [["joy": 1.5], ["joy": "much"]] as [JSONValue] {
            #expect(throws: JSONError.self) { try report(["engine": "x", "shares": bad]) }
        }
    }

    @Test("has every field of the model with its plain type")
    func plainTypes() throws {
        let report = try report(Document.json(fillers: ["like": 3, "so": 1, "um": 0]))
        #expect(report["durationSec"] == 28)
        #expect(report["confidenceScore"]?.intValue != nil)
        #expect(report["fillerWords"] == ["like": 3, "so": 1])
        #expect(report["gaze"] == ["eyeContactPct": 0.9])
        #expect(
            report["vocalAnalysis"] == [
                "paceWordsPerMin": 150, "volumeConsistency": 0.8, "tonalVariety": 0.5, "clarity": 0.83,
                "pauseEffectiveness": 0.6,
            ])
        #expect(
            report["bodyLanguageAnalysis"] == [
                "postureScore": .null, "gestureNaturalness": .null, "facialExpressiveness": .null,
                "eyeContactPct": 0.9, "movementPurpose": .null,
            ])
        #expect(report["emotionBreakdown"] == .null)
        #expect(report["toneTimeline"]?.arrayValue?[1] == ["t": 5.0, "energy": 0.82, "confidence": .null])
        #expect(report["toneTimeline"]?.arrayValue?[2]["energy"] == .null)
        #expect(report["transcript"]?["words"]?.arrayValue?[1] == ["w": "word", "start": 0.4, "end": 0.7])
        #expect(report["strengths"]?.arrayValue?.compactMap(\.stringValue).count == 3)
        for list in ["areasForImprovement", "practiceExercises"] {
            #expect(report[list]?.arrayValue?.compactMap(\.stringValue).count == 2, "\(list)")
        }
    }

    @Test("says of every field where it comes from, its unit and whether it holds")
    func measures() throws {
        let report = try report(Document.json())
        let measures = try report.object("measures")
        let fields = [
            "durationSec", "confidenceScore", "impressionTags", "fillerWords", "toneTimeline",
            "toneTimeline.confidence", "emotionBreakdown", "eyeContactPct", "paceWordsPerMin", "volumeConsistency",
            "tonalVariety", "clarity", "pauseEffectiveness", "postureScore", "gestureNaturalness",
            "facialExpressiveness", "movementPurpose", "strengths", "areasForImprovement", "practiceExercises",
            "keyMoments", "feedback", "transcript",
        ]
        for field in fields {
            let measure = try measures.object(field)
            #expect(!(try measure.string("unit")).isEmpty, "\(field)")
            #expect(["measured", "model", "estimated", "notRated"].contains(try measure.string("source")), "\(field)")
            if try !measure.bool("valid") {
                #expect(measure["value"] == .null, "\(field)")
                #expect(!(try measure.string("reason")).isEmpty, "\(field)")
            }
        }
        #expect(try measures.object("postureScore").string("reason") == "posture is not measured")
        #expect(measures["headMovement"]?["value"] == 0.036)
    }

    @Test("is the same every time")
    func deterministic() throws {
        let document = Document.json(fillers: ["like": 2])
        #expect(try report(document) == report(document))
    }

    @Test("without sound has no voice, no words, no score, and says why")
    func noSound() throws {
        let report = try report(Document.json(Document.silent, words: 0))
        #expect(report["confidenceScore"] == .null)
        #expect(report["fillerWords"] == .null)
        #expect(report["transcript"] == .null)
        let voice = try report.object("vocalAnalysis")
        for (name, value) in voice.members { #expect(value == .null, "\(name)") }
        #expect(report["gaze"] == ["eyeContactPct": 0.9])
        let measures = try report.object("measures")
        #expect(try measures.object("paceWordsPerMin").string("reason") == "the video has no sound")
        #expect(try measures.object("fillerWords").string("reason") == "no speech was recognised")
        #expect(
            try measures.object("confidenceScore").string("reason")
                == "a score needs your voice as well, and the video has no sound")
    }

    @Test("without a face has no eye contact, no score, and says why")
    func noFace() throws {
        let report = try report(Document.json(Document.faceless))
        #expect(report["confidenceScore"] == .null)
        #expect(report["gaze"] == ["eyeContactPct": .null])
        #expect(report["vocalAnalysis"]?["paceWordsPerMin"] == 150)
        #expect(
            try report.object("measures").object("eyeContactPct").string("reason") == "the picture is too dark")
        #expect(try report.string("feedback").contains("the picture is too dark"))
    }

    @Test("of which nothing could be measured holds no number but its length, and invents no advice")
    func nothing() throws {
        let report = try report(Document.json([:], words: 0))
        for field in ["confidenceScore", "fillerWords", "emotionBreakdown", "transcript"] {
            #expect(report[field] == .null, "\(field)")
        }
        #expect(report["impressionTags"] == [])
        #expect(report["keyMoments"] == [])
        #expect(report["strengths"] == [])
        #expect(report["areasForImprovement"] == [])
        #expect(report["practiceExercises"] == [])
        #expect(report["firstStep"] == .null)
        #expect(report["durationSec"] == 28)
    }

    @Test("does not count words that were recognised with too little certainty, but keeps the text")
    func lowConfidence() throws {
        let report = try report(Document.json(fillers: ["um": 4], lowConfidence: true))
        #expect(report["fillerWords"] == .null)
        #expect(report["transcript"]?["text"] == "word word")
        #expect(report["transcript"]?["lowConfidence"] == true)
        #expect(report["measures"]?["transcript"]?["valid"] == false)
    }

    @Test("does not believe a measure that claims to be valid without a number")
    func impostor() throws {
        var document = Document.json()
        document["measures"] = ["paceWordsPerMin": ["value": .null, "unit": "words/min", "valid": true]]
        #expect(try report(document)["vocalAnalysis"]?["paceWordsPerMin"] == .null)
    }

    @Test("describes the helper's codes in words, and keeps the codes")
    func codes() throws {
        let values = Document.without(["facingCameraPct": "face-too-small", "smileLikePct": "not-measured"])
        let measures = try report(Document.json(values)).object("measures")
        #expect(measures["facingCameraPct"]?["reason"] == "the face is too small in the picture")
        #expect(measures["facingCameraPct"]?["code"] == "face-too-small")
        #expect(measures["smileLikePct"]?["source"] == "notRated")
    }

    @Test("says that there was nothing to hear only where somebody listened")
    func noWords() throws {
        for (code, reason) in [
            ("no-audio", "the video has no sound"), ("engine-missing", "no speech recogniser was at hand"),
            ("no-speech", "no speech was recognised"), ("too-short", "no speech was recognised"),
        ] {
            let values = Document.without(["wordCount": .string(code)])
            let measures = try report(Document.json(values, words: 0)).object("measures")
            #expect(measures["transcript"]?["reason"] == .string(reason))
            #expect(measures["wordVariety"]?["reason"] == .string(reason))
        }
    }

    @Test("has no filler count when the helper gives none")
    func noFillers() throws {
        var document = Document.json()
        document["fillers"] = .null
        document["fillersReason"] = "engine-missing"
        let report = try report(document)
        #expect(report["fillerWords"] == .null)
        #expect(report["measures"]?["fillerWords"]?["valid"] == false)
        #expect(report["transcript"]?["text"] == "word word")
    }

    @Test("is refused when its measures are missing")
    func malformed() {
        var document = Document.json()
        document["measures"] = nil
        #expect(throws: JSONError(.missing, at: "measures", "is missing")) { try report(document) }
    }

    @Test("says what its score rests on, between what it lies, and by which rules it was made")
    func restsOn() throws {
        let whole = try report(Document.json())
        #expect(whole["scoreCoverage"] == 65)
        #expect(whole["scoreRange"] == ["low": 69, "high": 73])
        #expect(whole["rulesVersion"] == 4)
        let silent = try report(Document.json(Document.silent, words: 0))
        #expect(silent["scoreCoverage"] == 25)
        #expect(silent["scoreRange"] == .null)
    }

    @Test("says with its reason what counts against the speaker, and its weights add up to 100")
    func weights() throws {
        let report = try report(
            Document.json(
                Document.without([
                    "tonalVariety": "too-little-speech", "pauseEffectiveness": "too-noisy",
                    "faceLiveliness": "slow-sampling",
                ])))
        let measures = try report.object("measures")
        let weights = measures.members.compactMap { $0.value["weight"]?.doubleValue }
        #expect(abs(weights.reduce(0, +) - 100) < 1e-9)
        for name in ["tonalVariety", "pauseEffectiveness"] {
            let measure = try measures.object(name)
            #expect(measure["weight"] == 16.9 && measure["valid"] == false && measure["value"] == .null, "\(name)")
            #expect(!(try measure.string("reason")).isEmpty, "\(name)")
        }
        #expect(measures["faceLiveliness"]?["weight"] == nil)
        let parts = try report.array("scoreParts")
        #expect(abs(parts.compactMap { $0["share"]?.doubleValue }.reduce(0, +) - 100) < 1e-9)
        let melody = try #require(parts.first { $0["part"] == "vocalVariety" })
        #expect(melody["share"] == 16.9 && melody["valid"] == false && melody["measures"] == ["tonalVariety"])
        #expect(melody["reason"]?.stringValue?.isEmpty == false)
    }

    @Test("tells when fillers were said, and of each pause whether it ends a thought")
    func times() throws {
        var document = Document.json(fillers: ["um": 1])
        document["fillerTimes"] = [["word": "um", "start": 3.5, "end": 3.75]]
        document["pauses"] = [["start": 6.754, "end": 7.65, "kind": "strategic"], ["start": 16, "end": 18.6]]
        let report = try report(document)
        #expect(report["fillerTimes"] == [["word": "um", "start": 3.5, "end": 3.75]])
        #expect(
            report["pauses"] == [
                ["start": 6.75, "end": 7.65, "kind": "strategic"], ["start": 16.0, "end": 18.6, "kind": .null],
            ])
        document["fillers"] = .null
        document["fillersReason"] = "too-noisy"
        #expect(
            try Coaching.ReportBuilder.report(Findings(document), session: Fixture.id)["fillerTimes"] == [])
    }

    @Test("carries a measure's direction and version")
    func directions() throws {
        var document = Document.json()
        document["measures"] = [
            "soundQuality": [
                "value": 0.9, "unit": "0-1", "source": "measured", "valid": true, "direction": "higher", "version": 2,
            ]
        ]
        let measures = try report(document).object("measures")
        #expect(measures["soundQuality"]?["direction"] == "higher")
        #expect(measures["soundQuality"]?["version"] == 2)
    }

    @Test("says of each warning what to do, also of one that it does not know")
    func warnings() throws {
        var document = Document.json()
        document["warnings"] = ["too-dark", "something-new"]
        let report = try report(document)
        #expect(report["warnings"] == ["too-dark", "something-new"])
        let texts = try report.array("warningTexts").compactMap(\.stringValue)
        #expect(texts.count == 2)
        #expect(texts[0].contains("lamp"))
        #expect(!texts[1].isEmpty)
        // Around a tiny face, patterns are taken for others.
        document["warnings"] = ["face-small", "several-faces"]
        #expect(
            try Coaching.ReportBuilder.report(Findings(document), session: Fixture.id)["warnings"] == ["face-small"])
        document["warnings"] = ["several-faces"]
        #expect(
            try Coaching.ReportBuilder.report(Findings(document), session: Fixture.id)["warnings"] == ["several-faces"])
    }
}
