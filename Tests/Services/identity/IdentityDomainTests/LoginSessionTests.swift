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

    @Test("is told to end with its app's token, also by somebody who knows of none, and never earlier than was asked")
    func tokensUntil() {
        var token = f.appToken
        token.expiresAt = f.start.adding(seconds: 90 * 86_400)
        let used = Specification<LoginSession>([.appTokenIssued(token)])
        var short = f.end
        short.tokensUntil = f.start.adding(seconds: 900)
        var lasting = short
        lasting.tokensUntil = token.expiresAt
        #expect(used.when(.end(short)) == .events([.ended(lasting)]))
        #expect(used.when(.end(lasting)) == .events([.ended(lasting)]))
        lasting.tokensUntil = token.expiresAt.adding(seconds: 1)
        #expect(used.when(.end(lasting)) == .events([.ended(lasting)]))
        // Without a token nothing lasts longer than was asked.
        #expect(open.when(.end(short)) == .events([.ended(short)]))
        #expect(Specification<LoginSession>([.ended(short), .appTokenIssued(token)]).when(.end(short)) == .events([]))
    }

    @Test("has no row any more as soon as its end is asked for, decided now or before")
    func row() {
        for (state, events) in [(LoginSession.initial, [LoginSessionEvent.ended(f.end)]), (.ended, [])] {
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
        #expect(used.when(.issue(f.appToken)) == .events([.appTokenIssued(f.appToken)]))
        let calls = LoginSession.rowCalls(for: .issue(f.appToken), .initial, [.appTokenIssued(f.appToken)])
        #expect(calls.compactMap { $0.json["call"]?.stringValue } == ["make_app_login", "learn_app_token"])
    }
}
