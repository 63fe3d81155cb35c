import Contracts
import Crypto
import EventRelay
import EventSourcing
import EventStore
import JSON
import Kafka
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

/// How somebody who can write to topics says something in identity's name.
enum Attack: String, CaseIterable, Sendable {
    /// As the message of release 1, behind the position from which on identity signs.
    case unsignedOfRelease1
    case unsigned
    case signedWithAnotherKey
    /// The same, naming identity's key.
    case signedWithAnotherKeyInItsName
    /// A good signature over other content.
    case withAnotherSignature
    case fromAnotherSource
    /// On the topic of sessions, by which quota is reached too, as identity.
    case onAnotherTopic
    /// The same, from sessions itself.
    case onAnotherTopicFromItsService
    case inAnotherPartition

    /// What the ledger of identity and quota says of it: the topic of sessions is not theirs.
    var faults: Set<LedgerFault.Kind> {
        self == .onAnotherTopic || self == .onAnotherTopicFromItsService ? [.parked] : [.foreign, .parked]
    }

    /// Under which code quota parks it.
    var reason: String {
        switch self {
        case .unsignedOfRelease1, .unsigned: "announcement-unsigned"
        case .signedWithAnotherKey, .signedWithAnotherKeyInItsName, .withAnotherSignature: "announcement-forged"
        case .fromAnotherSource, .onAnotherTopic, .onAnotherTopicFromItsService, .inAnotherPartition: "foreign-record"
        }
    }
}

/// What somebody would like to have believed.
private struct Forgery {
    let stage: TrustStage
    let signed: Outgoing
    let unsigned: Outgoing
    let partition: Int32

    init(_ stage: TrustStage, _ signed: some PublishedMessage, _ unsigned: some PublishedMessage) {
        self.stage = stage
        self.signed = Outgoing(signed)
        self.unsigned = Outgoing(unsigned)
        partition = stage.topic.partition(of: self.signed.key)
    }

    /// The record that continues the chain, as good as the attacker can make it.
    @Loop func record(_ attack: Attack) async throws -> OutgoingRecord {
        let outgoing = attack == .unsignedOfRelease1 ? unsigned : signed
        let isElsewhere = attack == .onAnotherTopic || attack == .onAnotherTopicFromItsService
        let end = isElsewhere ? (position: 0, incarnation: UUID.v4(), epoch: 1) : try await stage.end(partition)
        let content = AnnouncementContent(
            outgoing, id: .v4(), incarnation: end.incarnation, position: end.position + 1)
        let own = try ES256PrivateKey.generate()
        var signature: String?
        switch attack {
        case .unsigned, .unsignedOfRelease1: signature = nil
        case .signedWithAnotherKey: signature = AnnouncementSigner(own).seal(content)
        case .withAnotherSignature:
            let records = try await stage.records(stage.topic.partition(of: .system))
            signature = records.compactMap { $0.header(MessageHeaders.signature) }.last
        default:
            let made = AnnouncementSigner(own).seal(content)?.split(separator: ".").last.map(String.init) ?? ""
            signature = "\(TestAnnouncements.key.publicKey.thumbprint).\(made)"
        }
        let source: ServiceName =
            switch attack {
            case .fromAnotherSource: .quota
            case .onAnotherTopicFromItsService: .sessions
            default: .identity
            }
        let place = attack == .inAnotherPartition ? (partition + 1) % 8 : partition
        return OutgoingRecord(
            content, source: source, on: isElsewhere ? stage.other : stage.topic, place, previous: end.position,
            epoch: end.epoch, signature: signature)
    }
}

extension AnnouncementContent {
    /// What identity's relay would sign of a message.
    init(_ outgoing: Outgoing, id: UUID, incarnation: UUID, position: Int64) {
        self.init(
            type: outgoing.type, key: outgoing.key.description, id: id, incarnation: incarnation, position: position,
            value: JSONValue.object(outgoing.data).bytes)
    }
}

extension OutgoingRecord {
    /// A record as identity's relay would write it.
    init(
        _ content: AnnouncementContent, source: ServiceName, on topic: Topic, _ partition: Int32, previous: Int64,
        epoch: Int64, signature: String?
    ) {
        var headers = [
            (MessageHeaders.specVersion, "1.0"), (MessageHeaders.source, source.source),
            (MessageHeaders.id, content.id.description), (MessageHeaders.type, content.type.description),
            (MessageHeaders.time, Timestamp.now().rfc3339), (MessageHeaders.partitionKey, content.key),
            (MessageHeaders.correlationID, UUID.v7().description),
            (MessageHeaders.incarnation, content.incarnation.description), (MessageHeaders.epoch, "\(epoch)"),
            (MessageHeaders.position, "\(content.position)"), (MessageHeaders.previous, "\(previous)"),
        ]
        if let signature { headers.append((MessageHeaders.signature, signature)) }
        self.init(
            topic: topic.name, partition: partition, key: Array(content.key.utf8), value: content.value,
            headers: RecordHeaders(headers.map { ($0.0, Array($0.1.utf8)) }))
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An announcement in identity's name` {
    @Test(arguments: TrustStage.bootstraps)
    func `of a key opens nothing, is named, and the true ones go on`(bootstrap: String?) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let (own, kid) = (try ES256PrivateKey.generate(), UUID.v4().description)
            let key = SigningKeyPublished(
                kid: kid, x: own.publicKey.jwkX, y: own.publicKey.jwkY, notBefore: .now(),
                expiresAt: .now() + .seconds(3_600))
            try await forge(SigningKeyPublishedV2(key), key)
            #expect(try await stage.status(stage.token(signedWith: own, kid)) == 401)
            #expect(try await !stage.knows(kid))

            // The next true one takes the position that the forged one had claimed.
            let good = try ES256PrivateKey.generate()
            let goodKid = try await stage.publish(good)
            #expect(try await stage.status(stage.token(signedWith: good, goodKid.description)) == 200)
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of a key's retirement closes nothing, is named, and the true one is heard`(bootstrap: String?) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let key = try ES256PrivateKey.generate()
            let kid = try await stage.publish(key)
            let token = try stage.token(signedWith: key, kid.description)
            #expect(try await stage.status(token) == 200)
            let retirement = SigningKeyRetired(kid: kid.description, retiredAt: .now() - .seconds(60))
            try await forge(SigningKeyRetiredV2(retirement), retirement)
            #expect(try await stage.quota.count("select count(*) from retired_keys where kid = '\(kid)'") == 0)
            #expect(try await stage.status(token) == 200)

            try await stage.retire(kid)
            try await stage.until("the key is refused") { try await stage.status(token) == 401 }
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of a new beginning moves no beginning, is named, and what was signed counts`(
        bootstrap: String?
    ) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let beginnings = "select count(*) from announcements_begun"
            let begun = AnnouncementsBegun(announcementKey: "somebody else's")
            try await forge(begun, begun)
            #expect(try await stage.quota.count(beginnings) == 1)

            let key = try ES256PrivateKey.generate()
            let kid = try await stage.publish(key)
            #expect(try await stage.status(stage.token(signedWith: key, kid.description)) == 200)
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of a device's revoked secret is named, like all of those, and the next true one is heard`(
        bootstrap: String?
    ) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let user = try await stage.signUp()
            try await stage.until("the user may use quota") { try await stage.status(user.token) == 200 }
            let revoked = DeviceSecretRevoked(userId: user.id)
            try await forge(revoked, revoked)
            #expect(try await stage.status(user.token) == 200)

            try await stage.signOut(user)
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of an erasure erases nobody, is named, and the true one is done`(bootstrap: String?) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let user = try await stage.signUp()
            try await stage.until("the user may use quota") { try await stage.status(user.token) == 200 }
            try await forge(UserErasedV2(userId: user.id), UserErased(userId: user.id))
            #expect(try await !stage.isErased(user.id))
            #expect(try await stage.status(user.token) == 200)

            try await stage.erase(user)
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of a login session's end ends nothing, and the true one is heard`(bootstrap: String?) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let user = try await stage.signUp()
            try await stage.until("the user may use quota") { try await stage.status(user.token) == 200 }
            let session = try await stage.login(of: user.id)
            let end = LoginSessionEnded(
                userId: user.id, loginSessionId: session, reason: .signedOut, tokensUntil: .now() + .seconds(900))
            try await forge(end, end)
            #expect(try await stage.quota.count("select count(*) from ended_logins where session = '\(session)'") == 0)
            #expect(try await stage.status(user.token) == 200)

            try await stage.signOut(user)
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of an app's token opens nothing, and the true one is heard`(bootstrap: String?) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let user = try await stage.signUp()
            let session = try await stage.login(of: user.id)
            let (forged, token) = (AppToken.make(), AppToken.make())
            let announced = stage.announcement(of: forged, to: user.id, session)
            try await forge(announced, announced)
            #expect(try await !stage.believes(forged))

            try await stage.issue(token, to: user.id)
            try await stage.until("quota knows the token") { try await stage.believes(token) }
            #expect(try await !stage.believes(forged))
        }
    }

    @Test(arguments: TrustStage.bootstraps)
    func `of a device's hand-over is named, like all of those, and the next true one is heard`(
        bootstrap: String?
    ) async throws {
        try await everyAttack(bootstrap) { stage, forge in
            let user = try await stage.signUp()
            try await stage.until("the user may use quota") { try await stage.status(user.token) == 200 }
            let account = UUID.v7()
            let handedOver = DeviceHandedOverV2(userId: user.id, accountId: account, handedOverAt: .now())
            try await forge(handedOver, DeviceHandedOver(userId: user.id, accountId: account))
            #expect(try await stage.status(user.token) == 200)

            try await stage.signOut(user)
        }
    }

    /// Tries each attack on the same two services, one after another.
    ///
    /// - Parameter body: what is done with one: it makes the forgery of a message by the function that it is given, with the
    ///   message as identity signs it and as release 1 wrote it. That function returns once quota has set the record aside.
    private func everyAttack(
        _ bootstrap: String?,
        _ body:
            @Loop (TrustStage, @Loop (any PublishedMessage, any PublishedMessage) async throws -> Void) async throws ->
            Void
    ) async throws {
        try await TrustStage.run(bootstrap) { stage in
            var reasons: [String] = []
            var faults: [LedgerFault.Kind] = []
            for attack in Attack.allCases {
                reasons.append(attack.reason)
                faults += attack.faults
                try await body(stage) { signed, unsigned in
                    try await stage.write(Forgery(stage, signed, unsigned).record(attack))
                    try await stage.until("\(attack) is set aside") { try await stage.parked() == reasons }
                    if let found = try await stage.ledger() {
                        #expect(
                            found.map(\.kind.rawValue).sorted() == faults.map(\.rawValue).sorted(),
                            "\(attack): \(found)")
                    }
                }
                #expect(stage.isWhole, "\(attack)")
                #expect(try await stage.parked() == reasons, "\(attack)")
            }
        }
    }

    @Test func `said again after its time brings no retired key back and takes nobody's place`() async throws {
        for bootstrap in TrustStage.bootstraps {
            try await TrustStage.run(bootstrap) { stage in
                let key = try ES256PrivateKey.generate()
                let kid = try await stage.publish(key)
                let token = try stage.token(signedWith: key, kid.description)
                #expect(try await stage.status(token) == 200)
                try await stage.retire(kid)
                try await stage.until("the key is refused") { try await stage.status(token) == 401 }

                let partition = stage.topic.partition(of: .system)
                let said = try #require(
                    try await stage.records(partition).last {
                        $0.header(MessageHeaders.type) == SigningKeyPublishedV2.type.description
                    })
                // As it was: a repeat.
                try await stage.write(
                    OutgoingRecord(
                        topic: said.topic, partition: partition, key: said.key, value: said.value,
                        headers: RecordHeaders(said.headers)))
                // At the end of the chain, with the signature that it had.
                let end = try await stage.end(partition)
                let content = AnnouncementContent(
                    type: SigningKeyPublishedV2.type, key: "system",
                    id: try #require(said.header(MessageHeaders.id).flatMap { UUID($0) }),
                    incarnation: end.incarnation, position: end.position + 1, value: said.value ?? [])
                try await stage.write(
                    OutgoingRecord(
                        content, source: .identity, on: stage.topic, partition, previous: end.position,
                        epoch: end.epoch, signature: said.header(MessageHeaders.signature)))
                try await stage.until("it is set aside") { try await stage.parked() == ["announcement-forged"] }

                let next = try ES256PrivateKey.generate()
                let nextKid = try await stage.publish(next)
                #expect(try await stage.status(stage.token(signedWith: next, nextKid.description)) == 200)
                #expect(try await stage.status(token) == 401)
                #expect(stage.isWhole)
            }
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `A retired key` {
    @Test func `stays retired when its announcement comes later, or again`() async throws {
        try await withService(QuotaService.self) { quota in
            let key = try ES256PrivateKey.generate()
            let published = SigningKeyPublished(
                kid: "late", x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: .now(),
                expiresAt: .now() + .seconds(3_600))
            @Loop func status() async throws -> Int {
                let claims = AccessTokenClaims(
                    subject: .v7(), issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience],
                    issuedAt: .now(), expiresAt: .now() + .seconds(900), id: .v7(), session: .v7(), kind: .user)
                let token = try AccessToken.issue(claims, key: key, keyID: "late")
                return try await quota.send("GET", "/v1/quota", headers: [("Authorization", "Bearer \(token)")]).status
            }
            let now = Timestamp.now()
            try await quota.deliver(SigningKeyRetiredV2(SigningKeyRetired(kid: "late", retiredAt: now)))
            try await quota.deliver(SigningKeyPublishedV2(published))
            #expect(try await status() == 401)
            // A later moment does not give it back its life.
            try await quota.deliver(
                SigningKeyRetiredV2(SigningKeyRetired(kid: "late", retiredAt: now + .seconds(86_400))))
            try await quota.deliver(SigningKeyPublishedV2(published))
            #expect(try await status() == 401)
        }
    }

    @Test func `is another thing than one that identity never published, which may still be`() async throws {
        try await withService(QuotaService.self) { quota in
            let key = try ES256PrivateKey.generate()
            let published = SigningKeyPublishedV2(
                SigningKeyPublished(
                    kid: "undone", x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: .now(),
                    expiresAt: .now() + .seconds(3_600)))
            @Loop func good() async throws -> Int64 {
                try await quota.count("select count(*) from good_signing_keys where kid = 'undone'")
            }
            @Loop func learned() async throws -> [RecordedEvent] {
                try await quota.store.readLog(after: 0, limit: 1000).filter { $0.type.name == "SigningKeyLearned" }
            }
            try await quota.deliver(published)
            #expect(try await good() == 1)
            // Announced once more, as for another announcement key, and only that undone: it stands as it was first said.
            try await quota.deliver(published)
            let both = try await learned()
            #expect(both.count == 2)
            try await quota.first.handler.takeBack(both[1], through: quota.store)
            #expect(try await good() == 1)
            for _ in 1...2 { try await quota.first.handler.takeBack(both[0], through: quota.store) }
            #expect(try await good() == 0)
            // A living key that was told beyond the fork is told again in the next history.
            quota.topic = TestTopic()
            try await quota.deliver(published)
            #expect(try await good() == 1)
            // What was retired stays so, whoever takes what back.
            try await quota.deliver(SigningKeyRetiredV2(SigningKeyRetired(kid: "undone", retiredAt: .now())))
            for event in try await quota.store.readLog(after: 0, limit: 1000) where LearnedEvent.isOne(event.type) {
                try await quota.first.handler.takeBack(event, through: quota.store)
            }
            #expect(try await quota.count("select count(*) from retired_keys where kid = 'undone'") == 1)
            #expect(try await quota.count("select count(*) from signing_keys where kid = 'undone'") == 0)
        }
    }

    @Test func `and an unsigned one open nothing once identity signs`() async throws {
        try await withService(QuotaService.self) { quota in
            let key = try ES256PrivateKey.generate()
            let published = SigningKeyPublished(
                kid: "old", x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: .now(),
                expiresAt: .now() + .seconds(3_600))
            func good() async throws -> Int64 {
                try await quota.count("select count(*) from good_signing_keys where kid = 'old'")
            }
            try await quota.deliver(published)
            #expect(try await good() == 1)
            try await quota.deliver(AnnouncementsBegun(announcementKey: "first"))
            #expect(try await good() == 0)
            try await quota.deliver(SigningKeyPublishedV2(published))
            #expect(try await good() == 1)
            // What release 1 said says nothing any more.
            let user = UUID.v4()
            #expect(try await !quota.deliver(quota.topic.message(UserErased(userId: user))))
            #expect(try await quota.deliver(quota.topic.message(UserErasedV2(userId: user))))
        }
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An app's token whose announcement was parked` {
    @Test func `stays closed when it is released after its login session has ended`() async throws {
        for bootstrap in TrustStage.bootstraps {
            try await TrustStage.run(bootstrap) { stage in
                let user = try await stage.signUp()
                let token = AppToken.make()
                let unlearned = "alter table app_tokens add constraint unlearned check (false) not valid"
                _ = try await stage.quota.administrator.query(unlearned)
                try await stage.issue(token, to: user.id)
                try await stage.until("it is parked") { try await stage.parked() == ["data-unlearned"] }
                // Waits for nothing that is parked.
                try await stage.signOut(user)
                #expect(try await stage.parked() == ["data-unlearned"])

                _ = try await stage.quota.administrator.query("alter table app_tokens drop constraint unlearned")
                _ = try await stage.quota.administrator.query("update parked_messages set release = true")
                try await stage.until("it is handled") { try await stage.parked().isEmpty }
                #expect(
                    try await stage.quota.count("select count(*) from events where type = 'AppTokenLearned'") == 1)
                #expect(try await !stage.believes(token))
            }
        }
    }
}
