import HTTPServer
import JSON
import Primitives
import ProviderTesting
import Runtime
import Testing

@testable import Providers

@Suite(.timeLimit(.minutes(2))) @Loop struct `A file that is lent to a provider` {
    private let name = UUID(high: 0x0192_1234_5678_7abc, low: 0x8000_0000_0000_0001)
    private let bytes = Array("a recording.".utf8)
    private let good = StandIn.Behaviour.answer(StandIn.generated("{\"number\": 7}"))
    private let deleted = StandIn.Behaviour.answer(Array("{}".utf8))

    private func file(_ bytes: [UInt8]) -> LentFile {
        LentFile(name: name, contentType: "video/mp4", size: Int64(bytes.count), milliseconds: 30_000) {
            (from, count) in Array(bytes[Int(from)..<Int(from) + count])
        }
    }

    private func failure(_ lending: Provider.Lending) -> ProviderFailure? {
        if case .failure(let failure) = lending.outcome.result { failure } else { nil }
    }

    /// What was asked for, each as method and path, an upload's with what it was told.
    private func steps(_ standIn: StandIn) -> [String] {
        standIn.asked.map { asked in
            let command = asked.headers["x-goog-upload-command"].map { " \($0)" } ?? ""
            let offset = asked.headers["x-goog-upload-offset"].map { " from \($0)" } ?? ""
            return "\(asked.method) \(asked.path)\(command)\(offset)"
        }
    }

    private let start = "POST /upload/v1/files start"
    private let query = "POST /upload/v1/files query"
    private func last(from offset: Int) -> String { "POST /upload/v1/files upload, finalize from \(offset)" }
    private var look: String { "GET /v1/files/\(name)" }
    private let ask = "POST /v1/models/gemini-2.5-flash-lite:generateContent"
    private var delete: String { "DELETE /v1/files/\(name)" }

    private func lend(_ provider: Provider, _ deadline: Duration = .seconds(30)) async throws -> Provider.Lending {
        try await provider.answer(StandIn.question, about: file(bytes), with: StandIn.geminiVideo(deadline))
    }

    @Test func `is uploaded under its name, waited for, asked about, and taken back`() async throws {
        try await StandIn.run(
            StandIn.started, StandIn.uploaded(name), StandIn.looked(name, "PROCESSING"),
            StandIn.looked(name, "ACTIVE"), good, deleted
        ) { standIn in
            let lending = try await lend(standIn.gemini())
            #expect(try lending.outcome.result.get().object == ["number": 7])
            #expect(lending.isTakenBack && lending.outcome.costMicros == 210)
            #expect(steps(standIn) == [start, last(from: 0), look, look, ask, delete])
            for asked in standIn.asked { #expect(asked.headers["x-goog-api-key"] == "sk-a-key-of-tests") }
            #expect(try JSONObject.parse(standIn.asked[0].body) == ["file": ["name": .string("files/\(name)")]])
            #expect(standIn.asked[0].headers["x-goog-upload-protocol"] == "resumable")
            #expect(standIn.asked[0].headers["x-goog-upload-header-content-length"] == "12")
            #expect(standIn.asked[0].headers["x-goog-upload-header-content-type"] == "video/mp4")
            #expect(standIn.asked[1].body == bytes)
            let question = try JSONObject.parse(standIn.asked[4].body)
            let address = "https://generativelanguage.googleapis.com/v1beta/files/\(name)"
            #expect(
                question["contents"] == [
                    [
                        "role": "user",
                        "parts": [
                            ["fileData": ["mimeType": "video/mp4", "fileUri": .string(address)]],
                            ["text": .string(StandIn.question.material)],
                        ],
                    ]
                ])
        }
    }

    @Test func `goes in pieces of 8 MiB`() async throws {
        let large = [UInt8](repeating: 0x61, count: 8 << 20) + Array("the rest".utf8)
        let more = StandIn.Behaviour.answer([], headers: ["X-Goog-Upload-Status": "active"])
        try await StandIn.run(StandIn.started, more, StandIn.uploaded(name, "ACTIVE"), good, deleted) { standIn in
            let lending = try await standIn.gemini().answer(
                StandIn.question, about: file(large), with: StandIn.geminiVideo())
            #expect(failure(lending) == nil && lending.isTakenBack)
            #expect(
                steps(standIn) == [
                    start, "POST /upload/v1/files upload from 0", last(from: 8_388_608), ask, delete,
                ])
            #expect(standIn.asked[1].body.count == 8 << 20 && standIn.asked[2].text == "the rest")
        }
    }

    @Test(arguments: [.answer(status: 503, []), .half(Array("{\"file\": {}}".utf8))] as [StandIn.Behaviour])
    func `whose upload breaks goes on where the provider says`(fault: StandIn.Behaviour) async throws {
        let came = StandIn.Behaviour.answer(
            [], headers: ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "5"])
        try await StandIn.run(StandIn.started, fault, came, StandIn.uploaded(name, "ACTIVE"), good, deleted) {
            standIn in
            let lending = try await lend(standIn.gemini())
            #expect(failure(lending) == nil)
            #expect(steps(standIn) == [start, last(from: 0), query, last(from: 5), ask, delete])
            #expect(standIn.asked[3].text == "ording.")
        }
        let all = StandIn.Behaviour.answer([], headers: ["X-Goog-Upload-Status": "final"])
        try await StandIn.run(StandIn.started, fault, all, StandIn.looked(name, "ACTIVE"), good, deleted) { standIn in
            let lending = try await lend(standIn.gemini())
            #expect(failure(lending) == nil)
            #expect(steps(standIn) == [start, last(from: 0), query, look, ask, delete])
        }
    }

    @Test func `is taken back after whatever goes wrong on the way, for nothing`() async throws {
        let name = name
        let cases: [([StandIn.Behaviour], ProviderFailure)] = [
            ([.answer([], headers: ["X-Goog-Upload-Status": "active"])], .unreadable(.form)),
            ([.answer([], headers: ["X-Goog-Upload-URL": "ftp://example.org/x"])], .unreadable(.form)),
            ([.answer(status: 400, [])], .refused(status: 400)),
            ([.answer(status: 400, StandIn.unknownKey)], .keyRefused),
            ([StandIn.started, .answer(status: 400, [])], .refused(status: 400)),
            ([StandIn.started, .answer(Array("{}".utf8))], .unreadable(.form)),
            (
                [StandIn.started, .answer(Array("garbage".utf8), headers: ["X-Goog-Upload-Status": "final"])],
                .unreadable(.notJSON)
            ),
            ([StandIn.started, StandIn.uploaded(.zero)], .unreadable(.form)),
            ([StandIn.started, StandIn.uploaded(name, "MELTED")], .unreadable(.form)),
            (
                [
                    StandIn.started, .answer(status: 500, []),
                    .answer([], headers: ["X-Goog-Upload-Status": "cancelled"]),
                ], .unavailable(status: 500, after: nil)
            ),
            (
                [
                    StandIn.started, .answer(status: 500, []),
                    .answer([], headers: ["X-Goog-Upload-Status": "active", "X-Goog-Upload-Size-Received": "13"]),
                ], .unreadable(.form)
            ),
            ([StandIn.started, StandIn.uploaded(name, "FAILED")], .unusableFile),
            ([StandIn.started, StandIn.uploaded(name), StandIn.looked(name, "FAILED")], .unusableFile),
            ([StandIn.started, StandIn.uploaded(name), .answer(Array("[]".utf8))], .unreadable(.form)),
        ]
        for (behaviours, expected) in cases {
            try await StandIn.run(deleted) { standIn in
                standIn.behaviours = behaviours + [deleted]
                let lending = try await lend(standIn.gemini())
                #expect(failure(lending) == expected)
                #expect(lending.isTakenBack && lending.outcome.costMicros == 0)
                #expect(steps(standIn).last == delete && !steps(standIn).contains(ask))
            }
        }
    }

    @Test func `is taken back after a question that fails, which is charged as any other`() async throws {
        try await StandIn.run(
            StandIn.started, StandIn.uploaded(name, "ACTIVE"), .answer(Array("garbage".utf8)), deleted
        ) { standIn in
            let provider = standIn.gemini()
            let lending = try await lend(provider)
            #expect(failure(lending) == .unreadable(.notJSON) && lending.isTakenBack)
            let most = provider.cost(of: StandIn.question, about: file(bytes), with: StandIn.geminiVideo())
            #expect(lending.outcome.costMicros == most)
            // 30 seconds and what is around them, of 300 tokens each.
            #expect(most - provider.cost(of: StandIn.question, with: StandIn.geminiChat()) == 32 * 300 * 15 / 100)
            #expect(steps(standIn) == [start, last(from: 0), ask, delete])
        }
    }

    @Test func `that is never ready is given up with the deadline, and taken back`() async throws {
        try await StandIn.run(StandIn.started, StandIn.uploaded(name), .silent) { standIn in
            let provider = standIn.gemini()
            let lending = Loop.task { try await lend(provider, .seconds(3)) }
            while standIn.asked.count < 3 { try await standIn.came.wait(atMost: .seconds(10)) }
            standIn.behaviours = [deleted]
            let ended = try await lending.value
            #expect(failure(ended) == .overdue && ended.isTakenBack && ended.outcome.costMicros == 0)
            #expect(steps(standIn) == [start, last(from: 0), look, delete])
        }
    }

    @Test func `is taken back when nobody wants the answer any more`() async throws {
        try await StandIn.run(StandIn.started, StandIn.uploaded(name, "ACTIVE"), .silent) { standIn in
            let provider = standIn.gemini()
            let lending = Loop.task { try await lend(provider) }
            while standIn.asked.count < 3 { try await standIn.came.wait(atMost: .seconds(10)) }
            standIn.behaviours = [deleted]
            lending.cancel()
            await #expect(throws: CancellationError.self) { try await lending.value }
            #expect(steps(standIn) == [start, last(from: 0), ask, delete])
        }
    }

    @Test func `is taken back when it cannot be read here`() async throws {
        struct Unreadable: Error {}
        try await StandIn.run(StandIn.started, deleted) { standIn in
            let lost = LentFile(name: name, contentType: "video/mp4", size: 12, milliseconds: 1_000) { _, _ in
                throw Unreadable()
            }
            let provider = standIn.gemini()
            await #expect(throws: Unreadable.self) {
                try await provider.answer(StandIn.question, about: lost, with: StandIn.geminiVideo())
            }
            #expect(steps(standIn) == [start, delete])
        }
    }

    @Test func `that could not be taken back is by anybody who knows its name`() async throws {
        try await StandIn.run(StandIn.started, StandIn.uploaded(name, "ACTIVE"), good, .answer(status: 500, [])) {
            standIn in
            let lending = try await lend(standIn.gemini())
            #expect(failure(lending) == nil && !lending.isTakenBack)
            #expect(steps(standIn).count { $0 == delete } == 3)
            standIn.behaviours = [.answer(status: 502, []), deleted]
            try await standIn.gemini().takeBack(name)
            #expect(steps(standIn).count { $0 == delete } == 5)
        }
    }

    @Test func `that is not there any more counts as taken back, but not behind a key that is not accepted`()
        async throws
    {
        try await StandIn.run(.answer(status: 404, [])) { standIn in
            try await standIn.gemini().takeBack(name)
            #expect(steps(standIn) == [delete])
        }
        try await StandIn.run(.answer(status: 403, []), .answer(Array("{}".utf8))) { standIn in
            try await standIn.gemini().takeBack(name)
            #expect(steps(standIn) == [delete, "GET /v1/files"])
        }
        try await StandIn.run(.answer(status: 403, [])) { standIn in
            let provider = standIn.gemini()
            await #expect(throws: ProviderFailure.keyRefused) { try await provider.takeBack(name) }
        }
    }

    @Test func `is not uploaded while the circuit is open, which uploads that fail can open too`() async throws {
        try await StandIn.run(.answer(status: 500, [])) { standIn in
            let provider = standIn.gemini()
            for _ in 1...5 {
                let lending = try await lend(provider)
                #expect(failure(lending) == .unavailable(status: 500, after: nil))
            }
            let count = standIn.asked.count
            let paused = try await lend(provider)
            #expect(failure(paused) == .paused && paused.isTakenBack && standIn.asked.count == count)
            #expect(provider.figures(of: StandIn.geminiVideo().model).calls == 6)
        }
    }

    @Test func `goes out once at a time while the circuit is tried`() async throws {
        try await StandIn.run(StandIn.started, .silent) { standIn in
            let provider = standIn.gemini()
            let trial = Loop.task {
                try await provider.answer(
                    StandIn.question, about: file(bytes), with: StandIn.geminiVideo(), alone: true)
            }
            while standIn.asked.count < 2 { try await standIn.came.wait(atMost: .seconds(10)) }
            let other = try await provider.answer(
                StandIn.question, about: file(bytes), with: StandIn.geminiVideo(), alone: true)
            #expect(failure(other) == .paused && other.isTakenBack && standIn.asked.count == 2)
            // Whoever is cancelled makes room.
            standIn.behaviours = [deleted]
            trial.cancel()
            await #expect(throws: CancellationError.self) { try await trial.value }
            standIn.behaviours = [StandIn.started, StandIn.uploaded(name, "ACTIVE"), good, deleted]
            let third = try await provider.answer(
                StandIn.question, about: file(bytes), with: StandIn.geminiVideo(), alone: true)
            #expect(failure(third) == nil)
        }
    }

    @Test func `goes to nobody who takes none`() async throws {
        try await StandIn.run(deleted) { standIn in
            let lending = try await standIn.provider().answer(
                StandIn.question, about: file(bytes), with: StandIn.geminiVideo())
            #expect(failure(lending) == .invalidRequest && lending.isTakenBack && standIn.asked.isEmpty)
        }
    }

    @Test func `that is larger than its operator lets go is not uploaded`() async throws {
        try await StandIn.run(deleted) { standIn in
            var model = StandIn.geminiVideo()
            model.limitBytes = 11
            let lending = try await standIn.gemini().answer(StandIn.question, about: file(bytes), with: model)
            #expect(failure(lending) == .refused(status: 413) && lending.isTakenBack && standIn.asked.isEmpty)
        }
    }

    @Test func `costs at most two questions where a second one may be put beside the first`() async throws {
        try await StandIn.run(deleted) { standIn in
            let (one, two) = (standIn.gemini(), standIn.gemini(hedgeAfter: .seconds(5)))
            let model = StandIn.geminiVideo()
            #expect(
                two.cost(of: StandIn.question, about: file(bytes), with: model)
                    == 2 * one.cost(of: StandIn.question, about: file(bytes), with: model))
        }
    }
}
