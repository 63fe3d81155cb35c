import Contracts
import Crypto
import EventConsumer
import EventRelay
import JSON
import Kafka
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

/// A service that reads identity's topic for the first time, or did so in an earlier release, which passed signed announcements by.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A service that does not know from when on identity signs` {
    @Test func `finds it in the topic, and catches up on what is signed and on nothing else`() async throws {
        try await TrustStage.run(nil) { stage in
            let key = try ES256PrivateKey.generate()
            let kid = try await stage.publish(key).description
            let gone = try await stage.signUp()
            try await stage.erase(gone)
            // Somebody else's word, as good as it can be without identity's key.
            let victim = try await stage.signUp()
            let outgoing = Outgoing(UserErasedV2(userId: victim.id))
            let partition = stage.topic.partition(of: outgoing.key)
            let end = try await stage.end(partition)
            let content = AnnouncementContent(
                outgoing, id: .v4(), incarnation: end.incarnation, position: end.position + 1)
            let forged = OutgoingRecord(
                content, source: .identity, on: stage.topic, partition, previous: end.position, epoch: end.epoch,
                signature: AnnouncementSigner(try ES256PrivateKey.generate()).seal(content))
            try await stage.write(forged)

            try await withService(QuotaService.self) { late in
                let trust = late.first.assembly.trust
                let unsigned = try await unsignedErasure(of: victim.id, stage)
                #expect(try await !trust.isSigned())
                #expect(try await trust.doubt(unsigned) == nil)
                var types: Set<String> = []
                await trust.seek(stage.kafka) { message in
                    types.insert(message.incoming.type.description)
                    try await late.first.handler.handle(message, through: late.store)
                }
                #expect(try await trust.isSigned())
                // What release 1 would have said counts no more.
                #expect(try await trust.doubt(unsigned) == .unsigned)
                #expect(types.isSubset(of: Announcements.signed.map(\.description)))
                #expect(types.isSuperset(of: [SigningKeyPublishedV2.type, UserErasedV2.type].map(\.description)))
                let erased = "select subject::text from erased_subjects"
                #expect(try await late.administrator.query(erased).rows.map { $0.text(0) } == [gone.id.description])
                #expect(try await late.count("select count(*) from good_signing_keys where kid = '\(kid)'") == 1)

                // It knows now, and asks no broker again.
                await trust.seek(KafkaSettings(bootstrap: "127.0.0.1:1")) { _ in Issue.record("nothing is new") }
            }
        }
    }

    @Test func `begins again when it could not catch up`() async throws {
        try await TrustStage.run(nil) { stage in
            try await withService(QuotaService.self) { late in
                let trust = late.first.assembly.trust
                var applied = 0
                await trust.seek(stage.kafka) { message in
                    applied += 1
                    if applied == 1 { throw RetriableFailure("database", "Wait for it.") }
                    try await late.first.handler.handle(message, through: late.store)
                }
                #expect(applied > 1)
                let begun = try await late.count("select count(*) from announcements_begun")
                #expect(begun == 1)
            }
        }
    }

    @Test func `passes by what it cannot handle, and learns the rest`() async throws {
        try await TrustStage.run(nil) { stage in
            let kid = try await stage.publish(try ES256PrivateKey.generate()).description
            try await withService(QuotaService.self) { late in
                let trust = late.first.assembly.trust
                var refused = 0
                await trust.seek(stage.kafka) { message in
                    // What identity says first after its beginning, so that all the rest comes behind it.
                    if message.incoming.type == AnnouncementsBegun.type {
                        refused += 1
                        throw MessageFault("of-a-later-release")
                    }
                    try await late.first.handler.handle(message, through: late.store)
                }
                #expect(refused == 1)
                let begun = try await late.count("select count(*) from announcements_begun")
                let known = try await late.count("select count(*) from signing_keys where kid = '\(kid)'")
                #expect(begun == 0 && known == 1)
                // What the topic says of the beginning counts all the same.
                let isSigned = try await trust.isSigned()
                #expect(isSigned)
            }
        }
    }

    @Test func `that was told already looks for nothing`() async throws {
        try await withService(QuotaService.self) { told in
            try await told.deliver(AnnouncementsBegun(announcementKey: "first"))
            let trust = told.first.assembly.trust
            await trust.seek(KafkaSettings(bootstrap: "127.0.0.1:1")) { _ in Issue.record("nothing is new") }
            #expect(try await trust.isSigned())
        }
    }

    /// A record as release 1 would have written it, behind everything that identity has said.
    private func unsignedErasure(of user: UUID, _ stage: TrustStage) async throws -> KafkaRecord {
        let outgoing = Outgoing(UserErased(userId: user))
        let partition = stage.topic.partition(of: outgoing.key)
        let end = try await stage.end(partition)
        let content = AnnouncementContent(
            outgoing, id: .v4(), incarnation: end.incarnation, position: end.position + 1_000)
        let record = OutgoingRecord(
            content, source: .identity, on: stage.topic, partition, previous: end.position, epoch: end.epoch,
            signature: nil)
        return KafkaRecord(
            topic: record.topic, partition: partition, offset: 0, timestampMs: 0, key: record.key ?? [],
            value: record.value, headers: record.headers.all)
    }
}
