import Contracts
import JSON
import Measuring
import Providers
import Runtime
import Testing

@testable import analysis

@Suite("An answer about emotions") @Loop struct EmotionQuestionTests {
    private nonisolated static let good: JSONObject = [
        "joy": 0.5, "neutral": 0.301, "anxious": 0, "engaged": 0.2, "surprise": 0,
    ]

    private func read(_ answer: JSONObject) throws -> SeenEmotions {
        var call = Fixture.call
        (call.scope, call.model) = (ConsentScope(provider: "openai", purpose: .emotions), "gpt-4o")
        return try EmotionQuestion([]).read(ModelAnswer(object: answer), of: call).get()
    }

    @Test("is five shares that add up to 1, and stored as it is")
    func shares() throws {
        let seen = try read(Self.good)
        #expect(seen.engine == "openai/gpt-4o")
        #expect(seen.shares == [.joy: 0.5, .neutral: 0.3, .anxious: 0, .engaged: 0.2, .surprise: 0])
        #expect(try SeenEmotions(seen.json) == seen)
        let all = seen.added(to: ["engines": ["face": "dlib"]])
        #expect(all["engines"] == ["face": "dlib", "emotions": "openai/gpt-4o"])
        #expect(all["emotions"]?["shares"]?["joy"] == 0.5)
    }

    @Test(
        "is dropped as a whole for one fault in it",
        arguments: [
            ("joy", 0.6, "unfit-range"), ("joy", 1.5, "unfit-range"), ("joy", "much", "unfit-form"),
            ("joy", .null, "unfit-form"), ("anger", 0, "unfit-excess"),
        ] as [(String, JSONValue, String)])
    func faults(name: String, value: JSONValue, code: String) throws {
        let answer = Self.good.adding(membersOf: JSONObject([(name, value)]))
        let unfit = #expect(throws: UnfitAnswer.self) { try read(answer) }
        #expect(unfit?.code == code)
    }

    @Test("that is stored with something else than shares is none")
    func stored() throws {
        #expect(throws: JSONError.self) { try SeenEmotions(["engine": "x", "shares": ["joy": 1]]) }
        #expect(throws: JSONError.self) {
            try SeenEmotions(["engine": "x", "shares": .object(Self.good.adding(["joy": 0.9]))])
        }
    }
}
