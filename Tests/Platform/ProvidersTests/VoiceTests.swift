import HTTPServer
import JSON
import Primitives
import ProviderTesting
import Runtime
import Testing
import TestingSupport

@testable import Providers

@Suite(.timeLimit(.minutes(2))) @Loop struct `A voice that is made after somebody's own` {
    private let name = UUID.v7()
    private let samples = [1, 2].map {
        ProviderAudio(
            bytes: Array("OggS sample \($0)".utf8), contentType: "audio/ogg", fileName: "sample-\($0).ogg",
            milliseconds: 1_000)
    }

    private func failure<Answer>(_ outcome: Provider.Outcome<Answer>) -> ProviderFailure? {
        if case .failure(let failure) = outcome.result { failure } else { nil }
    }

    private func make(
        _ standIn: StandIn, _ deadline: Duration = .seconds(30), hedgeAfter: Duration? = nil
    ) async throws -> Provider.Outcome<ClonedVoice> {
        try await standIn.voices(hedgeAfter: hedgeAfter).makeVoice(
            named: name, after: samples, with: StandIn.cloning(deadline))
    }

    private let id = VoiceID("c38kUX8pkfYO2kHyqfFy")

    @Test func `is asked for with its samples and a name of ours, and nothing of anybody`() async throws {
        try await StandIn.run(.answer(StandIn.voiceMade)) { standIn in
            let outcome = try await make(standIn)
            let voice = try outcome.result.get()
            #expect(voice.id == id && !voice.needsProof)
            #expect(outcome.costMicros == 1_000 && standIn.voices().costOfVoice() == 1_000)
            let asked = try #require(standIn.asked.first)
            #expect(asked.method == "POST" && asked.path == "/v1/voices/add")
            #expect(asked.headers["xi-api-key"] == "sk-a-key-of-tests")
            let boundary = try #require(asked.headers["content-type"]?.split(separator: "boundary=").last)
            let parts = asked.text.split(separator: "--\(boundary)", omittingEmptySubsequences: false)
            #expect(
                parts == [
                    "", "\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\n\(name)\r\n",
                    """
                    \r\nContent-Disposition: form-data; name="files"; filename="sample-1.ogg"\r
                    Content-Type: audio/ogg\r\n\r\nOggS sample 1\r\n
                    """,
                    """
                    \r\nContent-Disposition: form-data; name="files"; filename="sample-2.ogg"\r
                    Content-Type: audio/ogg\r\n\r\nOggS sample 2\r\n
                    """, "--\r\n",
                ])
        }
    }

    @Test func `is never asked for twice at once, or there were two`() async throws {
        try await StandIn.run(.silent) { standIn in
            let outcome = try await make(standIn, .milliseconds(500), hedgeAfter: .milliseconds(20))
            #expect(failure(outcome) == .overdue)
            #expect(outcome.attempts == 1 && standIn.asked.count == 1 && outcome.costMicros == 1_000)
        }
    }

    @Test(
        arguments: [
            (.stuck, .overdue, 1_000), (.half(StandIn.voiceMade), .cut, 1_000),
            (.answer(Array("garbage".utf8)), .unreadable(.notJSON), 1_000),
            (.answer(Array("{\"voice_id\": 7, \"requires_verification\": false}".utf8)), .unreadable(.form), 1_000),
            (.answer(Array("{\"voice_id\": \"abc\"}".utf8)), .unreadable(.form), 1_000),
            (
                .answer(Array("{\"voice_id\": \"../user\", \"requires_verification\": false}".utf8)),
                .unreadable(.form), 1_000
            ), (.answer([UInt8](repeating: 0x20, count: 2 << 20)), .tooLarge, 1_000),
            (.answer(status: 500, []), .unavailable(status: 500, after: nil), 0),
            (.answer(status: 422, []), .refused(status: 422), 0),
            (
                .answer(status: 401, StandIn.usedUp, headers: ["Retry-After": "3600"]),
                .throttled(after: .seconds(3_600)), 0
            ),
        ] as [(StandIn.Behaviour, ProviderFailure, Int64)])
    func `is not believed to be there unless the answer is whole`(
        behaviour: StandIn.Behaviour, expected: ProviderFailure, cost: Int64
    ) async throws {
        try await StandIn.run(behaviour) { standIn in
            let outcome = try await make(standIn, .seconds(2))
            #expect(failure(outcome) == expected && outcome.costMicros == cost)
        }
    }

    @Test func `is not asked for without samples, with too much of them, or of who makes none`() async throws {
        try await StandIn.run(.answer(StandIn.voiceMade)) { standIn in
            let large = ProviderAudio(
                bytes: [UInt8](repeating: 0, count: 501), contentType: "audio/ogg", fileName: "a.ogg", milliseconds: 1)
            for (samples, speech, expected) in [
                ([], .elevenlabs, ProviderFailure.invalidRequest),
                ([large, large], .elevenlabs, .refused(status: 413)), (samples, .openai, .invalidRequest),
            ] as [([ProviderAudio], ProviderDeclaration.Speech, ProviderFailure)] {
                let outcome = try await standIn.voices(speech).makeVoice(
                    named: name, after: samples, with: StandIn.cloning())
                #expect(failure(outcome) == expected && outcome.attempts == 0)
            }
            #expect(standIn.asked.isEmpty)
        }
    }

    // MARK: Away with it

    @Test func `is found by its name alone, and removed, whoever remembers its id`() async throws {
        try await StandIn.run(.answer(StandIn.voicesFound(name)), .answer(StandIn.voiceRemoved)) { standIn in
            let removed = try await standIn.voices().removeVoices(named: name, with: StandIn.cloning())
            #expect(try removed.get() == 1, "Another voice has this name in its own, and stays.")
            #expect(standIn.asked.map(\.method) == ["GET", "DELETE"])
            #expect(standIn.asked.map(\.path) == ["/v2/voices", "/v1/voices/c38kUX8pkfYO2kHyqfFy"])
            #expect(standIn.asked[0].query == ["search=\(name)", "page_size=100"])
        }
    }

    @Test func `is removed when it is not there, in whatever way that is said`() async throws {
        for status in [400, 404] {
            try await StandIn.run(.answer(status: status, StandIn.noVoice)) { standIn in
                let outcome = try await standIn.voices().removeVoice(try #require(id), with: StandIn.cloning())
                #expect(throws: Never.self) { try outcome.result.get() }
                #expect(standIn.asked.count == 1)
            }
        }
        try await StandIn.run(.answer(status: 400, Array("{\"detail\": {\"status\": \"other\"}}".utf8))) { standIn in
            let outcome = try await standIn.voices().removeVoice(try #require(id), with: StandIn.cloning())
            #expect(failure(outcome) == .refused(status: 400))
        }
    }

    @Test func `is said not to be removed as long as that is not known`() async throws {
        let found = StandIn.Behaviour.answer(StandIn.voicesFound(name))
        for (behaviours, expected) in [
            ([.answer(Array("{}".utf8))], ProviderFailure.unreadable(.form)),
            ([found, .answer(Array("{\"status\": \"later\"}".utf8))], .unreadable(.form)),
            ([found, .half(StandIn.voiceRemoved)], .cut),
            ([found, .answer(status: 500, [])], .unavailable(status: 500, after: nil)),
            ([.answer(status: 401, [])], .keyRefused),
        ] as [([StandIn.Behaviour], ProviderFailure)] {
            try await StandIn.run(behaviours[0]) { standIn in
                standIn.behaviours = behaviours
                let removed = try await standIn.voices().removeVoices(named: name, with: StandIn.cloning())
                #expect(throws: expected) { try removed.get() }
            }
        }
    }
}
