import ServiceKit
import Testing

@testable import notifications

@Suite struct `What an operator has to know of sending` {
    private static func found(
        due: Int64 = 0, for seconds: Int64 = 0, sealed: Int64 = 0, tried: Int64 = 0, answered: Int64 = 0
    ) -> [String] {
        var figures = WebhookFindings()
        figures.due = due
        figures.dueSeconds = seconds
        figures.sealed = sealed
        figures.tried = tried
        figures.answered = answered
        return figures.findings.map(\.code)
    }

    @Test func `is nothing while things are sent, and while single receivers are dead`() {
        #expect(Self.found() == [])
        #expect(Self.found(due: 50, for: 5, tried: 9, answered: 1) == [])
        #expect(Self.found(tried: 2, answered: 0) == [], "two may both be dead")
    }

    @Test func `is that nobody sends, that no key opens an endpoint, that nobody is reached`() {
        #expect(Self.found(due: 1, for: 121) == ["webhooks-late"])
        #expect(Self.found(sealed: 2, tried: 2) == ["webhooks-sealed"])
        #expect(Self.found(tried: 3) == ["webhooks-unreachable"])
        #expect(Self.found(sealed: 3, tried: 3) == ["webhooks-sealed"], "the way out has no part in it")
    }
}
