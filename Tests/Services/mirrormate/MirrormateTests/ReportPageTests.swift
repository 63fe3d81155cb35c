import JSON
import Testing

@testable import mirrormate

@Suite("A report page") struct ReportPageTests {
    private func page(_ report: JSONObject, width: Int = 80, coloured: Bool = false) -> String {
        ReportPage(report: report, style: Style(isColoured: coloured), width: width).text
    }

    private let report: JSONObject = [
        "durationSec": 28, "confidenceScore": 71, "impressionTags": ["calm", "articulate"],
        "fillerWords": ["um": 2, "like": 0, "so": 1], "fillersAtLeast": true,
        "vocalAnalysis": ["paceWordsPerMin": 143, "clarity": 0.82, "tonalVariety": nil],
        "gaze": ["eyeContactPct": 0.97],
        "toneTimeline": [["t": 0, "energy": 0.1], ["t": 5, "energy": nil], ["t": 10, "energy": 1.0]],
        "scoreParts": [
            ["part": "eyeContact", "weight": 20, "share": 25.0, "value": 0.97, "valid": true],
            [
                "part": "gestures", "weight": 15, "share": 0, "value": nil, "valid": false,
                "reason": "nothing measures it",
            ],
        ],
        "strengths": ["You look at the camera."], "areasForImprovement": ["Vary your voice."],
        "practiceExercises": ["Read a page aloud."], "feedback": "Well done.",
        "keyMoments": [["timestamp": 65, "type": "strength", "description": "A clear pause."]],
        "transcript": ["text": "Good evening.", "lowConfidence": true],
        "measures": [
            "pauseCount": ["value": 5, "valid": true], "pauseMeanSeconds": ["value": 1.21, "valid": true],
            "pauseLongestSeconds": ["value": 1.98, "valid": true],
            "postureScore": ["value": nil, "valid": false, "reason": "the body is not in the picture"],
            "gestureNaturalness": ["value": nil, "valid": false, "reason": "the body is not in the picture"],
        ],
        "engines": ["words": "Moonshine tiny-en", "faces": "dlib 19.24"],
    ]

    @Test("says everything that the report holds")
    func complete() {
        let text = page(report)
        for part in [
            "Coaching report of a 0:28 minute video", "71 of 100", "calm, articulate",
            "143 words a minute",
            "5, 1.2 s on average, the longest 2.0 s", "at least 3: um 2, so 1", "97 %", "▁·█", "Eye contact",
            "not rated, nothing measures it", "You look at the camera.", "Vary your voice.", "Read a page aloud.",
            "1:05 + A clear pause.", "recognised with low confidence", "Good evening.",
            "Posture, Gestures: the body is not in the picture",
            "words Moonshine tiny-en, faces dlib 19.24",
        ] {
            #expect(text.contains(part), "\(part) is missing")
        }
        #expect(!text.contains("\u{1B}"))
        #expect(!text.contains("Tonal variety"))
    }

    @Test("says who worded it where that was not this server, and never that its words were measured")
    func worded() {
        var worded = report
        for (engine, isTold) in [("openai/gpt-4o-mini", true), ("catalogue", false)] {
            worded["engines"] = ["words": "Moonshine tiny-en", "text": .string(engine)]
            let text = page(worded).split(whereSeparator: \.isWhitespace).joined(separator: " ")
            #expect(text.contains("Worded by openai/gpt-4o-mini;") == isTold)
            #expect(text.contains("by: words Moonshine tiny-en") && !text.contains("text \(engine)"))
        }
    }

    @Test("says what the score rests on and what fillers take away, where the report does")
    func restsOn() {
        #expect(!page(report).contains("points judged"))
        var second = report
        second["scoreCoverage"] = 65
        second["scoreRange"] = ["low": 69, "high": 73]
        second["scoreParts"] = [
            ["part": "fewFillers", "weight": 0, "share": 0.0, "value": 0.6, "valid": true, "deduction": 4.1],
            [
                "part": "vocalVariety", "weight": 10, "share": 15.4, "value": nil, "valid": false,
                "reason": "too little is spoken",
            ],
        ]
        #expect(page(second).contains("69 to 73, 65 of 100 points judged"))
        // It is broken into lines.
        func line(_ report: JSONObject) -> String {
            page(report).split(whereSeparator: \.isWhitespace).joined(separator: " ")
        }
        #expect(line(second).contains("Posture and gestures are not judged."))
        #expect(!line(report).contains("Posture and gestures are not judged."))
        var seen = second
        seen["bodyLanguageAnalysis"] = ["postureScore": 0.8, "gestureNaturalness": nil]
        seen["engines"] = ["vision": "openai/gpt-4o-mini"]
        #expect(line(seen).contains("and on your posture as openai/gpt-4o-mini has seen it in some pictures."))
        seen["engines"] = ["video": "gemini/gemini-2.5-flash"]
        #expect(line(seen).contains("your posture as gemini/gemini-2.5-flash has seen it in the whole recording."))
        #expect(page(second).contains("takes away 4.1"))
        #expect(page(second).contains("not rated, too little is spoken, counts as 0 weight 15 %"))
        #expect(!page(report).contains("counts as 0"))
    }

    @Test("puts what went well first, then the one thing to work on with its exercise, then the rest")
    func firstStep() throws {
        var second = report
        second["areasForImprovement"] = ["Slow down. Listeners need a moment.", "Vary your voice."]
        second["practiceExercises"] = [
            "Breathe out between sentences. The next report shows it.", "Read a page aloud.",
        ]
        second["firstStep"] = [
            "what": "Slow down.", "why": "Listeners need a moment.", "exercise": "Breathe out between sentences.",
            "nextRecording": "The next report shows it.", "measures": ["paceWordsPerMin"],
        ]
        second["warnings"] = ["too-dark"]
        second["warningTexts"] = ["Turn the lamp to your face."]
        var rest = page(second)[...]
        for part in [
            "What went well", "You look at the camera.", "What to work on first", "Slow down. Listeners need a moment.",
            "Breathe out between sentences.", "The next report shows it.", "After that", "Vary your voice.",
            "Read a page aloud.", "A clear pause.", "How the score is made",
            "About the recording", "Turn the lamp to your face.",
        ] {
            rest = rest[try #require(rest.firstRange(of: part), "\(part)").upperBound...]
        }
        #expect(!page(second).contains("too-dark"))
        #expect(!page(report).contains("What to work on first"))
    }

    @Test("says nothing twice: what is to be worked on is no warning, and what there is nothing to say of was judged")
    func once() {
        var second = report
        second["warnings"] = ["too-dark", "file-damaged"]
        second["warningTexts"] = ["Turn the lamp to your face.", "Export it again."]
        second["wording"] = ["language": "en", "variants": ["area.darkFace.what": 1]]
        second["measures"] = [
            "areasForImprovement": ["valid": false, "reason": "nothing needs work"],
            "clarity": ["valid": false, "reason": "too noisy"],
        ]
        #expect(!page(second).contains("lamp") && page(second).contains("Export it again."))
        #expect(!page(second).contains("nothing needs work") && page(second).contains("Clarity: too noisy"))
        second["wording"] = ["language": "en", "variants": ["area.smallFace.what": 1]]
        #expect(page(second).contains("lamp"))
    }

    @Test("is coloured only where colours are wanted")
    func colours() {
        #expect(page(report, coloured: true).contains("\u{1B}[1m"))
    }

    @Test("has no line that is wider than the terminal", arguments: [60, 80, 100])
    func width(columns: Int) {
        var long = report
        long["feedback"] = .string(Array(repeating: "word", count: 200).joined(separator: " "))
        long["strengths"] = [.string(Array(repeating: "strength", count: 60).joined(separator: " "))]
        #expect(page(long, width: columns).split(separator: "\n").allSatisfy { $0.count <= columns })
    }

    @Test("of a report with nothing valid says why there is no score, and invents nothing")
    func empty() {
        let text = page([
            "confidenceScore": nil, "measures": ["confidenceScore": ["valid": false, "reason": "no face, no voice"]],
        ])
        #expect(text.contains("not rated: no face, no voice"))
        #expect(!text.contains("of 100"))
        #expect(!text.contains("Voice"))
        #expect(page([:]).contains("not rated"))
    }
}
