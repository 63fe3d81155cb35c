import Contracts
import JSON
import Measuring
import Providers
import Testing

@testable import analysis

@Suite("An answer about pictures") struct SightQuestionTests {
    private func read(_ text: String) throws -> SeenMeasures {
        let answer = try JSONObject.parse(text.utf8)
        return try SightQuestion.read(answer, engine: "openai/gpt-4o-mini")
    }

    private static let good =
        #"{"posture":{"value":1,"reason":null},"gestures":{"value":0.255,"reason":null},"#
        + #""expression":{"value":null,"reason":"pictures-unclear"}}"#

    @Test("is three numbers, or a reason for each")
    func numbers() throws {
        #expect(
            try read(Self.good)
                == SeenMeasures(
                    engine: "openai/gpt-4o-mini", posture: .value(1), gestures: .value(0.26),
                    expression: .nothing(.picturesUnclear)))
    }

    @Test(
        "is dropped as a whole for one fault in it",
        arguments: [
            ("\"value\":1,", "\"value\":1.01,", .range), ("\"value\":1,", "\"value\":-0.01,", .range),
            ("\"value\":1,", "\"value\":\"1\",", .form), ("\"value\":1,", "\"value\":true,", .form),
            ("\"value\":1,", "", .form), ("\"value\":1,", "\"value\":null,", .form),
            ("{\"value\":1,\"reason\":null}", "1", .form), ("\"pictures-unclear\"", "null", .form),
            ("\"pictures-unclear\"", "\"consent-required\"", .form), ("\"pictures-unclear\"", "\"all is well\"", .form),
            ("1,\"reason\":null", "1,\"reason\":\"pictures-unclear\"", .form),
            ("\"value\":1,", "\"value\":1,\"note\":\"\",", .excess),
            ("{\"posture\"", "{\"joy\":1,\"posture\"", .excess),
            ("\"posture\"", "\"emotion\"", .form),
        ] as [(String, String, AnswerFault)])
    func faults(from: String, to: String, fault: AnswerFault) throws {
        let text = Self.good.replacing(from, with: to, maxReplacements: 1)
        try #require(text != Self.good)
        #expect(throws: fault) { try read(text) }
    }

    @Test("is stored and read again as it is")
    func stored() throws {
        for seen in [try read(Self.good), .none(.consentRequired)] { #expect(try SeenMeasures(seen.json) == seen) }
        #expect(throws: JSONError.self) { try SeenMeasures(["posture": 1.5, "gestures": 0, "expression": 0]) }
        #expect(throws: JSONError.self) { try SeenMeasures(["posture": "well", "gestures": 0, "expression": 0]) }
    }

    @Test("takes the place of what the helper said of the same, and leaves the rest")
    func added() throws {
        let measured: JSONObject = [
            "engines": ["face": "dlib"], "measures": ["postureScore": ["value": 7], "clarity": ["value": 0.5]],
        ]
        let all = try read(Self.good).added(to: measured)
        #expect(all["engines"] == ["face": "dlib", "vision": "openai/gpt-4o-mini"])
        #expect(all["measures"]?["clarity"] == ["value": 0.5] && all["measures"]?["postureScore"]?["value"] == 1.0)
        let none = SeenMeasures.none(.noAnswer).added(to: measured)
        #expect(none["engines"] == ["face": "dlib"] && none["measures"]?["postureScore"]?["value"] == .null)
    }

    @Test("of a whole recording is stored as such, and its engine has a task of its own")
    func whole() throws {
        let answer = ModelAnswer(object: try JSONObject.parse(Self.good.utf8))
        var call = Fixture.call
        (call.scope, call.model) = (.init(provider: "gemini", purpose: .video), "gemini-2.5-flash")
        let seen = try SightQuestion.seen(in: answer, about: .recording, of: call).get()
        #expect(try SeenMeasures(seen.json) == seen && seen.extent == .recording)
        let all = seen.added(to: ["engines": ["face": "dlib"], "measures": [:]])
        #expect(all["engines"] == ["face": "dlib", "video": "gemini/gemini-2.5-flash"])
        #expect(all["measures"]?["postureScore"]?["engine"] == "gemini/gemini-2.5-flash")
        #expect(throws: JSONError.self) { try SeenMeasures(seen.json.adding(["of": "stars"])) }
        let fault = SightQuestion.seen(in: ModelAnswer(object: ["joy": 1]), about: .recording, of: call)
        #expect(throws: UnfitAnswer.self) { try fault.get() }
    }

    @Test("is asked for by a schema that has no word of the model's, and no emotion")
    func question() throws {
        let schema = SightQuestion.about([]).schema
        #expect(SightQuestion.ofAll.schema == schema && SightQuestion.ofAll.pictures.isEmpty)
        #expect(schema["required"] == ["posture", "gestures", "expression"])
        #expect(schema["additionalProperties"] == false)
        for aspect in SeenMeasures.Aspect.allCases {
            let finding = schema["properties"]?[aspect.rawValue]
            #expect(finding?["additionalProperties"] == false && finding?["required"] == ["value", "reason"])
            #expect(finding?["properties"]?["reason"]?["enum"] == ["not-in-pictures", "pictures-unclear", .null])
        }
    }
}
