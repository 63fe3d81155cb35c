import Contracts
import Crypto
import EventSourcing
import EventStore
import Glibc
import JSON
import Kafka
import Measuring
import ObjectStorage
import Observability
import Postgres
import Primitives
import Processes
import ProviderTesting
import Providers
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingSupport
import TestingTools

@testable import analysis

/// A file of providers: stand-ins under these names, at 6,000 millionths a minute.
private func providers(
    _ standIns: [(name: String, url: String)], off: Bool = false, deadlines: [String: Int64] = [:]
) -> JSONObject {
    [
        "version": 1,
        "providers": .array(
            standIns.map {
                [
                    "name": .string($0.name), "protocol": "openai", "url": .string($0.url), "off": .bool(off),
                    "transcription": [
                        "model": "whisper-1", "microsPerMinute": 6_000,
                        "deadlineSeconds": .int(deadlines[$0.name] ?? 60),
                    ],
                ]
            }),
    ]
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Words by a provider` {
    private let job = SessionReference.fresh()

    /// Runs a test with a service that knows a stand-in as `openai`.
    private func withProvider(
        _ standIn: StandIn, off: Bool = false, limits: [String: String] = [:],
        _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        try await withProviders(providers([("openai", standIn.url)], off: off), limits: limits, body)
    }

    /// Runs a test with a service that knows the providers of a file.
    private func withProviders(
        _ file: JSONObject, limits: [String: String] = [:], _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        try await Workshop.run(
            .succeed,
            { helper in
                try helper.write("providers.json", JSONValue.object(file).text)
                return ["PROVIDERS_FILE": "\(helper.home)/providers.json"].merging(limits) { $1 }
            }, body)
    }

    private func consent(_ shop: Workshop, _ owner: UUID, to provider: String = "openai") async throws {
        try await shop.service.deliver(
            ConsentGiven(
                userId: owner, to: ConsentScope(provider: provider, purpose: .transcription), dataClasses: [.audio],
                version: "2026-11", locale: "en", textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
    }

    private func outcome(_ shop: Workshop) async throws -> [ProviderCallOutcome] {
        try await shop.history(job).compactMap { if case .callEnded(_, _, let outcome) = $0 { outcome } else { nil } }
    }

    private func spent(_ shop: Workshop, _ owner: UUID) async throws -> Int64 {
        try await shop.service.administrator.query(
            "select coalesce(sum(micros), 0)::bigint from provider_spending where owner_id = $1", [.uuid(owner)]
        ).rows[0].int(0)
    }

    @Test func `are asked for once with a consent, stored before they are used, and gone with the job's end`()
        async throws
    {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(
                    try await shop.story(job) == [
                        "JobQueued", "AttemptStarted", "ProviderCallBegun", "ProviderCalled", "JobCompleted",
                    ])
                let asked = try #require(standIn.asked.first)
                #expect(standIn.asked.count == 1 && asked.text.contains("\r\n\r\nOggS\r\n"))
                #expect(shop.helper.words == "openai\nwhisper-1\n0 240 The\n240 600 quick\n29500 30000 fox\n")
                let ended = try #require(try await outcome(shop).first)
                #expect(ended.code == "answered" && ended.costMicros == 3_000 && ended.audioMs == 30_000)
                #expect(try await spent(shop, job.ownerId) == 3_000)
                // What was said is nobody's any more once the job has its own document.
                let document = try #require(ended.document)
                #expect(try await shop.intents().first { $0.key == document.key }?.isUnwanted ?? true)
                let log = try await shop.service.administrator.query(
                    "select count(*) from events where data::text like '%quick%'"
                ).rows[0].int(0)
                #expect(log == 0, "No word stands in an event.")
            }
        }
    }

    @Test func `are not asked for without a consent, nor of a provider that is off or another one`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            for (off, given) in [(false, nil), (true, "openai"), (false, "another")] {
                try await withProvider(standIn, off: off) { shop in
                    if let given { try await consent(shop, job.ownerId, to: given) }
                    try await consent(shop, .v7())
                    try await shop.startInstance()
                    try await shop.order(job: job)
                    try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                    #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                    #expect(standIn.asked.isEmpty && shop.helper.words.isEmpty)
                    #expect(shop.helper.sounds == 0, "Nothing is even made ready.")
                }
            }
        }
    }

    @Test func `that were withdrawn meanwhile are not asked for: the append that begins the call is refused`()
        async throws
    {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                try await shop.order(
                    [.attemptStarted(job, attempt: 1, worker: "w", leaseEndsAt: .now() + .seconds(60))], job: job)
                try await shop.service.deliver(
                    ConsentWithdrawn(
                        userId: job.ownerId, from: ConsentScope(provider: "openai", purpose: .transcription),
                        withdrawnAt: .now() + .seconds(1)))
                await #expect(throws: AppendError.guarded(.consentMissing)) {
                    try await shop.put(.beginCall(attempt: 1, call(job)), job)
                }
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted"])
            }
        }
    }

    @Test func `are not asked for as long as it is not known what was said when nobody listened`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                try await shop.order(job: job)
                await Attempt(try await shop.tools(isUpToDate: false), job.sessionId).run()
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                #expect(standIn.asked.isEmpty && shop.helper.words.isEmpty && shop.helper.sounds == 0)
            }
        }
    }

    @Test func `are given up at once when the consent is withdrawn while they are asked for`() async throws {
        try await StandIn.run(.silent) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                while standIn.asked.isEmpty { try await standIn.came.wait(atMost: .seconds(10)) }
                try await shop.service.deliver(
                    ConsentWithdrawn(
                        userId: job.ownerId, from: ConsentScope(provider: "openai", purpose: .transcription),
                        withdrawnAt: .now() + .seconds(1)))
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                let ended = try #require(try await outcome(shop).first)
                #expect(ended.code == "withdrawn" && ended.document == nil && ended.costMicros == 3_000)
                #expect(try await shop.story(job).last == "JobCompleted" && shop.helper.words.isEmpty)
            }
        }
    }

    @Test(
        arguments: [
            (.answer(status: 400, []), "refused", 0), (.answer(Array("garbage".utf8)), "unreadable-not-json", 3_000),
            (
                .answer(JSONValue.object(["language": "german", "words": []]).bytes), "other-language", 3_000
            ),
        ] as [(StandIn.Behaviour, String, Int64)])
    func `are found by the helper when the provider gives none, and what it may charge is counted`(
        behaviour: StandIn.Behaviour, code: String, cost: Int64
    ) async throws {
        try await StandIn.run(behaviour) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(job).last == "JobCompleted" && shop.helper.words.isEmpty)
                let ended = try #require(try await outcome(shop).first)
                #expect(ended.code == code && ended.costMicros == cost)
                #expect(try await spent(shop, job.ownerId) == cost)
            }
        }
    }

    @Test func `are asked of the next provider when the first gives none`() async throws {
        try await StandIn.run(.answer(status: 400, [])) { first in
            try await StandIn.run(.answer(StandIn.words)) { second in
                let file = providers([("first", first.url), ("second", second.url)])
                try await Workshop.run(
                    .succeed,
                    { helper in
                        try helper.write("providers.json", JSONValue.object(file).text)
                        return ["PROVIDERS_FILE": "\(helper.home)/providers.json"]
                    },
                    { shop in
                        for name in ["first", "second"] { try await consent(shop, job.ownerId, to: name) }
                        try await shop.startInstance()
                        try await shop.order(job: job)
                        try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                        #expect(try await outcome(shop).map(\.code) == ["refused", "answered"])
                        #expect(shop.helper.words.hasPrefix("second\n"))
                        #expect(first.asked.count == 1 && second.asked.count == 1 && shop.helper.sounds == 1)
                    })
            }
        }
    }

    @Test func `are not asked of a provider that other instances left alone, and of one that is tried`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                // Five calls of other instances, half a minute ago and just now.
                for _ in 1...5 {
                    let other = SessionReference.fresh()
                    try await consent(shop, other.ownerId)
                    try await shop.order(
                        [.attemptStarted(other, attempt: 1, worker: "w", leaseEndsAt: .now() + .seconds(600))],
                        job: other)
                    try await shop.put(.beginCall(attempt: 1, call(other)), other)
                    let ended = ProviderCallOutcome(
                        scope: call(other).scope, code: "overdue", durationMs: 0, attempts: 1, audioMs: 30_000,
                        costMicros: 3_000)
                    try await shop.put(.endCall(attempt: 1, ended), other)
                }
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                #expect(standIn.asked.isEmpty && shop.helper.sounds == 0)

                _ = try await shop.service.administrator.query(
                    "update provider_outcomes set ended_at = ended_at - interval '31 s'")
                let later = SessionReference.fresh()
                try await consent(shop, later.ownerId)
                try await shop.order(job: later)
                try await shop.wait(later, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(later).contains("ProviderCalled") && standIn.asked.count == 1)
            }
        }
    }

    @Test func `cost no more than the limits, though fifty jobs begin at once`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                let jobs = (0..<50).map { _ in SessionReference.fresh() }
                for job in jobs {
                    try await consent(shop, job.ownerId)
                    try await shop.order(
                        [.attemptStarted(job, attempt: 1, worker: "w", leaseEndsAt: .now() + .seconds(600))], job: job)
                }
                let beginning = jobs.map { job in
                    let call = call(job)
                    return Loop.task {
                        do {
                            try await shop.commands(job).put(.beginCall(attempt: 1, call)) { _ in
                                [Spending.reserve(call, of: job.ownerId, ownerDayMicros: nil, dayMicros: 30_500)]
                            }
                            return true
                        } catch AppendError.guarded(.budget) {
                            return false
                        }
                    }
                }
                var begun: [SessionReference] = []
                for (job, task) in zip(jobs, beginning) where try await task.value { begun.append(job) }
                #expect(begun.count == 10)
                let sum = try await shop.service.administrator.query(
                    "select sum(micros)::bigint from provider_spending"
                ).rows[0].int(0)
                #expect(sum == 30_000)
                // One more for somebody who has a call under way.
                let owner = SessionReference.fresh(owner: try #require(begun.first).ownerId)
                try await shop.order(
                    [.attemptStarted(owner, attempt: 1, worker: "w", leaseEndsAt: .now() + .seconds(600))], job: owner)
                await #expect(throws: AppendError.guarded(.ownerBudget)) {
                    try await shop.commands(owner).put(.beginCall(attempt: 1, call(owner))) { _ in
                        [Spending.reserve(call(owner), of: owner.ownerId, ownerDayMicros: 2_999, dayMicros: nil)]
                    }
                }
            }
        }
    }

    @Test func `are not asked for beyond a limit of the settings`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            for limit in ["PROVIDERS_DAY_MICROS", "PROVIDERS_OWNER_DAY_MICROS"] {
                try await withProvider(standIn, limits: [limit: "2999"]) { shop in
                    try await consent(shop, job.ownerId)
                    try await shop.startInstance()
                    try await shop.order(job: job)
                    try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                    #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                    #expect(standIn.asked.isEmpty)
                }
            }
        }
    }

    @Test func `leave of an erased user what the deployment has spent, and nothing of whom`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                try await shop.service.deliver(UserErasedV2(userId: job.ownerId))
                #expect(try await spent(shop, job.ownerId) == 0)
                #expect(try await spent(shop, .zero) == 3_000)
            }
        }
    }

    @Test func `that a provider does not give hold up nobody else, who asks one or who asks none`() async throws {
        try await StandIn.run(.silent) { standIn in
            try await withProvider(standIn, limits: ["WORKERS": "1"]) { shop in
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                while standIn.asked.isEmpty { try await standIn.came.wait(atMost: .seconds(10)) }
                for agrees in [false, true] {
                    let other = SessionReference.fresh()
                    if agrees { try await consent(shop, other.ownerId) }
                    try await shop.order(job: other)
                    try await shop.wait(other, until: ["JobCompleted", "JobFailed"])
                    #expect(try await shop.story(other) == ["JobQueued", "AttemptStarted", "JobCompleted"])
                }
                #expect(standIn.asked.count == 1)
                #expect(try await shop.story(job) == ["JobQueued", "AttemptStarted", "ProviderCallBegun"])
            }
        }
    }

    @Test func `that one provider does not give hold up nobody who asks another`() async throws {
        try await StandIn.run(.silent) { first in
            try await StandIn.run(.answer(StandIn.words)) { second in
                let file = providers([("first", first.url), ("second", second.url)])
                try await withProviders(file, limits: ["WORKERS": "1"]) { shop in
                    try await consent(shop, job.ownerId, to: "first")
                    try await shop.startInstance()
                    try await shop.order(job: job)
                    while first.asked.isEmpty { try await first.came.wait(atMost: .seconds(10)) }
                    for agreed in [["second"], ["first", "second"]] {
                        let other = SessionReference.fresh()
                        for name in agreed { try await consent(shop, other.ownerId, to: name) }
                        try await shop.order(job: other)
                        try await shop.wait(other, until: ["JobCompleted", "JobFailed"])
                        #expect(
                            try await shop.story(other) == [
                                "JobQueued", "AttemptStarted", "ProviderCallBegun", "ProviderCalled", "JobCompleted",
                            ])
                        #expect(shop.helper.words.hasPrefix("second\n"))
                    }
                    #expect(first.asked.count == 1 && second.asked.count == 2)
                }
            }
        }
    }

    @Test func `are asked for no longer than all providers have together`() async throws {
        try await StandIn.run(.silent) { slow in
            try await StandIn.run(.answer(StandIn.words)) { patient in
                try await StandIn.run(.answer(StandIn.words)) { quick in
                    let file = providers(
                        [("slow", slow.url), ("patient", patient.url), ("quick", quick.url)],
                        // What the first has used up is not there for another.
                        deadlines: ["slow": 1, "patient": 180, "quick": 60])
                    try await withProviders(file) { shop in
                        for name in ["slow", "patient", "quick"] { try await consent(shop, job.ownerId, to: name) }
                        try await shop.startInstance()
                        try await shop.order(job: job)
                        try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                        let ended = try await outcome(shop)
                        #expect(ended.map(\.scope.provider) == ["slow", "quick"])
                        #expect(ended.map(\.code) == ["overdue", "answered"])
                        #expect(patient.asked.isEmpty && quick.asked.count == 1)
                    }
                }
            }
        }
    }

    @Test func `are not asked of a provider whose circuit has opened while another one was asked`() async throws {
        try await StandIn.run(.silent) { slow in
            try await StandIn.run(.answer(StandIn.words)) { failing in
                let file = providers([("slow", slow.url), ("failing", failing.url)], deadlines: ["slow": 3])
                try await withProviders(file) { shop in
                    for name in ["slow", "failing"] { try await consent(shop, job.ownerId, to: name) }
                    try await shop.startInstance()
                    try await shop.order(job: job)
                    while slow.asked.isEmpty { try await slow.came.wait(atMost: .seconds(10)) }
                    // What other instances have seen meanwhile.
                    _ = try await shop.service.administrator.query(
                        """
                        insert into provider_outcomes (provider, model, ended_at, succeeded)
                        select 'failing', 'whisper-1', clock_timestamp(), false from generate_series(1, 5)
                        """)
                    try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                    #expect(try await outcome(shop).map(\.code) == ["overdue"] && failing.asked.isEmpty)
                    #expect(try await shop.story(job).last == "JobCompleted")
                }
            }
        }
    }

    @Test func `are asked for however long the first of all may take`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProviders(providers([("openai", standIn.url)], deadlines: ["openai": 600])) { shop in
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await outcome(shop).map(\.code) == ["answered"] && standIn.asked.count == 1)
            }
        }
    }

    @Test func `are found by the helper when nobody knows where the provider is`() async throws {
        // A name that no name server has (RFC 2606); where a proxy stands before it, that says so.
        let file = providers([("openai", "https://provider.invalid/v1")])
        try await withProviders(file) { shop in
            try await consent(shop, job.ownerId)
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
            #expect(try await shop.story(job).last == "JobCompleted" && shop.helper.words.isEmpty)
            let ended = try #require(try await outcome(shop).first)
            #expect(ended.code == "unreachable" && ended.costMicros == 0 && ended.document == nil)
            #expect(try await spent(shop, job.ownerId) == 0)
        }
    }

    @Test(arguments: [2, 3])
    func `are the helper's alone once three that were paid for have come to nothing within a day`(futile: Int)
        async throws
    {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                @Loop func fail(_ earlier: SessionReference, paid: Int64) async throws {
                    let ended = ProviderCallOutcome(
                        scope: call(earlier).scope, code: ProviderCallOutcome.answered, durationMs: 10, attempts: 1,
                        audioMs: 30_000, costMicros: paid)
                    let code = FailureCode(rawValue: "unreadable")
                    try await shop.order(
                        [
                            .attemptStarted(earlier, attempt: 1, worker: "w", leaseEndsAt: .now()),
                            .callBegun(earlier, attempt: 1, call(earlier)), .callEnded(earlier, attempt: 1, ended),
                            .attemptFailed(earlier, attempt: 1, code: code, retryable: false, retryAt: nil),
                            .failed(earlier, attempt: 1, code: code, retryable: false),
                        ], media: false, job: earlier)
                }
                for _ in 1...futile { try await fail(.fresh(owner: job.ownerId), paid: 3_000) }
                // What cost nothing, and what somebody else has had, count for nothing.
                try await fail(.fresh(owner: job.ownerId), paid: 0)
                let other = SessionReference.fresh()
                try await consent(shop, other.ownerId)
                for _ in 1...3 { try await fail(.fresh(owner: other.ownerId), paid: 3_000) }
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(job).last == "JobCompleted")
                let isAsked = futile < 3
                #expect(standIn.asked.count == (isAsked ? 1 : 0) && shop.helper.sounds == (isAsked ? 1 : 0))
            }
        }
    }

    @Test func `let no more helpers run at a time than there are workers`() async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn, limits: ["WORKERS": "1"]) { shop in
                let home = shop.helper.home
                try shop.helper.write(
                    "helper",
                    """
                    #!/bin/sh
                    [ "$1" = analyze ] || { echo '{"asr":"none"}'; exit 0; }
                    mkdir "\(home)/held" || touch "\(home)/two-at-once"
                    sleep 0.2
                    rmdir "\(home)/held"
                    echo '{"result":'"$(cat "\(home)/result.json")"'}'

                    """)
                chmod(shop.helper.program, 0o755)
                let jobs = (0..<4).map { _ in SessionReference.fresh() }
                for job in jobs { try await shop.order(job: job) }
                try await shop.startInstance()
                for job in jobs {
                    try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                    #expect(try await shop.story(job).last == "JobCompleted")
                }
                #expect(access("\(home)/two-at-once", F_OK) != 0)
            }
        }
    }

    @Test func `are counted with what they cost in what the alert looks at`() async throws {
        let rules = try Checkout.text(of: "infra/metrics/rules.yml")
        let alert = try #require(rules.firstMatch(of: #/CallsCostMuch\n\s+expr: .*?increase\(([a-z_]+)\[/#))
        let name = String(alert.1)
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                func counted() throws -> Double {
                    let start = "\(name){provider=\"openai\",currency=\"USD\"} "
                    let line = Metrics.shared.text().split(separator: "\n").first { $0.hasPrefix(start) }
                    return try #require(line.flatMap { Double($0.dropFirst(start.count)) })
                }
                let before = try counted()
                try await consent(shop, job.ownerId)
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                // Other tests may count at the same time.
                #expect(try counted() >= before + 3_000)
            }
        }
    }

    @Test(arguments: [1, 2])
    func `are not what a job fails of: the last attempt finds its own`(failed: Int64) async throws {
        try await StandIn.run(.answer(StandIn.words)) { standIn in
            try await withProvider(standIn) { shop in
                try await consent(shop, job.ownerId)
                let heard = HeardWords(
                    engine: "openai", model: "whisper-1", words: [.init(text: "quick", startMs: 0, endMs: 300)])
                let bytes = JSONValue.object(heard.json).bytes
                let key = ObjectFolder.documents.key("\(job.ownerId)/\(job.sessionId)/words.json")
                try await shop.objects.write(bytes, to: key)
                let answered = ProviderCallOutcome(
                    scope: call(job).scope, code: ProviderCallOutcome.answered, durationMs: 10, attempts: 1,
                    audioMs: 30_000, costMicros: 3_000,
                    document: DocumentReference(
                        key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count)))
                let past = Timestamp.now().adding(seconds: -60)
                let missed = (1...failed).flatMap { attempt -> [JobEvent] in
                    let asking: [JobEvent] =
                        attempt == 1
                        ? [.callBegun(job, attempt: 1, call(job)), .callEnded(job, attempt: 1, answered)] : []
                    return [.attemptStarted(job, attempt: attempt, worker: "gone", leaseEndsAt: past)] + asking + [
                        .attemptFailed(job, attempt: attempt, code: .analysisCrashed, retryable: true, retryAt: past)
                    ]
                }
                try await shop.order(missed, job: job)
                try await shop.startInstance()
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(job).last == "JobCompleted" && standIn.asked.isEmpty)
                #expect(shop.helper.runs == 1 && shop.helper.sounds == 0)
                #expect(shop.helper.words == (failed == 1 ? "openai\nwhisper-1\n0 300 quick\n" : ""))
            }
        }
    }

    @Test func `are asked for with the sound of ten minutes, too`() async throws {
        let helper = try FakeHelper(.succeed)
        defer { helper.remove() }
        // Without padding in Base64; as much as the helper takes out at most.
        let count = 3 << 20
        try helper.write(
            "helper",
            """
            #!/bin/sh
            printf '{"result":{"ogg":"'; head -c \(count / 3 * 4) /dev/zero | tr '\\0' A; echo '","durationMs":600000}}'

            """)
        chmod(helper.program, 0o755)
        let media = MediaHelper(program: helper.program, models: helper.home)
        let sound = await media.sound(of: try media.startSound(input: "a", scratch: helper.home, maxSeconds: 600))
        #expect(sound?.ogg.count == count && sound?.milliseconds == 600_000)
    }

    private func call(_ job: SessionReference) -> ProviderCall {
        ProviderCall(
            scope: ConsentScope(provider: "openai", purpose: .transcription), model: "whisper-1",
            requestSHA256: String(repeating: "ab", count: 32), mostMicros: 3_000, currency: "USD", begunAt: .now())
    }
}

extension Workshop {
    func commands(_ job: SessionReference) -> WorkerCommands<Job> {
        WorkerCommands(store: store, stream: Job.stream(job.sessionId), metadata: metadata(job))
    }
}
