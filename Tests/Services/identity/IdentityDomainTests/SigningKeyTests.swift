import EventSourcing
import EventSourcingTesting
import Primitives
import SigningKeys
import Testing

@testable import identity

private let f = Fixture.self

@Suite("A signing key") struct SigningKeyTests {
    private let unknown = Specification<SigningKey>([])
    private let known = Specification<SigningKey>([.published(f.key)])
    private let withdrawn = Specification<SigningKey>([.published(f.key), .retired(kid: f.kid, at: f.start)])

    @Test("is published once")
    func publish() {
        #expect(unknown.when(.publish(f.key)) == .events([.published(f.key)]))
        #expect(known.when(.publish(f.key)) == .events([]))
        var other = f.key
        other.x = "b3RoZXI"
        #expect(known.when(.publish(other)) == .refusal(.exists))
    }

    @Test("that was retired does not come back")
    func retired() {
        #expect(known.when(.retire(at: f.start)) == .events([.retired(kid: f.kid, at: f.start)]))
        #expect(withdrawn.when(.retire(at: f.start)) == .events([]))
        #expect(withdrawn.when(.publish(f.key)) == .refusal(.exists))
        #expect(unknown.when(.retire(at: f.start)) == .refusal(.unknown))
    }

    @Test("lasts longer than no time")
    func period() {
        var key = f.key
        key.expiresAt = key.notBefore
        #expect(unknown.when(.publish(key)) == .refusal(.invalidPeriod))
    }
}
