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

    @Test("is announced again as what it is: alive or retired")
    func announce() {
        let old = Specification<SigningKey>([.published(f.key, isSigned: false)])
        #expect(old.when(.announce) == .events([.published(f.key)]))
        #expect(withdrawn.when(.announce) == .events([.retired(kid: f.kid, at: f.start)]))
        #expect(unknown.when(.announce) == .refusal(.unknown))
        let again = Specification<SigningKey>([
            .published(f.key), .retired(kid: f.kid, at: f.start), .published(f.key),
        ])
        #expect(again.when(.retire(at: f.start)) == .events([]), "it stays retired, whatever comes later")
    }

    @Test("lasts longer than no time")
    func period() {
        var key = f.key
        key.expiresAt = key.notBefore
        #expect(unknown.when(.publish(key)) == .refusal(.invalidPeriod))
    }
}
