import Contracts
import JSON
import Testing

@Suite("What a client says of a recording") struct RecordingBriefTests {
    @Test(
        "names a language by a tag of the common form",
        arguments: ["en", "de", "pt-BR", "zh-Hant-TW", "de-DE-1996", "sl-rozaj-biske-1994", "EN-us"])
    func tags(tag: String) { #expect(RecordingBrief.isTag(tag)) }

    @Test(
        "is refused in another form",
        arguments: [
            "", "e", "e1", "en_US", "en-", "-en", "en--US", "englishlanguage", "deutsch!", "en-ü", "en us",
            "en-abcdefgh-abcdefgh-abcdefgh-abcdefgh",
        ])
    func wrong(tag: String) { #expect(!RecordingBrief.isTag(tag)) }

    @Test("is English unless another language is named")
    func english() {
        for tag in ["en", "en-GB", "EN", "eng", "und"] { #expect(RecordingBrief(language: tag).isEnglish, "\(tag)") }
        for tag in ["de", "enm", "e2", "fr-CA"] { #expect(!RecordingBrief(language: tag).isEnglish, "\(tag)") }
        #expect(RecordingBrief().isEnglish)
    }

    @Test("leaves out what was not said")
    func silence() throws {
        #expect(RecordingBrief().json == [:])
        #expect(try RecordingBrief([:]) == RecordingBrief())
        let brief = RecordingBrief(language: "de", scenario: .interview)
        #expect(try RecordingBrief(brief.json) == brief)
    }
}
