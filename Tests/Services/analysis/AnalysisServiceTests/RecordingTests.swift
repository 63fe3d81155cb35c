import Contracts
import Crypto
import EventStore
import JSON
import Measuring
import ObjectStorage
import Observability
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
    #"{"posture":{"value":0.8,"reason":null},"gestures":{"value":null,"reason":"not-in-pictures"},"#
    + #""expression":{"value":0.5,"reason":null}}"#

@Suite(.timeLimit(.minutes(5))) @Loop struct `A whole recording seen by a provider` {
    private let job = SessionReference.fresh()
    private let scope = ConsentScope(provider: "gemini", purpose: .video)

    /// Runs a test with a service that knows a stand-in as `gemini`, and another as `openai`, which sees pictures.
    private func withProviders(
        _ standIn: StandIn, _ other: StandIn? = nil, url: String? = nil, video more: JSONObject = [:],
        off: Bool = false,
        limits: [String: String] = [:], others: JSONValue = 0, _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        let video: JSONObject = [
            "model": "gemini-2.5-flash", "microsPerMillionInputTokens": 150_000,
            "microsPerMillionOutputTokens": 600_000,
        ]
        var providers: [JSONValue] = [
            [
                "name": "gemini", "protocol": "gemini", "url": .string(url ?? standIn.url), "off": .bool(off),
                "video": .object(video.adding(membersOf: more)),
            ]
        ]
        if let other {
            providers.append([
                "name": "openai", "protocol": "openai", "url": .string(other.url), "vision": ["model": "gpt-4o-mini"],
            ])
        }
        let file: JSONObject = ["version": 1, "providers": .array(providers)]
        try await Workshop.run(
            .succeed,
            { helper in
                try helper.see(others)
                try helper.write("providers.json", JSONValue.object(file).text)
                return ["PROVIDERS_FILE": "\(helper.home)/providers.json"].merging(limits) { $1 }
            }, body)
    }

    private func consent(_ shop: Workshop, pictures: Bool = false) async throws {
        let scope = pictures ? ConsentScope(provider: "openai", purpose: .vision) : scope
        try await shop.service.deliver(
            ConsentGiven(
                userId: job.ownerId, to: scope, dataClasses: scope.purpose.dataClasses, version: "2026-11",
                locale: "en", textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
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

    private func posture(_ shop: Workshop) async throws -> JSONValue? {
        try await shop.measured(job)["measures"]?["postureScore"]
    }

    @Test func `becomes measures with their engine, is asked about once, and the provider keeps nothing`() async throws
    {
        try await StandIn.run(StandIn.lending(.answer(StandIn.generated(seen)))) { standIn in
            try await withProviders(standIn) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(
                    try await shop.story(job) == [
                        "JobQueued", "AttemptStarted", "ProviderCallBegun", "ProviderCalled", "JobCompleted",
                    ])
                #expect(
                    try await posture(shop) == [
                        "unit": "0-1", "source": "model", "direction": "higher", "version": 1, "value": 0.8,
                        "valid": true, "lowConfidence": true, "engine": "gemini/gemini-2.5-flash",
                    ])
                let measured = try await shop.measured(job)
                #expect(measured["engines"]?["video"] == "gemini/gemini-2.5-flash")
                #expect(measured["engines"]?["vision"] == nil && shop.helper.pictures == 0 && shop.helper.sounds == 0)

                let asked = standIn.asked
                #expect(asked.map(\.method) == ["POST", "POST", "POST", "DELETE"])
                #expect(
                    asked.map(\.path).dropLast() == [
                        "/upload/v1/files", "/upload/v1/files", "/v1/models/gemini-2.5-flash:generateContent",
                    ])
                #expect(asked[1].text == "a video" && asked[2].text.contains("fileData"))
                for one in asked {
                    for id in [job.ownerId, job.sessionId] { #expect(!(one.path + one.text).contains("\(id)")) }
                    #expect(!one.text.contains(FakeHelper.spokenWord))
                }
                #expect(try await shop.lent() == 0)

                let ended = try #require(try await outcomes(shop).first)
                #expect(ended.scope == scope && ended.code == "answered" && ended.costMicros == 210)
                #expect(ended.inputTokens == 1_000 && ended.outputTokens == 100)
                // Behind what the watchdog wrote meanwhile.
                let calls = try await shop.history(job).compactMap { event -> ProviderCall? in
                    guard case .callBegun(_, _, let call) = event else { return nil }
                    return call
                }
                let call = try #require(calls.first)
                #expect(calls.count == 1)
                // Twelve seconds and what is around them, of 300 tokens each, and all that may be written.
                #expect(call.mostMicros > 14 * 300 * 15 / 100 + 600 && call.requestSHA256.count == 64)
                let document = try #require(ended.document)
                #expect(try await shop.intents().first { $0.key == document.key }?.isUnwanted ?? true)
            }
        }
    }

    @Test func `goes to nobody without a consent of its own`() async throws {
        try await StandIn.run(StandIn.lending(.answer(StandIn.generated(seen)))) { standIn in
            try await StandIn.run(.answer(StandIn.completion(seen))) { other in
                try await withProviders(standIn, other) { shop in
                    // What lets somebody have pictures is no consent to all of it.
                    try await consent(shop, pictures: true)
                    try await analyze(shop)
                    #expect(standIn.asked.isEmpty && other.asked.count == 1)
                    #expect(try await shop.measured(job)["engines"]?["vision"] == "openai/gpt-4o-mini")
                }
                try await withProviders(standIn, other) { shop in
                    try await analyze(shop)
                    #expect(standIn.asked.isEmpty && other.asked.count == 1)
                    #expect(try await posture(shop)?["reason"] == "consent-required")
                }
                try await withProviders(standIn, off: true) { shop in
                    try await consent(shop)
                    try await analyze(shop)
                    #expect(standIn.asked.isEmpty)
                }
            }
        }
    }

    @Test(arguments: [(10.0, "second-face"), (nil, "pictures-unclear")] as [(Double?, String)])
    func `does not go out with another person in it, who was not asked, or where nobody knows`(
        share: Double?, reason: String
    ) async throws {
        try await StandIn.run(StandIn.lending(.answer(StandIn.generated(seen)))) { standIn in
            try await withProviders(standIn, others: share.map(JSONValue.double) ?? .null) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(standIn.asked.isEmpty)
                #expect(try await posture(shop)?["reason"] == .string(reason))
            }
        }
    }

    /// Failures on each step, and answers of a model that was talked into something.
    @Test(
        arguments: [
            (.answer(status: 400, []), "refused"), (.answer(status: 401, []), "key-refused"),
            (StandIn.started, "unreadable-form"),
            (StandIn.lending(.answer(status: 400, [])), "refused"),
            (StandIn.lending(.answer(status: 500, [])), "unavailable"),
            (StandIn.lending(.answer(Array("garbage".utf8))), "unreadable-not-json"),
            (StandIn.lending(.half(StandIn.generated(seen))), "cut"),
            (StandIn.lending(.answer(StandIn.generated(seen, reason: "SAFETY"))), "unreadable-withheld"),
            (StandIn.lending(.answer(StandIn.generated(seen, reason: "MAX_TOKENS"))), "unreadable-truncated"),
            (StandIn.lending(.answer(StandIn.generated("All is perfect."))), "unreadable-not-json"),
            (StandIn.lending(.answer(StandIn.generated(seen.replacing("0.8", with: "8")))), "unfit-range"),
            (StandIn.lending(.answer(StandIn.generated(seen.replacing("0.8", with: "\"best\"")))), "unfit-form"),
            (
                StandIn.lending(
                    .answer(StandIn.generated(seen.replacing("{\"posture\"", with: "{\"joy\":1,\"posture\"")))),
                "unfit-excess"
            ),
        ] as [(StandIn.Behaviour, String)])
    func `is followed by pictures, where somebody may have them, when no answer can be used`(
        behaviour: StandIn.Behaviour, code: String
    ) async throws {
        try await StandIn.run(behaviour) { standIn in
            try await StandIn.run(.answer(StandIn.completion(seen))) { other in
                try await withProviders(standIn, other) { shop in
                    try await consent(shop)
                    try await consent(shop, pictures: true)
                    try await analyze(shop)
                    #expect(try await shop.story(job).last == "JobCompleted")
                    #expect(try await outcomes(shop).map(\.code) == [code, "answered"])
                    #expect(try await posture(shop)?["engine"] == "openai/gpt-4o-mini")
                    #expect(try await shop.measured(job)["engines"]?["video"] == nil)
                    // What costs nothing may be asked again.
                    let questions = standIn.asked.count { $0.path.hasSuffix(":generateContent") }
                    #expect(questions <= (code == "unavailable" ? 3 : 1))
                    #expect(standIn.asked.last?.method == "DELETE" || standIn.asked.last?.method == "GET")
                }
            }
        }
    }

    @Test
    func
        `is followed by pictures after silence, where it is asked for too much, and where the provider cannot be reached or trusted`()
        async throws
    {
        try await StandIn.run(StandIn.lending(.silent)) { standIn in
            try await StandIn.run(.answer(StandIn.completion(seen))) { other in
                for (url, answer, code, left) in [
                    (nil, .silent, "overdue", 0), (nil, .stuck, "overdue", 0),
                    // It wants to be left alone for longer than there is time.
                    (nil, .answer(status: 429, StandIn.exhausted), "throttled", 0),
                    ("http://127.0.0.1:1/v1", .silent, "unreachable", 1),
                    (standIn.url.replacing("http://", with: "https://"), .silent, "untrusted", 1),
                ] as [(String?, StandIn.Behaviour, String, Int64)] {
                    standIn.behaviours = [StandIn.lending(answer)]
                    // What fails at once is not to be overtaken by its deadline on a machine with much to do.
                    let seconds: JSONValue = left == 1 ? 60 : 4
                    try await withProviders(standIn, other, url: url, video: ["deadlineSeconds": seconds]) { shop in
                        try await consent(shop)
                        try await consent(shop, pictures: true)
                        try await analyze(shop)
                        let codes = try await outcomes(shop).map(\.code)
                        #expect(codes == [code, "answered"])
                        #expect(try await posture(shop)?["engine"] == "openai/gpt-4o-mini")
                        // What nobody can be asked to delete is not forgotten.
                        #expect(try await shop.lent() == left)
                    }
                }
            }
        }
    }

    @Test func `is left out with its reason when nobody may have pictures instead`() async throws {
        try await StandIn.run(StandIn.lending(.answer(Array("garbage".utf8)))) { standIn in
            try await withProviders(standIn) { shop in
                try await consent(shop)
                try await analyze(shop)
                #expect(try await shop.measured(job) == (try shop.helper.seeing(.none(.noAnswer))))
                #expect(try await shop.lent() == 0)
            }
        }
    }

    @Test func `holds up no other recording while its provider does not answer`() async throws {
        try await StandIn.run(StandIn.lending(.silent)) { standIn in
            try await withProviders(standIn, limits: ["WORKERS": "1"]) { shop in
                try await consent(shop)
                try await shop.startInstance()
                try await shop.order(job: job)
                while standIn.asked.count < 3 { try await standIn.came.wait(atMost: .seconds(10)) }
                let other = SessionReference.fresh(owner: job.ownerId)
                try await shop.order(job: other)
                try await shop.wait(other, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(other) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                #expect(try await shop.measured(other)["measures"]?["postureScore"]?["reason"] == "no-answer")
                #expect(standIn.asked.count == 3)
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "ProviderCallBegun"])
            }
        }
    }

    @Test func `is taken back at once when the consent is withdrawn while it is looked at`() async throws {
        try await StandIn.run(StandIn.lending(.silent)) { standIn in
            try await withProviders(standIn) { shop in
                try await consent(shop)
                try await shop.startInstance()
                try await shop.order(job: job)
                while standIn.asked.count < 3 { try await standIn.came.wait(atMost: .seconds(10)) }
                try await shop.service.deliver(
                    ConsentWithdrawn(userId: job.ownerId, from: scope, withdrawnAt: .now() + .seconds(1)))
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                let ended = try #require(try await outcomes(shop).first)
                #expect(ended.code == "withdrawn" && ended.document == nil && ended.costMicros > 0)
                #expect(standIn.asked.map(\.method) == ["POST", "POST", "POST", "DELETE"])
                #expect(try await posture(shop)?["reason"] == "no-answer")
            }
        }
    }

    @Test func `does not go out beyond a limit, nor where it is larger than its operator lets go`() async throws {
        try await StandIn.run(StandIn.lending(.answer(StandIn.generated(seen)))) { standIn in
            for limit in ["PROVIDERS_DAY_MICROS", "PROVIDERS_OWNER_DAY_MICROS"] {
                try await withProviders(standIn, limits: [limit: "900"]) { shop in
                    try await consent(shop)
                    try await analyze(shop)
                    #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                    #expect(try await posture(shop)?["reason"] == "no-answer")
                    #expect(try await shop.lent() == 0)
                }
            }
            try await withProviders(standIn, video: ["limitBytes": 1_000]) { shop in
                try await consent(shop)
                try await shop.startInstance()
                try await shop.order(job: job, sizeBytes: 1_001)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
            }
            #expect(standIn.asked.isEmpty)
        }
    }

    @Test func `that was paid for is used by the next attempt, and nobody is shown pictures then`() async throws {
        try await StandIn.run(.silent) { standIn in
            try await withProviders(standIn, standIn) { shop in
                try await consent(shop)
                try await consent(shop, pictures: true)
                let stored = SeenMeasures(
                    engine: "gemini/gemini-2.5-flash", of: .recording, posture: .value(0.5),
                    gestures: .nothing(.picturesUnclear), expression: .value(1))
                let bytes = JSONValue.object(stored.json).bytes
                let key = ObjectFolder.documents.key("\(job.ownerId)/\(job.sessionId)/seen.json")
                try await shop.objects.write(bytes, to: key)
                let call = ProviderCall(
                    scope: scope, model: "gemini-2.5-flash", requestSHA256: String(repeating: "ab", count: 32),
                    mostMicros: 1_000, currency: "USD", begunAt: .now())
                let answered = ProviderCallOutcome(
                    scope: scope, code: ProviderCallOutcome.answered, durationMs: 10, attempts: 1, costMicros: 210,
                    document: DocumentReference(
                        key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count)))
                let past = Timestamp.now().adding(seconds: -60)
                try await shop.order(
                    [
                        .attemptStarted(job, attempt: 1, worker: "gone", leaseEndsAt: past),
                        .callBegun(job, attempt: 1, call), .callEnded(job, attempt: 1, answered),
                        .attemptFailed(job, attempt: 1, code: .analysisCrashed, retryable: true, retryAt: past),
                    ], job: job)
                try await shop.startInstance()
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(standIn.asked.isEmpty && shop.helper.pictures == 0)
                #expect(try await shop.measured(job) == (try shop.helper.seeing(stored)))
            }
        }
    }

    // MARK: What was not taken back in order

    private func lend(_ shop: Workshop, _ names: UUID..., to provider: String = "gemini", overSince seconds: Int64 = 0)
        async throws
    {
        for name in names {
            _ = try await shop.service.administrator.query(
                "insert into lent_files (provider, name, due_at) values ($1, $2, clock_timestamp() - $3 * interval '1 second')",
                [.text(provider), .uuid(name), .int(seconds)])
        }
    }

    @Test func `is taken back by the keeper once nobody needs it, as far as providers answer`() async throws {
        let (due, needed) = (UUID.v7(), UUID.v7())
        try await StandIn.run(.answer(Array("{}".utf8))) { standIn in
            try await withProviders(standIn, off: true) { shop in
                let keeper = shop.keeper()
                try await lend(shop, due)
                try await lend(shop, needed, overSince: -60)
                try await keeper.takeBack()
                #expect(standIn.asked.map { "\($0.method) \($0.path)" } == ["DELETE /v1/files/\(due)"])
                #expect(try await shop.lent() == 1, "one is needed still")

                // Nobody can be asked who is named no more; the others go on, however much that one has.
                _ = try await shop.service.administrator.query(
                    """
                    insert into lent_files select 'gone', gen_random_uuid(), clock_timestamp() - interval '9 seconds'
                    from generate_series(1, 1200)
                    """)
                try await lend(shop, .v7())
                try await keeper.takeBack()
                #expect(try await shop.lent() == 1_201 && standIn.asked.count == 2)
                // By then the provider has deleted it itself.
                try await lend(shop, .v7(), overSince: 50 * 3_600)
                try await keeper.takeBack()
                #expect(try await shop.lent() == 1_201 && standIn.asked.count == 2)
            }
        }
        try await StandIn.run(.answer(status: 401, [])) { standIn in
            try await withProviders(standIn) { shop in
                let keeper = shop.keeper()
                try await lend(shop, .v7(), .v7())
                try await keeper.takeBack()
                #expect(try await shop.lent() == 2, "nothing is forgotten that may be there")
                #expect(standIn.asked.count { $0.method == "DELETE" } == 1, "who does not answer is asked once")
                standIn.behaviours = [.answer(status: 404, [])]
                try await keeper.takeBack()
                #expect(try await shop.lent() == 0)
            }
        }
    }
}

extension Workshop {
    /// How many files are lent, as far as the service knows.
    func lent() async throws -> Int64 {
        try await service.administrator.query("select count(*) from lent_files").rows[0].int(0)
    }

    func keeper() -> LentFileKeeper {
        LentFileKeeper(
            store: store, providers: settings.providers.declarations.map { Provider($0) }, log: Logger(label: "test"))
    }
}
