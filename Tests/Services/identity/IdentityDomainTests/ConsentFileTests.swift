import Contracts
import JSON
import Primitives
import ServiceKit
import Testing

@testable import identity

@Suite("The file of what can be consented to") struct ConsentFileTests {
    private func read(_ consents: JSONValue) throws -> ConsentOffers {
        try ConsentFile.read(JSONValue.object(["version": 1, "consents": consents]).bytes)
    }

    private let good: JSONValue = [
        "provider": "openai", "purpose": "transcription", "dataClasses": ["audio"], "version": "2026-11",
        "texts": ["en": "The sound goes to OpenAI.", "de": "Der Ton geht an OpenAI."],
    ]

    @Test("is read, and the proof is the hash of the text in its language")
    func reads() throws {
        let offers = try read([good])
        let scope = ConsentScope(provider: "openai", purpose: .transcription)
        let offer = try #require(offers[scope])
        let german = try #require(offer.terms(in: "de"))
        #expect(german.dataClasses == [.audio] && german.version == "2026-11" && german.locale == "de")
        #expect(german.textSHA256 == "ca2a5bd61b40beff8099540cf030bba88e9fcae66224797d973f50c1db8dc284")
        #expect(try #require(offer.terms(in: "en")).textSHA256 != german.textSHA256)
        #expect(offer.terms(in: "fr") == nil && offer.isCurrent(german))
        var old = german
        old.version = "2025-01"
        #expect(!offer.isCurrent(old))
        #expect(offers[ConsentScope(provider: "other", purpose: .transcription)] == nil)
        #expect(try read([]) == ConsentOffers())
    }

    @Test("tells every mistake at once, with what to write instead")
    func mistakes() throws {
        let bad: JSONValue = [
            "provider": "Open AI", "purpose": "dancing", "dataClasses": ["audio"], "version": "November 2026",
            "texts": ["English!": ""], "price": 1,
        ]
        let more: JSONValue = [
            "provider": "openai", "purpose": "transcription", "dataClasses": ["audio", "video"], "version": "2",
            "texts": [:],
        ]
        let error = #expect(throws: SettingsFileError.self) { try read([bad, good, more, "openai"]) }
        #expect(
            error?.mistakes == [
                "consents[0].price is not known; the members here are provider, purpose, dataClasses, version, texts.",
                "consents[0].provider must be named with up to 40 lower-case letters, digits and hyphens.",
                "consents[0].purpose must be one of emotions, transcription, video, vision, wording.",
                "consents[0].version must be up to 40 letters, digits, points and dashes, such as 2026-11.",
                "consents[0].texts.English! must be named with a BCP 47 tag, such as en or pt-BR.",
                "consents[0].texts.English! must be a text of at most 4,000 bytes.",
                "consents[2].dataClasses must be the list of what transcription takes: audio.",
                "consents[2].texts must be an object with the text in each language, by its BCP 47 tag.",
                "consents[2] names a provider and purpose that an earlier one names; leave one of them out.",
                "consents[3] must be an object with provider, purpose, dataClasses, version and texts.",
            ])
        #expect(throws: SettingsFileError.self) { try read("all") }
        #expect(throws: SettingsFileError.self) { try read(.array(Array(repeating: good, count: 33))) }
    }
}
