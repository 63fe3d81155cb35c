import HTTPServer
import JSON
import Primitives
import ProviderTesting
import Runtime
import Testing
import TestingSupport
import TestingTools

@testable import Providers

/// Both protocols, with all that may go wrong on the way.
@Suite(.timeLimit(.minutes(2))) @Loop struct `A text that is read aloud` {
    private let text = SpeechText("Good morning.")

    private func failure<Answer>(_ outcome: Provider.Outcome<Answer>) -> ProviderFailure? {
        if case .failure(let failure) = outcome.result { failure } else { nil }
    }

    private func speak(
        _ standIn: StandIn, _ speech: ProviderDeclaration.Speech, _ deadline: Duration = .seconds(30)
    ) async throws -> Provider.Outcome<SpokenAudio> {
        try await standIn.voices(speech).speak(text, with: StandIn.spoken(speech, deadline))
    }

    @Test func `is asked for as the OpenAI API has it, and costs what its characters cost`() async throws {
        try await StandIn.run(StandIn.sounding()) { standIn in
            let outcome = try await speak(standIn, .openai)
            #expect(try outcome.result.get().bytes == StandIn.sound)
            #expect(try outcome.result.get().form == .mp3)
            #expect(outcome.costMicros == 195 && outcome.attempts == 1)
            let asked = try #require(standIn.asked.first)
            #expect(asked.path == "/v1/audio/speech" && asked.headers["accept"] == "audio/mpeg")
            #expect(asked.headers["authorization"] == "Bearer sk-a-key-of-tests")
            // The API's own client sends the same (Tests/system/contracts/openai/voices.py).
            let question = try Checkout.text(of: "Tests/system/contracts/openai/speech-question.json")
            #expect(try JSONObject.parse(asked.body) == (try JSONObject.parse(question.utf8)))
        }
    }

    @Test func `is asked for as the ElevenLabs API has it, in the voice that is declared or another`() async throws {
        try await StandIn.run(StandIn.sounding()) { standIn in
            let outcome = try await speak(standIn, .elevenlabs)
            #expect(try outcome.result.get().bytes == StandIn.sound && outcome.costMicros == 195)
            let other = SpeechText("Good morning.", voice: "c38kUX8pkfYO2kHyqfFy")
            _ = try await standIn.voices().speak(other, with: StandIn.spoken())
            #expect(
                standIn.asked.map(\.path) == [
                    "/v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb", "/v1/text-to-speech/c38kUX8pkfYO2kHyqfFy",
                ])
            let asked = try #require(standIn.asked.first)
            #expect(
                asked.query == ["output_format=mp3_44100_128"] && asked.headers["xi-api-key"] == "sk-a-key-of-tests")
            #expect(asked.headers["authorization"] == nil)
            // The API's own client sends the same (Tests/system/contracts/elevenlabs/read.py).
            let question = try Checkout.text(of: "Tests/system/contracts/elevenlabs/speech-question.json")
            #expect(try JSONObject.parse(asked.body) == (try JSONObject.parse(question.utf8)))
        }
    }

    @Test(
        arguments: [
            (.mp3, "audio/mpeg", [0xFF, 0xFB, 0x90, 0x44]), (.mp3, "audio/mpeg", Array("ID3".utf8)),
            (.opus, "audio/ogg; codecs=opus", Array("OggS".utf8)),
            (.wav, "application/octet-stream", Array("RIFF\u{1}\u{1}\u{1}\u{1}WAVEfmt ".utf8)),
        ] as [(AudioForm, String, [UInt8])])
    func `comes in each form`(form: AudioForm, type: String, bytes: [UInt8]) async throws {
        try await StandIn.run(StandIn.sounding(bytes, type: type)) { standIn in
            for speech in [ProviderDeclaration.Speech.openai, .elevenlabs] {
                let outcome = try await standIn.voices(speech).speak(text, with: StandIn.spoken(speech, form: form))
                #expect(try outcome.result.get() == SpokenAudio(reading: bytes, in: form))
            }
        }
    }

    @Test(
        arguments: [
            ([], "audio/mpeg"), (Array("RIFF1234WAVE".utf8), "audio/mpeg"), ([0xFF, 0xF9, 0x50, 0x80], "audio/mpeg"),
            (StandIn.sound, "application/json"), (StandIn.sound, "text/html; charset=utf-8"),
            (Array("<html>hello</html>".utf8), "text/html"),
            (Array("{\"error\": \"no credits\"}".utf8), "application/json"),
        ] as [([UInt8], String)], [ProviderDeclaration.Speech.openai, .elevenlabs])
    func `is none when it is said to be something else, or begins as something else; it is paid`(
        answer: ([UInt8], String), speech: ProviderDeclaration.Speech
    ) async throws {
        try await StandIn.run(StandIn.sounding(answer.0, type: answer.1)) { standIn in
            let outcome = try await speak(standIn, speech)
            #expect(failure(outcome) == .unreadable(.notAudio))
            #expect(outcome.costMicros == 195 && outcome.attempts == 1 && standIn.asked.count == 1)
        }
    }

    @Test(
        arguments: [
            (.silent, .overdue), (.stuck, .overdue), (.half(StandIn.sound), .cut),
            (StandIn.sounding(StandIn.sound + [UInt8](repeating: 0, count: 10_000)), .tooLarge),
        ] as [(StandIn.Behaviour, ProviderFailure)], [ProviderDeclaration.Speech.openai, .elevenlabs])
    func `that does not come whole, in time and in bounds is not asked for again, and may be charged`(
        fault: (StandIn.Behaviour, ProviderFailure), speech: ProviderDeclaration.Speech
    ) async throws {
        try await StandIn.run(fault.0) { standIn in
            let outcome = try await speak(standIn, speech, .seconds(2))
            #expect(failure(outcome) == fault.1)
            #expect(outcome.costMicros == 195 && outcome.attempts == 1 && standIn.asked.count == 1)
        }
    }

    @Test(arguments: [ProviderDeclaration.Speech.openai, .elevenlabs])
    func `is asked for again after what costs nothing, and not before the provider wants it`(
        speech: ProviderDeclaration.Speech
    ) async throws {
        for status in [429, 500, 503] {
            try await StandIn.run(
                .answer(status: status, [], headers: ["Retry-After": "0"]), StandIn.sounding()
            ) { standIn in
                let outcome = try await speak(standIn, speech)
                #expect(try outcome.result.get().bytes == StandIn.sound)
                #expect(outcome.attempts == 2 && outcome.costMicros == 195)
            }
        }
        try await StandIn.run(.answer(status: 429, [], headers: ["Retry-After": "3600"])) { standIn in
            let outcome = try await speak(standIn, speech)
            #expect(failure(outcome) == .throttled(after: .seconds(3_600)))
            #expect(outcome.attempts == 1 && outcome.costMicros == 0)
        }
        try await StandIn.run(.answer(status: 500, [])) { standIn in
            let outcome = try await speak(standIn, speech)
            #expect(failure(outcome) == .unavailable(status: 500, after: nil))
            #expect(outcome.attempts == 3 && outcome.costMicros == 0)
        }
    }

    @Test(
        arguments: [
            (StandIn.usedUp, .throttled(after: nil)),
            (Array("{\"detail\": {\"status\": \"invalid_api_key\"}}".utf8), .keyRefused),
            (Array("{\"detail\": [7]}".utf8), .keyRefused), ([], .keyRefused),
        ] as [([UInt8], ProviderFailure)])
    func `is not the key's fault when what was paid for is used up`(
        body: [UInt8], expected: ProviderFailure
    ) async throws {
        try await StandIn.run(.answer(status: 401, body)) { standIn in
            let outcome = try await speak(standIn, .elevenlabs)
            #expect(failure(outcome) == expected && outcome.costMicros == 0)
        }
    }

    @Test func `is not sent when it is too long, empty, or in a voice that is part of an address`() async throws {
        try await StandIn.run(StandIn.sounding()) { standIn in
            let long = SpeechText(String(repeating: "a", count: 101))
            for (text, expected) in [
                (long, ProviderFailure.refused(status: 413)), (SpeechText(""), .invalidRequest),
                (SpeechText("a", voice: "../voices/add"), .invalidRequest),
                (SpeechText("a", voice: ""), .invalidRequest),
            ] {
                let outcome = try await standIn.voices().speak(text, with: StandIn.spoken())
                #expect(failure(outcome) == expected && outcome.attempts == 0 && outcome.costMicros == 0)
            }
            let nobody = try await standIn.voices(.gemini).speak(text, with: StandIn.spoken())
            #expect(failure(nobody) == .invalidRequest && standIn.asked.isEmpty)
        }
    }

    @Test func `is asked for twice only where that is declared, and limits count both`() async throws {
        try await StandIn.run(.silent, StandIn.sounding()) { standIn in
            let provider = standIn.voices(hedgeAfter: .milliseconds(20))
            #expect(provider.cost(of: text) == 390 && standIn.voices().cost(of: text) == 195)
            let outcome = try await provider.speak(text, with: StandIn.spoken())
            #expect(try outcome.result.get().bytes == StandIn.sound)
            #expect(outcome.attempts == 2 && outcome.costMicros == 390)
        }
    }

    @Test func `is not asked for while the circuit is open, of that model alone`() async throws {
        try await StandIn.run(StandIn.sounding([])) { standIn in
            let provider = standIn.voices(.openai)
            for _ in 1...5 { _ = try await provider.speak(text, with: StandIn.spoken(.openai)) }
            let paused = try await provider.speak(text, with: StandIn.spoken(.openai))
            #expect(failure(paused) == .paused && paused.attempts == 0 && standIn.asked.count == 5)
            let figures = provider.figures(of: "tts-1")
            #expect(figures.calls == 6 && figures.answered == 0 && figures.costMicros == 5 * 195)
            standIn.behaviours = [.answer(StandIn.judged)]
            #expect(try await provider.moderate(["a", "b"], with: StandIn.moderation()).result.get().count == 2)
        }
    }
}

@Suite(.timeLimit(.minutes(2))) @Loop struct `Texts that are judged` {
    private func failure<Answer>(_ outcome: Provider.Outcome<Answer>) -> ProviderFailure? {
        if case .failure(let failure) = outcome.result { failure } else { nil }
    }

    private func moderate(
        _ standIn: StandIn, _ texts: [String] = ["Good morning.", "You fool."], _ deadline: Duration = .seconds(30)
    ) async throws -> Provider.Outcome<[ModerationVerdict]> {
        try await standIn.voices(.openai).moderate(texts, with: StandIn.moderation(deadline))
    }

    @Test func `have a verdict each, with kinds and how sure it is of them`() async throws {
        try await StandIn.run(.answer(StandIn.judged)) { standIn in
            let outcome = try await moderate(standIn)
            let verdicts = try outcome.result.get()
            #expect(verdicts.map(\.isFlagged) == [false, true])
            #expect(verdicts.map(\.categories) == [[], [.harassment]])
            #expect(verdicts[1].scores[.harassment] == 0.93 && verdicts[1].scores[.graphicViolence] == 0.0001)
            #expect(verdicts[0].scores.count == 13)
            #expect(outcome.costMicros == 20 && standIn.voices(.openai).costOfModeration() == 20)
            let asked = try #require(standIn.asked.first)
            #expect(asked.path == "/v1/moderations")
            // The API's own client sends the same (Tests/system/contracts/openai/voices.py).
            let question = try Checkout.text(of: "Tests/system/contracts/openai/moderation-question.json")
            #expect(try JSONObject.parse(asked.body) == (try JSONObject.parse(question.utf8)))
        }
    }

    @Test func `have none that is believed unless it is one for each, whole and in range`() {
        func fault(_ results: JSONValue, _ count: Int = 1) -> AnswerFault? {
            do throws(AnswerFault) {
                _ = try ModerationVerdict.read(JSONValue.object(["results": results]).bytes, count: count)
            } catch { return error }
            return nil
        }
        func result(_ flag: JSONValue, _ categories: JSONValue, _ scores: JSONValue) -> JSONValue {
            [["flagged": flag, "categories": categories, "category_scores": scores]]
        }
        #expect(fault(result(false, ["hate": false], ["hate": 0])) == nil)
        #expect(fault(result(false, ["hate": false, "illicit": .null], ["hate": 1, "illicit": .null])) == nil)
        #expect(fault(result(false, ["hate": false], ["hate": 0]), 2) == .form)
        #expect(fault([], 1) == .form)
        #expect(fault("well", 1) == .form)
        #expect(fault([7]) == .form)
        #expect(fault(result("no", ["hate": false], ["hate": 0])) == .form)
        #expect(fault(result(false, [:], [:])) == .form, "Who has looked at nothing has found nothing.")
        #expect(fault(result(false, ["hate": .null], ["hate": 0])) == .form)
        #expect(fault(result(false, ["hate": 0], ["hate": 0])) == .form)
        #expect(fault(result(false, ["hate": false], [:])) == .form)
        #expect(fault(result(false, ["hate": false], ["hate": "0"])) == .form)
        #expect(fault(result(false, ["hate": false], ["hate": 1.1])) == .range)
        #expect(fault(result(false, ["hate": false], ["hate": -0.1])) == .range)
        let many = JSONObject((0...100).map { ("kind-\($0)", JSONValue.bool(false)) })
        #expect(fault(result(false, .object(many), ["hate": 0])) == .excess)
        #expect(throws: AnswerFault.notJSON) { try ModerationVerdict.read(Array("garbage".utf8), count: 1) }
    }

    @Test func `are flagged by any kind that they are of, whatever is said of the whole`() throws {
        let results: JSONValue = [
            ["flagged": false, "categories": ["of-its-own": true], "category_scores": ["of-its-own": 0.5]],
            ["flagged": true, "categories": ["hate": false], "category_scores": ["hate": 0.5]],
        ]
        let verdicts = try ModerationVerdict.read(JSONValue.object(["results": results]).bytes, count: 2)
        #expect(verdicts.map(\.isFlagged) == [true, true])
        #expect(verdicts[0].categories == [ModerationCategory(rawValue: "of-its-own")])
    }

    @Test(
        arguments: [
            (.silent, .overdue, 1, 20), (.stuck, .overdue, 1, 20), (.half(StandIn.judged), .cut, 1, 20),
            (.answer(Array("<html>".utf8), type: "text/html"), .unreadable(.notJSON), 1, 20),
            (.answer(StandIn.judged([false])), .unreadable(.form), 1, 20),
            (.answer([UInt8](repeating: 0x20, count: 2 << 20)), .tooLarge, 1, 20),
            (.answer(status: 500, []), .unavailable(status: 500, after: nil), 3, 0),
            (
                .answer(status: 429, [], headers: ["Retry-After": "3600"]), .throttled(after: .seconds(3_600)), 1, 0
            ), (.answer(status: 404, []), .refused(status: 404), 1, 0),
        ] as [(StandIn.Behaviour, ProviderFailure, Int, Int64)])
    func `have no verdict when the provider fails`(
        behaviour: StandIn.Behaviour, expected: ProviderFailure, attempts: Int, cost: Int64
    ) async throws {
        try await StandIn.run(behaviour) { standIn in
            // What is tried again has time for that; the others are waited for.
            let limit = Duration.seconds(attempts > 1 ? 60 : 2)
            let outcome = try await moderate(standIn, ["Good morning.", "You fool."], limit)
            #expect(failure(outcome) == expected)
            #expect(outcome.attempts == attempts && outcome.costMicros == cost)
        }
    }

    @Test func `are sent to nobody when there are none, or where there is nothing for that`() async throws {
        try await StandIn.run(.answer(StandIn.judged)) { standIn in
            #expect(try await failure(moderate(standIn, [])) == .invalidRequest)
            let other = try await standIn.voices().moderate(["a"], with: StandIn.moderation())
            #expect(failure(other) == .invalidRequest && standIn.asked.isEmpty)
        }
    }
}
