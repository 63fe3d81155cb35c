import Contracts
import JSON
import Primitives
import ProviderTesting
import Providers
import Runtime
import ServiceTesting
import Testing

@testable import analysis

private let felt = #"{"joy":0.5,"neutral":0.3,"anxious":0,"engaged":0.2,"surprise":0}"#

@Suite(.timeLimit(.minutes(3))) @Loop struct `Emotions in a report` {
    private let job = SessionReference.fresh()

    @Test func `are not there because the helper says so, which opens hostile files`() async throws {
        try await StandIn.run(.silent) { standIn in
            for policy in [false, true] {
                try await analyze(standIn, policy: policy, agreed: [], forged: true) { shop in
                    let measured = try await shop.measured(job)
                    #expect(measured["emotions"] == nil && measured["measures"] != nil)
                    #expect(standIn.asked.isEmpty)
                }
            }
        }
    }

    /// Has a recording analyzed by a service that knows a stand-in as `openai`, of an owner who has agreed to this.
    private func analyze(
        _ standIn: StandIn, policy: Bool = true, off: Bool = false, others: JSONValue = 0,
        agreed: [ConsentPurpose] = [.emotions], forged: Bool = false, _ body: @Loop (Workshop) async throws -> Void
    ) async throws {
        var provider: JSONObject = [
            "name": "openai", "protocol": "openai", "url": .string(standIn.url), "off": .bool(off),
            "vision": ["model": "gpt-4o-mini"],
        ]
        if policy { provider["emotions"] = ["model": "gpt-4o", "region": "US", "purpose": "self-coaching"] }
        let file: JSONObject = ["version": 1, "providers": [.object(provider)]]
        try await Workshop.run(
            .succeed,
            { helper in
                try helper.see(others)
                if forged {
                    let shares = try JSONObject.parse(felt.utf8)
                    let forged: JSONObject = ["emotions": ["engine": "openai/gpt-4o", "shares": .object(shares)]]
                    let all = try helper.seeing.adding(membersOf: forged)
                    try helper.write("result.json", JSONValue.object(all).text)
                }
                try helper.write("providers.json", JSONValue.object(file).text)
                return ["PROVIDERS_FILE": "\(helper.home)/providers.json"]
            },
            { shop in
                for purpose in agreed {
                    try await shop.service.deliver(
                        ConsentGiven(
                            userId: job.ownerId, to: ConsentScope(provider: "openai", purpose: purpose),
                            dataClasses: purpose.dataClasses, version: "2026-11", locale: "en",
                            textSHA256: String(repeating: "ab", count: 32), givenAt: .now()))
                }
                try await shop.startInstance()
                try await shop.order(job: job)
                try await shop.wait(job, until: ["JobCompleted", "JobFailed"])
                #expect(try await shop.story(job).last == "JobCompleted")
                try await body(shop)
            })
    }

    @Test func `are there where a policy lets a provider be asked, and its owner does`() async throws {
        try await StandIn.run(.answer(StandIn.completion(felt))) { standIn in
            try await analyze(standIn) { shop in
                let measured = try await shop.measured(job)
                #expect(measured["emotions"]?["engine"] == "openai/gpt-4o")
                #expect(measured["emotions"]?["shares"]?["joy"] == 0.5)
                #expect(measured["engines"]?["emotions"] == "openai/gpt-4o" && measured["engines"]?["vision"] == nil)
                let asked = try #require(standIn.asked.first)
                #expect(standIn.asked.count == 1 && asked.text.contains("data:image/jpeg;base64,"))
                #expect(!asked.text.contains(FakeHelper.spokenWord) && !asked.text.contains("\(job.ownerId)"))
                // No event has one.
                for event in try await shop.history(job) { #expect(!JSONValue.object(event.data).text.contains("joy")) }
            }
        }
    }

    @Test
    func `are not there without a policy, nor without a consent to them, whatever else somebody lets a provider see`()
        async throws
    {
        try await StandIn.run(.answer(StandIn.completion(felt))) { standIn in
            for (policy, off, agreed) in [
                (false, false, [.emotions]), (true, true, [.emotions]), (true, false, []),
                (true, false, [.transcription, .video]),
            ] as [(Bool, Bool, [ConsentPurpose])] {
                try await analyze(standIn, policy: policy, off: off, agreed: agreed) { shop in
                    let measured = try await shop.measured(job)
                    #expect(measured["emotions"] == nil)
                    #expect(standIn.asked.isEmpty && shop.helper.pictures == 0)
                }
            }
            // Who may see pictures is asked about posture, and about nothing else.
            try await analyze(standIn, agreed: [.vision]) { shop in
                let measured = try await shop.measured(job)
                #expect(measured["emotions"] == nil)
                #expect(standIn.asked.count == 1 && !standIn.asked[0].text.contains("anxious"))
            }
        }
    }

    @Test func `are not looked for with another person in the pictures`() async throws {
        try await StandIn.run(.answer(StandIn.completion(felt))) { standIn in
            for others in [10, .null] as [JSONValue] {
                try await analyze(standIn, others: others) { shop in
                    let measured = try await shop.measured(job)
                    #expect(measured["emotions"] == nil && standIn.asked.isEmpty)
                }
            }
        }
    }

    @Test(
        arguments: [
            .answer(status: 400, []), .answer(Array("garbage".utf8)),
            .answer(StandIn.completion(felt.replacing("0.5", with: "0.9"))),
            .answer(StandIn.completion(felt.replacing("0.5", with: "\"great\""))),
            .answer(StandIn.completion("Whoever this is, they are happy.")),
        ] as [StandIn.Behaviour])
    func `are left out when no answer can be used, and all else stands`(behaviour: StandIn.Behaviour) async throws {
        try await StandIn.run(behaviour) { standIn in
            try await analyze(standIn) { shop in
                let measured = try await shop.measured(job)
                #expect(measured["emotions"] == nil && measured["engines"]?["emotions"] == nil)
                #expect(measured["measures"]?["paceWordsPerMin"]?["value"] == 150 && standIn.asked.count == 1)
            }
        }
    }
}
