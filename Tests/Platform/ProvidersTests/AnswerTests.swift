import JSON
import ProviderTesting
import Testing

@testable import Providers

@Suite struct `A transcription` {
    private func read(_ value: JSONValue, ms: Int64 = 30_000) throws -> Transcript {
        try Transcript(reading: value.bytes, audioMs: ms)
    }

    private func word(_ text: JSONValue, _ start: JSONValue, _ end: JSONValue) -> JSONValue {
        ["word": text, "start": start, "end": end]
    }

    @Test func `has its words with times within the sound, and is told whose language it is`() throws {
        let read = try Transcript(reading: StandIn.words, audioMs: 30_000)
        #expect(
            read.words == [
                .init(text: "The", startMs: 0, endMs: 240), .init(text: "quick", startMs: 240, endMs: 600),
                .init(text: "fox", startMs: 29_500, endMs: 30_000),
            ])
        #expect(read.language == "english")
    }

    @Test func `may be silence, and words of nothing are left out`() throws {
        #expect(try read(["words": []]) == Transcript(words: [], language: nil))
        #expect(try read(["words": [word(" ", 0, 1)], "language": .null, "more": [1, 2]]).words == [])
        #expect(try read(["words": [word("one", 1, 2), word("two", 1, 1)]]).words.count == 2)
    }

    @Test func `is not believed when anything that counts is missing, of another type, or where it cannot be`() {
        func fault(_ value: JSONValue) -> AnswerFault? {
            do throws(AnswerFault) { _ = try Transcript(reading: value.bytes, audioMs: 30_000) } catch { return error }
            return nil
        }
        #expect(fault([]) == .form)
        #expect(fault(["text": "The quick fox."]) == .form, "Without times it is not what was asked for.")
        #expect(fault(["words": "The quick fox."]) == .form)
        #expect(fault(["words": ["The"]]) == .form)
        #expect(fault(["words": [word(1, 0, 1)]]) == .form)
        #expect(fault(["words": [word("a", "0", 1)]]) == .form)
        #expect(fault(["words": [["word": "a", "start": 0]]]) == .form)
        #expect(fault(["words": [word("a\u{7}b", 0, 1)]]) == .form)
        #expect(fault(["words": [], "language": 7]) == .form)
        #expect(fault(["words": [word("a", -0.1, 1)]]) == .range)
        #expect(fault(["words": [word("a", 2, 1)]]) == .range)
        #expect(fault(["words": [word("a", 0, 33)]]) == .range)
        #expect(fault(["words": [word("a", 1e300, 1e301)]]) == .range)
        #expect(fault(["words": [word("a", 5, 6), word("b", 4, 5)]]) == .range)
        #expect(fault(["words": [word(.string(String(repeating: "a", count: 101)), 0, 1)]]) == .excess)
        let flood = (0..<500).map { _ in word("thanks", 1, 2) }
        #expect(fault(["words": .array(flood)]) == .excess)
    }

    @Test(arguments: ["", "<html>502 Bad Gateway</html>", "{\"words\": [", "{\"words\": []} and more", "null"])
    func `is not believed when it is no JSON object`(text: String) {
        #expect(throws: AnswerFault.self) { try Transcript(reading: Array(text.utf8), audioMs: 30_000) }
    }
}

@Suite struct `An answer of a model` {
    private func fault(_ bytes: [UInt8]) -> AnswerFault? {
        do throws(AnswerFault) { _ = try ModelAnswer(reading: bytes) } catch { return error }
        return nil
    }

    @Test(
        arguments: [
            "{\"number\": 7}", "  {\"number\": 7}\n", "```json\n{\"number\": 7}\n```", "```\n{\"number\": 7}```",
            "```JSON \r\n{\"number\": 7}\r\n```\n",
        ])
    func `is one JSON object, perhaps in a fence`(text: String) throws {
        let answer = try ModelAnswer(reading: StandIn.completion(text))
        #expect(answer.object == ["number": 7])
        #expect(answer.inputTokens == 1_000 && answer.outputTokens == 100)
    }

    @Test(
        arguments: [
            ("Sure! {\"number\": 7}", .notJSON), ("{\"number\": 7} Anything else?", .truncated),
            ("{\"number\": 7}{\"number\": 8}", .notJSON), ("```python\n{\"number\": 7}\n```", .notJSON),
            ("```json {\"number\": 7} ```", .notJSON), ("{\"number\": 7", .truncated),
            ("```json\n{\"number\": 7}", .truncated), ("{\"number\": 7, \"number\": 8}", .notJSON),
            ("[7]", .form), ("7", .form), ("", .notJSON), ("``````", .notJSON), ("{number: 7}", .notJSON),
        ] as [(String, AnswerFault)])
    func `is not believed with anything around it, or half`(text: String, expected: AnswerFault) {
        #expect(fault(StandIn.completion(text)) == expected)
    }

    @Test func `is not believed when it was cut off, withheld or refused, whatever it holds`() {
        let good = "{\"number\": 7}"
        #expect(fault(StandIn.completion(good, reason: "length")) == .truncated)
        #expect(fault(StandIn.completion(good, reason: "content_filter")) == .withheld)
        let refusal: JSONValue = [
            "choices": [["message": ["content": .string(good), "refusal": "I cannot do that."]]]
        ]
        #expect(fault(refusal.bytes) == .withheld)
    }

    @Test func `is not believed without what every answer has, and needs no count`() throws {
        #expect(fault(Array("Bad Gateway".utf8)) == .notJSON)
        for value: JSONValue in [
            [], ["choices": []], ["choices": ["text"]], ["choices": [["text": "{}"]]],
            ["choices": [["message": ["content": .null]]]], ["choices": [["message": ["content": [1]]]]],
        ] {
            #expect(fault(value.bytes) == .form)
        }
        let plain: JSONValue = ["choices": [["message": ["content": "{}"]]]]
        #expect(try ModelAnswer(reading: plain.bytes) == ModelAnswer(object: [:]))
        var counted = plain.objectValue ?? [:]
        counted["usage"] = ["prompt_tokens": -1, "completion_tokens": 1]
        #expect(fault(JSONValue.object(counted).bytes) == .range)
        counted["usage"] = ["prompt_tokens": "many", "completion_tokens": 1]
        #expect(fault(JSONValue.object(counted).bytes) == .form)
    }
}
