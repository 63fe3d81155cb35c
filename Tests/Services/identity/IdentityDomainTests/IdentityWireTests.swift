import Access
import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import ServiceKit
import SigningKeys
import Testing

@testable import identity

private let f = Fixture.self
private let everyEvent: [IdentityEvent] = [
    .user(f.device), .user(f.password), .user(f.upgraded), .user(f.moved), .user(f.changed), .user(f.erased),
    .user(f.confirmed(.quota)), .signingKey(.published(f.key)), .signingKey(.retired(kid: f.kid, at: f.start)),
    .user(f.reset), .user(f.verified), .announcing(.begun(key: "k")), .announcing(.erasuresAnnounced(key: "k")),
    .login(.ended(f.end)), .user(f.protected), .user(f.unprotected), .user(f.recoverable),
    .user(f.readdressed), .user(f.kept), .user(.notificationsChanged(f.id, f.wanted)),
    .user(.termsAccepted(f.id, f.terms)), .user(.deviceSecretChanged(f.id)),
    .user(f.detached), .login(.appTokenIssued(f.appToken)), .user(f.handedOver), .user(f.handedOverBefore),
    .user(f.proven), .user(f.withdrawn), .user(f.revoked), .user(f.revokedBefore),
    .user(f.consented), .user(f.unconsented),
    .apiKey(.issued(f.apiKey)), .apiKey(.revoked(APIKeyRevoked(keyId: f.login))),
]

@Suite("The private events of identity") struct IdentityEventTests {
    @Test("are all in the list, in their newest version")
    func complete() { #expect(Set(everyEvent.map(\.type)) == goldenEvents(of: "identity")) }

    @Test("come back from their stored form", arguments: everyEvent)
    func stored(event: IdentityEvent) throws { #expect(try storedAndRead(event) == event) }

    @Test("of another version or name stop the reader")
    func unknown() {
        for type in [EventType("UserErased", 3), EventType("UserPainted"), EventType("SigningKeyPainted")] {
            #expect(throws: EventDecodingError.unknownType(type)) { try IdentityEvent.decode(type, f.erased.data) }
        }
    }

    @Test("that miss a member are named")
    func malformed() {
        #expect(
            throws: EventDecodingError.malformed(
                EventType("UserErased"), JSONError(.missing, at: "userId", "is missing"))
        ) { try IdentityEvent.decode(EventType("UserErased"), [:]) }
    }

    @Test("have names that never change")
    func names() {
        #expect(
            everyEvent.map(\.type.description) == [
                "UserRegistered.v1", "CredentialsAttached.v1", "CredentialsAttached.v1", "UserProfileChanged.v1",
                "PasswordChanged.v1", "UserErased.v2", "ErasureConfirmed.v1", "SigningKeyPublished.v2",
                "SigningKeyRetired.v2", "PasswordReset.v1", "EmailVerified.v1", "AnnouncementsBegun.v1",
                "ErasuresAnnounced.v1", "LoginSessionEnded.v1", "SecondFactorAdded.v1", "SecondFactorRemoved.v1",
                "RecoveryCodesReplaced.v1", "EmailChanged.v2", "EmailChangeStopped.v1",
                "NotificationsChanged.v1", "TermsAccepted.v1", "DeviceSecretChanged.v1", "CredentialsDetached.v1",
                "AppTokenIssued.v1", "DeviceHandedOver.v2", "DeviceHandedOver.v2",
                "NewAddressProven.v1", "EmailChangeWithdrawn.v1", "DeviceSecretRevoked.v2", "DeviceSecretRevoked.v2",
                "ConsentGiven.v1", "ConsentWithdrawn.v1",
                "APIKeyIssued.v1", "APIKeyRevoked.v1",
            ])
    }

    @Test("of release 1 are published without a signature, as they were")
    func unsigned() throws {
        let old: [(String, JSONObject, MessageType)] = [
            ("UserErased", ["userId": .uuid(f.id)], UserErased.type),
            ("SigningKeyPublished", IdentityEvent.signingKey(.published(f.key)).data, SigningKeyPublished.type),
            (
                "SigningKeyRetired", IdentityEvent.signingKey(.retired(kid: f.kid, at: f.start)).data,
                SigningKeyRetired.type
            ),
        ]
        for (name, now, type) in old {
            var data = now
            data["signed"] = nil
            let event = try IdentityEvent.decode(EventType(name), data)
            let outgoing = try #require(PublishedByIdentity.outgoing(for: event))
            #expect(outgoing.type == type)
            #expect(outgoing.data == data)
        }
        let signed = everyEvent.compactMap { PublishedByIdentity.outgoing(for: $0)?.type }
        #expect(Announcements.signed.isSubset(of: signed))
        #expect(Announcements.unsigned.isDisjoint(with: signed))
    }

    @Test("are published as at most one message; a device that signs up is told as a user")
    func published() throws {
        let messages = everyEvent.map { PublishedByIdentity.outgoing(for: $0) }
        #expect(
            messages.map { $0?.type.name ?? "-" } == [
                "UserRegistered", "-", "UserRegistered", "UserProfileChanged", "-", "UserErased", "-",
                "SigningKeyPublished", "SigningKeyRetired", "-", "-", "AnnouncementsBegun", "-",
                "LoginSessionEnded", "-", "-", "-", "-", "-", "-", "-", "-", "-",
                "AppTokenIssued", "DeviceHandedOver", "DeviceHandedOver", "-", "-", "DeviceSecretRevoked", "-",
                "ConsentGiven", "ConsentWithdrawn",
                "APIKeyIssued", "APIKeyRevoked",
            ])
        #expect(try UserRegistered(#require(messages[2]).data).kind == .user)
        #expect(messages.prefix(7).compactMap { $0?.key } == Array(repeating: .owner(f.id), count: 4))
        #expect(messages[7...8].compactMap { $0?.key } == [.system, .system])
        let ended = try #require(messages[13])
        #expect(ended.key == .owner(f.id) && ended.subject == f.login.description)
        #expect(
            try LoginSessionEnded(ended.data).json == [
                "userId": .uuid(f.id), "loginSessionId": .uuid(f.login), "reason": "signed-out",
                "tokensUntil": .time(f.start),
            ])
        let issued = try #require(messages[23])
        #expect(issued.key == .owner(f.id) && issued.subject == f.login.description)
        #expect(try AppTokenIssued(issued.data) == f.appToken)
        let handedOver = try #require(messages[24])
        #expect(handedOver.key == .owner(f.id) && handedOver.subject == f.id.description)
        #expect(handedOver.type == DeviceHandedOverV2.type)
        #expect(
            handedOver.data == [
                "userId": .uuid(f.id), "accountId": .uuid(f.login), "handedOverAt": .time(f.start),
            ])
    }

    @Test("of consents are published as they are, to their user's key")
    func consents() throws {
        let given = try #require(PublishedByIdentity.outgoing(for: .user(f.consented)))
        #expect(given.key == .owner(f.id) && given.subject == f.id.description)
        #expect(
            given.data == [
                "userId": .uuid(f.id), "provider": "openai", "purpose": "transcription",
                "dataClasses": ["audio": true], "version": "2026-11", "locale": "en",
                "textSHA256": .string(String(repeating: "cd", count: 32)), "givenAt": .time(f.start),
            ])
        #expect(try ConsentGiven(given.data).dataClasses == [.audio])
        let withdrawn = try #require(PublishedByIdentity.outgoing(for: .user(f.unconsented)))
        #expect(withdrawn.key == .owner(f.id) && withdrawn.subject == f.id.description)
        #expect(
            withdrawn.data == [
                "userId": .uuid(f.id), "provider": "openai", "purpose": "transcription", "withdrawnAt": .time(f.start),
            ])
    }

    @Test("of a change of address of release 1 say that the new one alone was asked")
    func emailChangedBefore() throws {
        let event = try IdentityEvent.decode(EventType("EmailChanged"), ["userId": .uuid(f.id)])
        #expect(event == .user(.emailChanged(f.id, by: .newAddress)))
    }

    @Test("of a hand-over without its moment are published as they were")
    func handedOverBefore() throws {
        let stored: JSONObject = ["userId": .uuid(f.id), "accountId": .uuid(f.login)]
        let event = try IdentityEvent.decode(EventType("DeviceHandedOver"), stored)
        #expect(event == .user(f.handedOverBefore))
        let outgoing = try #require(PublishedByIdentity.outgoing(for: event))
        #expect(outgoing.type == DeviceHandedOver.type && outgoing.data == stored)
    }

    @Test("of a revoked device from before that was announced are published no more than then")
    func revokedBefore() throws {
        let event = try IdentityEvent.decode(EventType("DeviceSecretRevoked"), ["userId": .uuid(f.id)])
        #expect(event == .user(f.revokedBefore))
        #expect(PublishedByIdentity.outgoing(for: event) == nil)
        let now = try #require(PublishedByIdentity.outgoing(for: .user(f.revoked)))
        #expect(now.type == DeviceSecretRevoked.type && now.data == ["userId": .uuid(f.id)])
        #expect(now.key == .owner(f.id) && now.subject == f.id.description)
    }
}

@Suite("The messages that identity reads") struct IdentityReactionTests {
    private func incoming(_ outgoing: Outgoing) -> Incoming {
        Incoming(id: f.id, type: outgoing.type, time: f.start, data: outgoing.data)
    }

    @Test("are the answers of the services to an erasure", arguments: ServiceName.allCases.filter { $0 != .identity })
    func answers(service: ServiceName) throws {
        let message = incoming(SubjectErased.outgoing(f.id, from: service, removed: f.removed))
        #expect(
            try User.reactions.reaction(to: message)
                == .apply(
                    User.stream(f.id), .confirmErasure(f.id, service: service.rawValue, removed: f.removed)))
    }

    @Test("are not believed when one service speaks for another")
    func impostor() throws {
        let message = Incoming(
            id: f.id, type: SubjectErased.type(of: .quota), time: f.start,
            data: SubjectErased(subjectId: f.id, service: .sessions, removed: f.removed).json)
        #expect(try User.reactions.reaction(to: message) == .ignore)
    }

    @Test("are none of its own and none that it does not know")
    func ignored() throws {
        for message in [Outgoing(UserErased(userId: f.id)), Outgoing(UserRegistered(userId: f.id, kind: .user))] {
            #expect(try User.reactions.reaction(to: incoming(message)) == .ignore)
        }
    }
}
