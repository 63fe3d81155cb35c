import JSON
import Testing

@testable import mirrormate

@Suite("What the doctor says of what providers may cost") struct ProviderLimitTests {
    /// An answer of a service with one provider.
    private func answer(
        off: Bool = false, outside: Bool = true, purpose: String = "transcription", priced: Bool = true,
        owner: Int64? = 1_000_000, day: Int64? = 50_000_000
    ) -> JSONObject {
        [
            "providers": [
                [
                    "name": "openai", "off": .bool(off), "outside": .bool(outside),
                    "models": [["purpose": .string(purpose), "model": "m", "priced": .bool(priced)]],
                ]
            ],
            "limits": ["ownerDayMicros": .optional(owner), "dayMicros": .optional(day)],
        ]
    }

    private func codes(_ answer: JSONObject, _ service: String = "analysis") -> [String] {
        ProviderLimits.findings(service, answer).map(\.code)
    }

    @Test("names each limit that is missing")
    func missing() {
        #expect(codes(answer()) == [])
        let both = ProviderLimits.findings("analysis", answer(owner: nil, day: nil))
        #expect(both.map(\.code) == ["providers-unlimited"] && both[0].part == "analysis")
        #expect(
            both[0].message
                == "PROVIDERS_OWNER_DAY_MICROS and PROVIDERS_DAY_MICROS are not set: what calls to openai cost within a day has no such limit."
        )
        let one = ProviderLimits.findings("analysis", answer(day: nil))
        #expect(one.first?.message.hasPrefix("PROVIDERS_DAY_MICROS is not set:") == true)
    }

    @Test("is nothing where nobody is asked who charges")
    func nobody() {
        for nobody in [answer(off: true, owner: nil), answer(outside: false, priced: false, owner: nil, day: nil)] {
            #expect(codes(nobody) == [])
        }
        #expect(codes(["providers": [], "limits": [:]]) == [])
        // What the other service asks for.
        let chat = answer(purpose: "chat", owner: nil)
        #expect(codes(chat) == [] && codes(chat, "reporting") == ["providers-unlimited"])
        #expect(codes(answer(purpose: "speech", priced: false, owner: nil)) == [])
    }

    @Test("names what has no price, for which no limit holds")
    func unpriced() {
        let found = ProviderLimits.findings("analysis", answer(priced: false))
        #expect(found.map(\.code) == ["providers-unpriced"])
        #expect(found.first?.message.contains("openai (transcription)") == true)
        #expect(codes(answer(priced: false, day: nil)) == ["providers-unlimited", "providers-unpriced"])
        #expect(codes(answer(priced: false, owner: nil, day: nil)) == ["providers-unlimited"])
    }
}
