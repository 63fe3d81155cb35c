import Access
import Contracts
import EventSourcingTesting
import EventStore
import JSON
import Primitives
import Testing

@testable import identity

private let f = Fixture.self

@Suite("A login session") struct LoginSessionTests {
    private let open = Specification<LoginSession>([])
    private let over = Specification<LoginSession>([.ended(f.end)])

    @Test("ends once, whatever is said of it later")
    func end() {
        #expect(open.when(.end(f.end)) == .events([.ended(f.end)]))
        var later = f.end
        later.reason = .passwordReset
        later.tokensUntil = f.start.adding(seconds: 900)
        #expect(over.when(.end(f.end)) == .events([]))
        #expect(over.when(.end(later)) == .events([]))
    }

    @Test("has no row any more as soon as its end is asked for, decided now or before")
    func row() {
        for (state, events) in [(LoginSession.open, [LoginSessionEvent.ended(f.end)]), (.ended, [])] {
            let calls = LoginSession.rowCalls(for: .end(f.end), state, events)
            #expect(
                calls.map(\.json) == [
                    ["call": "end_login", "args": ["session": .uuid(f.login)]],
                    ["call": "end_app_tokens", "args": ["session": .uuid(f.login)]],
                ])
        }
    }

    @Test("gives an app's token as long as it goes on, and goes on with it")
    func appToken() {
        #expect(open.when(.issue(f.appToken)) == .events([.appTokenIssued(f.appToken)]))
        #expect(over.when(.issue(f.appToken)) == .events([]))
        let used = Specification<LoginSession>([.appTokenIssued(f.appToken)])
        #expect(used.when(.end(f.end)) == .events([.ended(f.end)]))
        let calls = LoginSession.rowCalls(for: .issue(f.appToken), .open, [.appTokenIssued(f.appToken)])
        #expect(calls.compactMap { $0.json["call"]?.stringValue } == ["make_app_login", "learn_app_token"])
    }
}
