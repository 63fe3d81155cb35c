import Contracts
import EventSourcingTesting
import EventStore
import JSON
import Testing

@testable import identity

private let f = Fixture.self

@Suite("An API key") struct APIKeyTests {
    private let absent = Specification<APIKey>([])
    private let issued = Specification<APIKey>([.issued(f.apiKey)])
    private let revoked = Specification<APIKey>([.issued(f.apiKey), .revoked(APIKeyRevoked(keyId: f.login))])

    @Test("is made once, and never again after its end")
    func issue() {
        #expect(absent.when(.issue(f.apiKey)) == .events([.issued(f.apiKey)]))
        #expect(issued.when(.issue(f.apiKey)) == .refusal(.exists))
        #expect(revoked.when(.issue(f.apiKey)) == .refusal(.exists))
    }

    @Test("is revoked once, also one of which a restore has left nothing")
    func revoke() {
        let end = APIKeyEvent.revoked(APIKeyRevoked(keyId: f.login))
        #expect(issued.when(.revoke(f.login)) == .events([end]))
        #expect(absent.when(.revoke(f.login)) == .events([end]))
        #expect(revoked.when(.revoke(f.login)) == .events([]))
    }

    @Test("stays revoked whatever is read later")
    func final() {
        #expect(APIKey.evolve(.revoked, .issued(f.apiKey)) == .revoked)
    }

    @Test("counts, and counts no longer, with the event that says so")
    func rows() {
        let end = APIKeyEvent.revoked(APIKeyRevoked(keyId: f.login))
        let calls = APIKey.rowCalls(for: .revoke(f.login), .issued, [.issued(f.apiKey), end])
        #expect(calls.compactMap { $0.json["call"]?.stringValue } == ["learn_api_key", "revoke_api_key"])
    }
}
