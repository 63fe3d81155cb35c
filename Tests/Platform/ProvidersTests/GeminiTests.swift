import HTTPServer
import JSON
import ProviderTesting
import Runtime
import Testing
import TestingSupport
import TestingTools

@testable import Providers

@Suite struct `An answer of the Gemini API` {
    private func fault(_ bytes: [UInt8]) -> AnswerFault? {
        do throws(AnswerFault) { _ = try ModelAnswer(readingGemini: bytes) } catch { return error }
        return nil
    }

    private func answer(_ candidate: JSONValue, _ more: JSONObject = [:]) -> [UInt8] {
        var object = more
        object["candidates"] = [candidate]
        return JSONValue.object(object).bytes
    }

    private func said(_ parts: [JSONValue]) -> JSONValue {
        ["finishReason": "STOP", "content": ["parts": .array(parts), "role": "model"]]
    }

    @Test func `is one JSON object, and thoughts count as what was written`() throws {
        let answer = try ModelAnswer(readingGemini: StandIn.generated("```json\n{\"number\": 7}\n```"))
        #expect(answer == ModelAnswer(object: ["number": 7], inputTokens: 1_000, outputTokens: 100))
    }

    @Test func `may come in parts, and what the model thought is none of it`() throws {
        let parts: [JSONValue] = [
            ["text": "{\"number\": 1}", "thought": true], ["text": "{\"number\":"], ["thoughtSignature": "c2ln"],
            ["text": " 7}"],
        ]
        #expect(try ModelAnswer(readingGemini: answer(said(parts))) == ModelAnswer(object: ["number": 7]))
    }

    @Test(arguments: ["SAFETY", "RECITATION", "PROHIBITED_CONTENT", "SPII", "OTHER", "MALFORMED_RESPONSE", "NEWS"])
    func `is not believed when it was withheld, whatever it holds`(reason: String) {
        #expect(fault(StandIn.generated("{\"number\": 7}", reason: reason)) == .withheld)
        #expect(fault(answer(["finishReason": .string(reason)])) == .withheld)
    }

    @Test func `is not believed when the question was refused, or the model stopped in the middle`() {
        #expect(fault(JSONValue.object(["promptFeedback": ["blockReason": "SAFETY"]]).bytes) == .withheld)
        #expect(fault(StandIn.generated("{\"number\": 7}", reason: "MAX_TOKENS")) == .truncated)
        #expect(fault(answer(["finishReason": "MAX_TOKENS", "content": ["role": "model"]])) == .truncated)
        #expect(fault(answer(["content": ["parts": [["text": "{}"]]]])) == .truncated)
        #expect(fault(StandIn.generated("{\"number\": 7")) == .truncated)
        #expect(fault(StandIn.generated("Sure! {\"number\": 7}")) == .notJSON)
    }

    @Test func `is not believed without what every answer has, and needs no count`() throws {
        #expect(fault(Array("Bad Gateway".utf8)) == .notJSON)
        #expect(fault(StandIn.generated("{}").dropLast(5)) == .notJSON)
        for value: JSONValue in [
            [], [:], ["candidates": []], ["candidates": ["text"]], ["candidates": [["finishReason": "STOP"]]],
            ["candidates": [["finishReason": "STOP", "content": ["parts": "{}"]]]],
        ] {
            #expect(fault(value.bytes) == .form)
        }
        #expect(fault(answer(said(["{}"]))) == .form)
        #expect(fault(answer(said([["text": 7]]))) == .form)
        #expect(fault(answer(said([]))) == .notJSON)
        let plain = said([["text": "{}"]])
        #expect(try ModelAnswer(readingGemini: answer(plain)) == ModelAnswer(object: [:]))
        #expect(
            try ModelAnswer(readingGemini: answer(plain, ["usageMetadata": ["promptTokenCount": 5]]))
                == ModelAnswer(object: [:], inputTokens: 5, outputTokens: 0))
        #expect(fault(answer(plain, ["usageMetadata": ["promptTokenCount": -1]])) == .range)
        #expect(
            fault(answer(plain, ["usageMetadata": ["promptTokenCount": 1, "thoughtsTokenCount": "many"]])) == .form)
    }
}

@Suite struct `An error of a service of Google` {
    @Test func `says that the key is wrong, or how long to wait, and else nothing`() {
        #expect(GoogleError(reading: StandIn.unknownKey) == GoogleError(isOfKey: true))
        #expect(GoogleError(reading: StandIn.exhausted) == GoogleError(pause: .seconds(35)))
        func delayed(_ text: JSONValue) -> Duration? {
            let detail: JSONValue = ["@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": text]
            return GoogleError(reading: JSONValue.object(["error": ["details": [detail]]]).bytes).pause
        }
        #expect(delayed("7s") == .seconds(7) && delayed("999999999s") == .seconds(86_400))
        for text: JSONValue in ["", "s", "-1s", "7", "7ms", "9999999999s", 7] { #expect(delayed(text) == nil) }
        for text in ["", "<html>", "[]", "{\"error\": 1}", "{\"error\": {\"details\": [1, {\"@type\": 2}]}}"] {
            #expect(GoogleError(reading: Array(text.utf8)) == GoogleError())
        }
    }
}

@Suite(.timeLimit(.minutes(2))) @Loop struct `A question to the Gemini API` {
    private func failure(_ outcome: Provider.Outcome<ModelAnswer>) -> ProviderFailure? {
        if case .failure(let failure) = outcome.result { failure } else { nil }
    }

    @Test func `is what the API's own client sends, with the key in its field, and costs what was counted`()
        async throws
    {
        try await StandIn.run(.answer(StandIn.generated("{\"number\": 7}"))) { standIn in
            let outcome = try await standIn.gemini().answer(StandIn.question, with: StandIn.geminiChat())
            #expect(try outcome.result.get().object == ["number": 7])
            #expect(outcome.costMicros == 210 && outcome.attempts == 1)
            let asked = try #require(standIn.asked.first)
            #expect(asked.path == "/v1/models/gemini-2.5-flash-lite:generateContent")
            #expect(asked.headers["x-goog-api-key"] == "sk-a-key-of-tests" && asked.headers["authorization"] == nil)
            #expect(asked.headers["content-type"] == "application/json")
            // Held against the client by Tests/system/contracts/gemini/read.py.
            let expected = try Checkout.text(of: "Tests/system/contracts/gemini/question.json")
            #expect(try JSONObject.parse(asked.body) == (try JSONObject.parse(expected.utf8)))
        }
    }

    @Test func `has its pictures before its words`() async throws {
        try await StandIn.run(.answer(StandIn.generated("{\"number\": 7}"))) { standIn in
            var question = StandIn.question
            question.pictures = [ProviderPicture(jpeg: [0xFF, 0xD8, 0xFF]), ProviderPicture(jpeg: [0xFF, 0xD8])]
            _ = try await standIn.gemini().answer(question, with: StandIn.geminiChat())
            let asked = try #require(standIn.asked.first)
            #expect(
                try JSONObject.parse(asked.body)["contents"] == [
                    [
                        "role": "user",
                        "parts": [
                            ["inlineData": ["mimeType": "image/jpeg", "data": "/9j/"]],
                            ["inlineData": ["mimeType": "image/jpeg", "data": "/9g="]],
                            ["text": .string(question.material)],
                        ],
                    ]
                ])
        }
    }

    @Test func `costs the most that it can where nothing was counted`() async throws {
        let plain: JSONValue = [
            "candidates": [["finishReason": "STOP", "content": ["parts": [["text": "{\"number\": 7}"]]]]]
        ]
        try await StandIn.run(.answer(plain.bytes)) { standIn in
            let (provider, model) = (standIn.gemini(), StandIn.geminiChat())
            let outcome = try await provider.answer(StandIn.question, with: model)
            #expect(outcome.costMicros == provider.cost(of: StandIn.question, with: model) && outcome.costMicros > 210)
        }
    }

    @Test(
        arguments: [
            (.silent, .overdue), (.stuck, .overdue), (.half(StandIn.generated("{\"number\": 7}")), .cut),
            (.answer(Array("<html>".utf8)), .unreadable(.notJSON)),
            (.answer(StandIn.generated("{\"number\": 7", reason: "MAX_TOKENS")), .unreadable(.truncated)),
            (.answer(StandIn.generated("No.", reason: "SAFETY")), .unreadable(.withheld)),
            (.answer(status: 504, []), .unavailable(status: 504, after: nil)),
        ] as [(StandIn.Behaviour, ProviderFailure)])
    func `is not sent again after what may be charged`(
        behaviour: StandIn.Behaviour, expected: ProviderFailure
    ) async throws {
        try await StandIn.run(behaviour) { standIn in
            let (provider, model) = (standIn.gemini(), StandIn.geminiChat(.seconds(1)))
            let outcome = try await provider.answer(StandIn.question, with: model)
            #expect(failure(outcome) == expected)
            #expect(standIn.asked.count == 1 && outcome.costMicros == provider.cost(of: StandIn.question, with: model))
        }
    }

    @Test(arguments: [(429, ["Retry-After": "0"]), (500, [:]), (503, [:])] as [(Int, Headers)])
    func `is sent again after what costs nothing`(status: Int, headers: Headers) async throws {
        try await StandIn.run(
            .answer(status: status, [], headers: headers), .answer(StandIn.generated("{\"number\": 7}"))
        ) { standIn in
            let outcome = try await standIn.gemini().answer(StandIn.question, with: StandIn.geminiChat())
            #expect(outcome.attempts == 2 && outcome.costMicros == 210)
        }
    }

    @Test func `waits as long as the answer's words say, or is given up`() async throws {
        try await StandIn.run(.answer(status: 429, StandIn.exhausted)) { standIn in
            let outcome = try await standIn.gemini().answer(StandIn.question, with: StandIn.geminiChat())
            #expect(failure(outcome) == .throttled(after: .seconds(35)))
            #expect(standIn.asked.count == 1 && outcome.costMicros == 0)
        }
    }

    @Test func `with a key that is not known says so, though that is a bad request there`() async throws {
        try await StandIn.run(.answer(status: 400, StandIn.unknownKey)) { standIn in
            let outcome = try await standIn.gemini().answer(StandIn.question, with: StandIn.geminiChat())
            #expect(failure(outcome) == .keyRefused)
            #expect(standIn.asked.count == 1 && outcome.costMicros == 0)
            standIn.behaviours = [.answer(status: 400, [])]
            let other = try await standIn.gemini().answer(StandIn.question, with: StandIn.geminiChat())
            #expect(failure(other) == .refused(status: 400))
        }
    }
}
