import JSON
import Primitives
import ProviderTesting
import Runtime
import ServiceTesting
import Testing

@testable import analysis

@Suite(.timeLimit(.minutes(10))) @Loop struct `What operators see of providers` {
    private let key = [("Authorization", "Bearer \(TestOperator.key)")]

    private func withProvider(
        _ standIn: StandIn, _ others: JSONValue..., body: @Loop (Workshop) async throws -> Void
    ) async throws {
        let provider: JSONValue = [
            "name": "openai", "protocol": "openai", "url": .string(standIn.url), "currency": "EUR",
            "transcription": ["model": "whisper-1", "microsPerMinute": 6_000], "chat": ["model": "gpt-4o-mini"],
        ]
        let providers = [provider] + others
        try await Workshop.run(
            .succeed,
            { helper in
                try helper.write(
                    "providers.json", JSONValue.object(["version": 1, "providers": .array(providers)]).text)
                return ["PROVIDERS_FILE": "\(helper.home)/providers.json"].merging(TestOperator.variables) { $1 }
            }, body)
    }

    @Test func `is each model's circuit, and what was tried with nothing of anybody`() async throws {
        let silence = JSONValue.object(["language": "english", "words": []]).bytes
        try await StandIn.run(.answer(silence), .answer(Array("garbage".utf8))) { standIn in
            try await withProvider(standIn) { shop in
                let before = try await shop.service.sendToAdmin("GET", "/operator/providers", headers: key)
                #expect(before.status == 200)
                let provider = try #require(try before.json.array("providers").first)
                #expect(provider["name"] == "openai" && provider["hasKey"] == false && provider["off"] == false)
                let models = try #require(provider["models"]?.arrayValue)
                #expect(models.map { $0["circuit"] } == ["closed", "closed"])
                #expect(models.map { $0["calls"] } == [0, 0] && models[0]["lastFailure"] == .null)
                // By which the doctor sees whether limits are there and can hold.
                #expect(before.json["limits"] == ["ownerDayMicros": .null, "dayMicros": .null])
                #expect(models.map { $0["priced"] } == [true, false] && provider["outside"] == false)

                let tried = try await shop.service.sendToAdmin(
                    "POST", "/operator/providers/openai/try", headers: key)
                #expect(tried.status == 200 && tried.json["currency"] == "EUR")
                let each = try tried.json.array("tried")
                #expect(each.map { $0["code"] } == ["answered", "unreadable-not-json"])
                #expect(each[0]["costMicros"] == 100 && each[0]["advice"] == .null)
                #expect(each[1]["advice"]?.stringValue?.contains("it is no JSON") == true)
                #expect(standIn.asked.count == 2 && standIn.asked[0].text.contains("RIFF"))

                let after = try await shop.service.sendToAdmin("GET", "/operator/providers", headers: key)
                let seen = try #require(try after.json.array("providers").first?["models"]?.arrayValue)
                #expect(seen.map { $0["calls"] } == [1, 1] && seen.map { $0["answered"] } == [1, 0])
                #expect(seen[1]["lastFailure"]?["code"] == "unreadable-not-json")
            }
        }
    }

    @Test func `is how a model for pictures does with one that is gray all over`() async throws {
        try await StandIn.run(.answer(StandIn.completion("{\"person\": false}"))) { standIn in
            let provider: JSONValue = [
                "name": "openai", "protocol": "openai", "url": .string(standIn.url),
                "vision": ["model": "gpt-4o", "microsPerMillionInputTokens": 1_000_000],
            ]
            try await Workshop.run(
                .succeed,
                { helper in
                    try helper.write(
                        "providers.json", JSONValue.object(["version": 1, "providers": [provider]]).text)
                    return ["PROVIDERS_FILE": "\(helper.home)/providers.json"].merging(TestOperator.variables) { $1 }
                },
                { shop in
                    let tried = try await shop.service.sendToAdmin(
                        "POST", "/operator/providers/openai/try", headers: key)
                    let each = try #require(try tried.json.array("tried").first)
                    #expect(each["purpose"] == "vision" && each["model"] == "gpt-4o" && each["code"] == "answered")
                    #expect(each["costMicros"] == 1_000)
                    #expect(
                        standIn.asked.count == 1 && standIn.asked[0].text.contains("data:image/jpeg;base64,/9j/4AA"))
                    let after = try await shop.service.sendToAdmin("GET", "/operator/providers", headers: key)
                    let models = try after.json.array("providers").first?["models"]?.arrayValue
                    #expect(models?.map { $0["purpose"] } == ["vision"] && models?.map { $0["calls"] } == [1])
                })
        }
    }

    @Test func `is how a model for whole recordings does with a file that is gray all over, and taken back`()
        async throws
    {
        try await StandIn.run(StandIn.lending(.answer(StandIn.generated("{\"person\": false}")))) { standIn in
            let gemini: JSONValue = [
                "name": "gemini", "protocol": "gemini", "url": .string(standIn.url), "currency": "EUR",
                "video": ["model": "gemini-2.5-flash", "microsPerMillionInputTokens": 1_000_000],
            ]
            try await withProvider(standIn, gemini) { shop in
                let tried = try await shop.service.sendToAdmin(
                    "POST", "/operator/providers/gemini/try", headers: key)
                let each = try #require(try tried.json.array("tried").first)
                #expect(each["purpose"] == "video" && each["model"] == "gemini-2.5-flash")
                #expect(each["code"] == "answered" && each["costMicros"] == 1_000)
                #expect(standIn.asked.map(\.method) == ["POST", "POST", "POST", "DELETE"])
                #expect(standIn.asked[1].body.starts(with: [0xFF, 0xD8, 0xFF]))
                #expect(try await shop.lent() == 0)
            }
        }
    }

    @Test func `is of who reads aloud, judges texts and makes voices the same, and no voice is made for a try`()
        async throws
    {
        try await StandIn.run(
            StandIn.sounding(), .answer(StandIn.judged([false])), StandIn.sounding(),
            .answer(StandIn.voicesFound(.v7()))
        ) { standIn in
            let reader: JSONValue = [
                "name": "reader", "protocol": "openai", "url": .string(standIn.url), "currency": "EUR",
                "speech": ["model": "tts-1", "voice": "alloy", "microsPerMillionCharacters": 15_000_000],
                "moderation": ["model": "omni-moderation-latest"],
            ]
            let voices: JSONValue = [
                "name": "voices", "protocol": "elevenlabs", "url": .string(String(standIn.url.dropLast(3))),
                "currency": "EUR", "speech": ["model": "eleven_multilingual_v2", "voice": "JBFqnCBsd6RMkjVDRZzb"],
                "voices": ["microsPerVoice": 1_000],
            ]
            try await withProvider(standIn, reader, voices) { shop in
                var codes: [JSONValue?] = []
                for name in ["reader", "voices"] {
                    let tried = try await shop.service.sendToAdmin(
                        "POST", "/operator/providers/\(name)/try", headers: key)
                    #expect(tried.status == 200)
                    for one in try tried.json.array("tried") {
                        codes += [one["purpose"], one["code"], one["costMicros"]]
                    }
                }
                #expect(
                    codes == [
                        "speech", "answered", 195, "moderation", "answered", 0, "speech", "answered", 0, "voices",
                        "answered", 0,
                    ])
                #expect(
                    standIn.asked.map { "\($0.method) \($0.path)" } == [
                        "POST /v1/audio/speech", "POST /v1/moderations",
                        "POST /v1/text-to-speech/JBFqnCBsd6RMkjVDRZzb", "GET /v2/voices",
                    ])
                let after = try await shop.service.sendToAdmin("GET", "/operator/providers", headers: key)
                let seen = try after.json.array("providers").dropFirst().flatMap { $0["models"]?.arrayValue ?? [] }
                #expect(seen.map { $0["purpose"] } == ["speech", "moderation", "speech", "voices"])
                #expect(seen.map { $0["answered"] } == [1, 1, 1, 1])
            }
        }
    }

    @Test func `is told nobody without the operators' key, and of no provider that there is not`() async throws {
        try await StandIn.run(.silent) { standIn in
            try await withProvider(standIn) { shop in
                #expect(try await shop.service.sendToAdmin("GET", "/operator/providers").status == 401)
                #expect(try await shop.service.sendToAdmin("POST", "/operator/providers/openai/try").status == 401)
                let unknown = try await shop.service.sendToAdmin(
                    "POST", "/operator/providers/another/try", headers: key)
                #expect(unknown.status == 404)
                #expect(standIn.asked.isEmpty)
            }
        }
    }
}
