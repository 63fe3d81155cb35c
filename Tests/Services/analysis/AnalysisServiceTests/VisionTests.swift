import Contracts
import Crypto
import EventStore
import Glibc
import JSON
import Measuring
import ObjectStorage
import Postgres
import Primitives
import ProviderTesting
import Providers
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import analysis

/// What a model answers that does as it is told.
private let seen =
    #"{"posture":{"value":0.804,"reason":null},"gestures":{"value":null,"reason":"not-in-pictures"},"#
    + #""expression":{"value":0,"reason":null}}"#

@Suite(.timeLimit(.minutes(3))) @Loop struct `Pictures seen by a provider` {
    private let job = SessionReference.fresh()
    private let scope = ConsentScope(provider: "openai", purpose: .vision)

    /// Runs a test with a service that knows a stand-in as `openai`, and whose helper sees one face, or more.
    private func withProvider(
        _ standIn: StandIn, off: Bool = false, limits: [String: String] = [:], others: JSONValue = 0,
        also more: JSONObject = [:],
        _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        let provider: JSONObject = [
            "name": "openai", "protocol": "openai", "url": .string(standIn.url), "off": .bool(off),
            "vision": [
                "model": "gpt-4o-mini", "microsPerMillionInputTokens": 150_000, "microsPerMillionOutputTokens": 600_000,
            ],
        ]
        let file: JSONObject = ["version": 1, "providers": [.object(provider.adding(membersOf: more))]]
        try await Workshop.run(
            .succeed,
            { helper in
                try helper.see(others)
                try helper.write("providers.json", JSONValue.object(file).text)
                return ["PROVIDERS_FILE": "\(helper.home)/providers.json"].merging(limits) { $1 }
            }, body)
    }

    private func consent(
        _ shop: Workshop, _ purpose: ConsentPurpose = .vision, _ classes: Set<DataClass> = [.pictures]
    ) async throws {
        try await shop.service.deliver(
            ConsentGiven(
                userId: job.ownerId, to: ConsentScope(provider: "openai", purpose: purpose), dataClasses: classes,
                version: "2026-11", locale: "en", textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
    }

    /// Has the recording analyzed.
    private func analyze(_ shop: Workshop) async throws {
        try await shop.startInstance()
        try await shop.order(job: job)
        try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
    }

    private func outcomes(_ shop: Workshop) async throws -> [ProviderCallOutcome] {
        try await shop.history(job).compactMap { if case .callEnded(_, _, let outcome) = $0 { outcome } else { nil } }
    }

    private func spent(_ shop: Workshop) async throws -> Int64 {
        try await shop.service.administrator.query(
            "select coalesce(sum(micros), 0)::bigint from provider_spending where owner_id = $1", [.uuid(job.ownerId)]
        ).rows[0].int(0)
    }

    @Test func `become measures with their engine, are asked for once, and the answer goes with the job's end`()
        async throws
    {
        try await StandIn.run(.answer(StandIn.completion(seen))) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(
                    try await shop.story(job) == [
                        "JobQueued", "AttemptStarted", "ProviderCallBegun", "ProviderCalled", "JobCompleted",
                    ])
                let measured = try await shop.measured(job)
                let posture = try #require(measured["measures"]?["postureScore"])
                #expect(
                    posture == [
                        "unit": "0-1", "source": "model", "direction": "higher", "version": 1, "value": 0.8,
                        "valid": true, "lowConfidence": true, "engine": "openai/gpt-4o-mini",
                    ])
                let gestures = measured["measures"]?["gestureNaturalness"]
                #expect(gestures?["value"] == .null && gestures?["reason"] == "not-in-pictures")
                #expect(gestures?["engine"] == "openai/gpt-4o-mini")
                #expect(measured["measures"]?["facialExpressiveness"]?["value"]?.doubleValue == 0)
                #expect(measured["engines"]?["vision"] == "openai/gpt-4o-mini")
                guard case .completed(_, _, let result) = try await shop.history(job).last else { return }
                #expect(result.engines["vision"] == "openai/gpt-4o-mini")

                let asked = try #require(standIn.asked.first)
                #expect(standIn.asked.count == 1 && shop.helper.pictures == 1 && shop.helper.sounds == 0)
                #expect(asked.text.contains("data:image/jpeg;base64,") && asked.text.contains("gpt-4o-mini"))
                #expect(!asked.text.contains(FakeHelper.spokenWord) && !asked.text.contains("\(job.ownerId)"))
                let ended = try #require(try await outcomes(shop).first)
                #expect(ended.scope == scope && ended.code == "answered" && ended.costMicros == 210)
                #expect(ended.inputTokens == 1_000 && ended.outputTokens == 100 && ended.audioMs == nil)
                #expect(try await spent(shop) == 210)
                let document = try #require(ended.document)
                #expect(try await shop.intents().first { $0.key == document.key }?.isUnwanted ?? true)
            }
        }
    }

    @Test func `are sent to nobody without a consent of their own`() async throws {
        let words: JSONObject = ["transcription": ["model": "whisper-1"]]
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn, also: words) { shop in
                try await consent(shop, .transcription, [.audio])
                try await analyze(shop)
                #expect(standIn.asked.map(\.path) == ["/v1/audio/transcriptions"])
                #expect(shop.helper.pictures == 0, "Nothing is even made ready.")
                let measure = try await shop.measured(job)["measures"]?["postureScore"]
                #expect(measure?["reason"] == "consent-required" && measure?["value"] == .null)
                #expect(try await shop.measured(job)["engines"]?["vision"] == nil)
            }
        }
        try await StandIn.run(.answer(StandIn.completion(seen))) { standIn in
            try await withProvider(standIn, also: words) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(standIn.asked.map(\.path) == ["/v1/chat/completions"] && shop.helper.sounds == 0)
            }
            try await withProvider(standIn, off: true) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(standIn.asked.count == 1 && shop.helper.pictures == 0)
                #expect(try await shop.measured(job) == (try shop.helper.seeing), "Nothing is added.")
            }
        }
    }

    @Test(arguments: [(10.0, "second-face"), (nil, "pictures-unclear")] as [(Double?, String)])
    func `are not sent with another person in them, who was not asked, or where nobody knows`(
        share: Double?, reason: String
    ) async throws {
        try await StandIn.run(.answer(StandIn.completion(seen))) { standIn in
            try await withProvider(standIn, others: share.map(JSONValue.double) ?? .null) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(standIn.asked.isEmpty && shop.helper.pictures == 0)
                #expect(try await shop.measured(job)["measures"]?["postureScore"]?["reason"] == .string(reason))
            }
        }
    }

    @Test func `of a recording that cannot be used are shown to nobody`() async throws {
        try await StandIn.run(.answer(StandIn.completion(seen))) { standIn in
            try await withProvider(standIn) { shop in
                try shop.helper.hearNobody()
                try await consent(shop)
                try await analyze(shop)
                #expect(try await shop.story(job).last == "JobFailed")
                #expect(standIn.asked.isEmpty && shop.helper.pictures == 0)
            }
        }
    }

    /// Answers of a model that a picture has talked into something, and failures of every kind: what was measured stands.
    @Test(
        arguments: [
            (.answer(status: 400, []), "refused"), (.answer(status: 401, []), "key-refused"),
            (.answer(Array("garbage".utf8)), "unreadable-not-json"), (.half(StandIn.completion(seen)), "cut"),
            (.answer(StandIn.completion(seen, reason: "length")), "unreadable-truncated"),
            (.answer(StandIn.completion("I see somebody who is perfect.")), "unreadable-not-json"),
            (.answer(StandIn.completion(seen.replacing("0.804", with: "1.5"))), "unfit-range"),
            (.answer(StandIn.completion(seen.replacing("0.804", with: "\"perfect\""))), "unfit-form"),
            (
                .answer(StandIn.completion(seen.replacing("not-in-pictures", with: "say that all is well"))),
                "unfit-form"
            ),
            (
                .answer(
                    StandIn.completion(seen.replacing("{\"posture\"", with: "{\"confidenceScore\":100,\"posture\""))),
                "unfit-excess"
            ),
            (
                .answer(StandIn.completion(seen.replacing("null},\"ges", with: "null,\"note\":\"ha\"},\"ges"))),
                "unfit-excess"
            ),
        ] as [(StandIn.Behaviour, String)])
    func `are left out with their reason when no answer can be used, and the job is complete`(
        behaviour: StandIn.Behaviour, code: String
    ) async throws {
        try await StandIn.run(behaviour) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(try await shop.story(job).last == "JobCompleted" && standIn.asked.count == 1)
                let ended = try #require(try await outcomes(shop).first)
                #expect(ended.code == code && ended.document == nil)
                #expect(try await spent(shop) == ended.costMicros)
                #expect(try await shop.measured(job) == (try shop.helper.seeing(.none(.noAnswer))))
            }
        }
    }

    @Test func `within a fence are read, as models like to write them`() async throws {
        try await StandIn.run(.answer(StandIn.completion("```json\n\(seen)\n```"))) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(try await shop.measured(job)["measures"]?["postureScore"]?["value"] == 0.8)
            }
        }
    }

    @Test func `are given up at once when the consent is withdrawn while they are looked at`() async throws {
        try await StandIn.run(.silent) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop)
                try await shop.startInstance()
                try await shop.order(job: job)
                while standIn.asked.isEmpty { try await standIn.came.wait(atMost: .seconds(10)) }
                try await shop.service.deliver(
                    ConsentWithdrawn(userId: job.ownerId, from: scope, withdrawnAt: .now() + .seconds(1)))
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                let ended = try #require(try await outcomes(shop).first)
                #expect(ended.code == "withdrawn" && ended.document == nil && ended.costMicros > 0)
                #expect(try await shop.story(job).last == "JobCompleted")
                #expect(try await shop.measured(job)["measures"]?["postureScore"]?["reason"] == "no-answer")
            }
        }
    }

    @Test func `that were withdrawn meanwhile are not sent: the append that begins the call is refused`() async throws {
        try await StandIn.run(.silent) { standIn in
            try await withProvider(standIn) { shop in
                // What takes the sound is no consent to pictures.
                try await consent(shop, .vision, [.audio])
                try await shop.order(
                    [.attemptStarted(job, attempt: 1, worker: "w", leaseEndsAt: .now() + .seconds(60))], job: job)
                let call = ProviderCall(
                    scope: scope, model: "gpt-4o-mini", requestSHA256: String(repeating: "ab", count: 32),
                    mostMicros: 1_000, currency: "USD", begunAt: .now())
                await #expect(throws: AppendError.guarded(.consentMissing)) {
                    try await shop.put(.beginCall(attempt: 1, call), job)
                }
                #expect(standIn.asked.isEmpty)
            }
        }
    }

    @Test(arguments: ["PROVIDERS_DAY_MICROS", "PROVIDERS_OWNER_DAY_MICROS"])
    func `are not sent beyond a limit of the settings`(limit: String) async throws {
        try await StandIn.run(.answer(StandIn.completion(seen))) { standIn in
            // An answer costs less, and might cost more.
            try await withProvider(standIn, limits: [limit: "900"]) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                #expect(standIn.asked.isEmpty)
                #expect(try await shop.measured(job)["measures"]?["postureScore"]?["reason"] == "no-answer")
            }
        }
    }

    @Test func `that were paid for are used by the next attempt, but not by the last`() async throws {
        for failed in 1...2 as ClosedRange<Int64> {
            try await StandIn.run(.silent) { standIn in
                try await withProvider(standIn) { shop in
                    try await consent(shop)
                    let stored = SeenMeasures(
                        engine: "openai/gpt-4o-mini", posture: .value(0.5), gestures: .nothing(.picturesUnclear),
                        expression: .value(1))
                    let bytes = JSONValue.object(stored.json).bytes
                    let key = ObjectFolder.documents.key("\(job.ownerId)/\(job.sessionId)/seen.json")
                    try await shop.objects.write(bytes, to: key)
                    let call = ProviderCall(
                        scope: scope, model: "gpt-4o-mini", requestSHA256: String(repeating: "ab", count: 32),
                        mostMicros: 1_000, currency: "USD", begunAt: .now())
                    let answered = ProviderCallOutcome(
                        scope: scope, code: ProviderCallOutcome.answered, durationMs: 10, attempts: 1, costMicros: 210,
                        document: DocumentReference(
                            key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count)))
                    let past = Timestamp.now().adding(seconds: -60)
                    let missed = (1...failed).flatMap { attempt -> [JobEvent] in
                        let asking: [JobEvent] =
                            attempt == 1
                            ? [.callBegun(job, attempt: 1, call), .callEnded(job, attempt: 1, answered)] : []
                        return [.attemptStarted(job, attempt: attempt, worker: "gone", leaseEndsAt: past)] + asking + [
                            .attemptFailed(
                                job, attempt: attempt, code: .analysisCrashed, retryable: true, retryAt: past)
                        ]
                    }
                    try await shop.order(missed, job: job)
                    try await shop.startInstance()
                    try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                    #expect(standIn.asked.isEmpty && shop.helper.pictures == 0 && shop.helper.words.isEmpty)
                    let expected = failed == 1 ? stored : .none(.noAnswer)
                    #expect(try await shop.measured(job) == (try shop.helper.seeing(expected)))
                }
            }
        }
    }
}

extension Workshop {
    /// What the document of a completed job holds as measured.
    func measured(_ job: SessionReference) async throws -> JSONObject {
        guard case .completed(_, _, let result) = try await history(job).last else { throw FakeHelper.Failure() }
        return try JSONObject.parse(try await objects.read(result.document.key, limit: 1 << 20)).object("measured")
    }
}

extension FakeHelper {
    /// Finds from now on how much of the time another face is there, in percent; null where that cannot be told.
    func see(_ others: JSONValue) throws {
        let measure: JSONObject =
            others == .null
            ? ["value": .null, "unit": "%", "source": "measured", "valid": false, "reason": "too-few-samples"]
            : ["value": others, "unit": "%", "source": "measured", "valid": true]
        var all = try found
        all["measures"] = .object(try all.object("measures").adding(["severalFacesPct": .object(measure)]))
        try write("result.json", JSONValue.object(all).text)
    }

    /// Finds from now on that nobody speaks.
    func hearNobody() throws {
        var all = try seeing
        let none: JSONObject = [
            "value": .null, "unit": "words", "source": "model", "valid": false, "reason": "no-speech",
        ]
        all["transcript"] = ["text": "", "words": [], "lowConfidence": false]
        all["soundPromised"] = true
        all["measures"] = .object(try all.object("measures").adding(["wordCount": .object(none)]))
        try write("result.json", JSONValue.object(all).text)
    }

    /// What it finds by then.
    var seeing: JSONObject { get throws { try JSONObject.parse(text("result.json").utf8) } }

    /// The same with what a provider has seen, as a document has it.
    func seeing(_ seen: SeenMeasures) throws -> JSONObject {
        try JSONObject.parse(JSONValue.object(seen.added(to: try seeing)).bytes)
    }
}
