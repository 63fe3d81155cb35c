import JSON
import Testing

@testable import mirrormate

@Suite("What operators are shown of providers") struct ProviderListTests {
    @Test("is a line for each model of each, with its circuit or that nobody gets anything")
    func table() throws {
        let answer = try JSONObject.parse(
            Array(
                """
                {"providers": [
                    {"name": "openai", "protocol": "openai", "url": "https://api.openai.com/v1", "hasKey": true, "off": false,
                     "currency": "USD", "models": [
                        {"purpose": "transcription", "model": "whisper-1", "circuit": "open",
                         "openUntil": "2026-11-22T10:00:30.000000Z", "calls": 12, "answered": 7, "costMicros": 1234567,
                         "lastFailure": {"code": "overdue", "at": "2026-11-22T10:00:00.000000Z", "advice": "Wait."}}]},
                    {"name": "local", "protocol": "openai", "url": "http://whisper:8000/v1", "hasKey": false, "off": true,
                     "currency": "USD", "models": [
                        {"purpose": "chat", "model": "small", "circuit": "closed", "openUntil": null, "calls": 0,
                         "answered": 0, "costMicros": 0, "lastFailure": null}]}]}
                """.utf8))
        let lines = ProviderCommands.table([("analysis", answer)]).text(Style(isColoured: false)).split(separator: "\n")
        #expect(lines.count == 3)
        let words = lines.map { $0.split(separator: " ", omittingEmptySubsequences: true).map(String.init) }
        #expect(
            words[1] == [
                "openai", "transcription", "whisper-1", "open", "12", "7", "1.234567", "USD", "overdue",
                "2026-11-22T10:00:00.000000Z",
            ])
        #expect(words[2] == ["local", "chat", "small", "off", "0", "0", "0.000000", "USD"])
        let both = ProviderCommands.table([("analysis", answer), ("analysis-2", answer)])
        let firsts = both.text(Style(isColoured: false)).split(separator: "\n").map {
            $0.split(separator: " ", omittingEmptySubsequences: true).prefix(2).joined(separator: " ")
        }
        #expect(
            firsts == [
                "INSTANCE PROVIDER", "analysis openai", "analysis local", "analysis-2 openai", "analysis-2 local",
            ])
    }

    @Test("of one that was tried is what became of it and what to do")
    func tried() {
        let tried: JSONObject = [
            "purpose": "transcription", "model": "whisper-1", "code": "key-refused", "durationMs": 240, "attempts": 1,
            "costMicros": 0, "advice": "Correct the key.",
        ]
        #expect(
            ProviderCommands.lines(tried, "EUR") == [
                "transcription (whisper-1): key-refused in 240 ms, for 0.000000 EUR", "  Correct the key.",
            ])
        #expect(ProviderCommands.lines(["code": "answered", "advice": .null], nil).count == 1)
    }
}
