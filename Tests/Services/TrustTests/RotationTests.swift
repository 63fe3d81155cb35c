import Contracts
import Crypto
import EventConsumer
import EventRelay
import Kafka
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

@Suite(.timeLimit(.minutes(10))) @Loop struct `The announcement key` {
    @Test func `gives way to the next one under running services, and nothing is refused or lost`() async throws {
        for bootstrap in TrustStage.bootstraps {
            let (old, next) = (TestAnnouncements.makeKey(), TestAnnouncements.makeKey())
            let both = TestAnnouncements.variables(signing: [old, next], known: [old, next])
            try await TrustStage.run(bootstrap, both) { stage in
                let (early, late) = (try ES256PrivateKey.generate(), try ES256PrivateKey.generate())
                let earlyKid = try await stage.publish(early).description
                let gone = try await stage.signUp()
                try await stage.erase(gone)
                #expect(try await stage.signers() == [old.publicKey.thumbprint])

                try await stage.restartIdentity(signing: next)
                let lateKid = try await stage.publish(late).description
                #expect(try await stage.signers() == [old.publicKey.thumbprint, next.publicKey.thumbprint])
                for (key, kid) in [(early, earlyKid), (late, lateKid)] {
                    #expect(try await stage.status(stage.token(signedWith: key, kid)) == 200)
                }
                #expect(try await stage.parked().isEmpty)
                #expect(stage.isWhole)

                // Who never knew the old one sets aside what it signed, and hears all of it again from a relay that goes back.
                let only = TestAnnouncements.variables(signing: [next], known: [next])
                try await withService(QuotaService.self, only) { fresh in
                    let consumer = stage.startConsumer(fresh)
                    let reasons = "select count(*) from parked_messages where reason = 'announcement-forged'"
                    try await stage.until("it doubts what the old key signed") { try await fresh.count(reasons) > 0 }
                    try await Relay.rewind(stage.identity.store, to: 0)
                    let known = "select count(*) from good_signing_keys where kid in ('\(earlyKid)', '\(lateKid)')"
                    try await stage.until("it knows the living keys") { try await fresh.count(known) == 2 }
                    let erased = "select count(*) from erased_subjects where subject = '\(gone.id)'"
                    try await stage.until("it has erased who is gone") { try await fresh.count(erased) == 1 }
                    try await stage.until("no chain is broken") { consumer.progress.allSatisfy { $0.alarm == nil } }
                }
                #expect(try await stage.parked().isEmpty)
            }
        }
    }

    @Test func `that was dropped opens nothing to whoever has it`() async throws {
        for bootstrap in TrustStage.bootstraps {
            let (stolen, next) = (TestAnnouncements.makeKey(), TestAnnouncements.makeKey())
            let after = TestAnnouncements.variables(signing: [next], known: [next])
            try await TrustStage.run(bootstrap, after) { stage in
                let own = try ES256PrivateKey.generate()
                let key = SigningKeyPublished(
                    kid: "mine", x: own.publicKey.jwkX, y: own.publicKey.jwkY, notBefore: .now(),
                    expiresAt: .now() + .seconds(3_600))
                let partition = stage.topic.partition(of: .system)
                let end = try await stage.end(partition)
                let outgoing = Outgoing(SigningKeyPublishedV2(key))
                let content = AnnouncementContent(
                    outgoing, id: .v4(), incarnation: end.incarnation, position: end.position + 1)
                try await stage.write(
                    OutgoingRecord(
                        content, source: .identity, on: stage.topic, partition, previous: end.position,
                        epoch: end.epoch, signature: AnnouncementSigner(stolen).seal(content)))
                try await stage.until("it is set aside") { try await stage.parked() == ["announcement-forged"] }
                #expect(try await stage.status(stage.token(signedWith: own, "mine")) == 401)
                let good = try ES256PrivateKey.generate()
                let kid = try await stage.publish(good).description
                #expect(try await stage.status(stage.token(signedWith: good, kid)) == 200)
                #expect(stage.isWhole)
            }
        }
    }
}
