import Contracts
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Kafka
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import analysis

@Suite(.timeLimit(.minutes(10))) @Loop struct `An erasure` {
    private let owner = UUID.v7()

    @Test func `removes a user's documents, kills the running child and says when it is done`() async throws {
        try await Workshop.run(.succeed) { shop in
            try await shop.startInstance()
            let done = SessionReference.fresh(owner: owner)
            let running = SessionReference.fresh(owner: owner)
            let other = SessionReference.fresh()
            for job in [done, other] { try await shop.order(job: job) }
            for job in [done, other] { try await shop.wait(job, until: ["JobCompleted"]) }
            try shop.helper.become(.hang)
            try await shop.order(job: running)
            try await eventually { shop.helper.hangingProcess != nil }
            let child = try #require(shop.helper.hangingProcess)

            let handler = shop.service.first.handler
            let message = try ReceivedMessage(record(UserErased(userId: owner)))
            // Its last append would move the watermark; here it goes straight to the store.
            try await handler.handle(message, through: shop.store)
            try await eventually { !isAlive(child) }
            #expect(try await shop.story(done).last == "JobErased")
            #expect(try await shop.story(running).last == "JobErased")
            #expect(try await shop.story(other).last == "JobCompleted")
            #expect(
                try await shop.objects.keys(under: "documents/").allSatisfy {
                    $0.hasPrefix("documents/\(other.ownerId)/")
                })
            let said = try await shop.store.read(.subject(owner)).map { try $0.decoded(as: JobEvent.self) }
            #expect(said == [.subjectErased(owner, .init(rows: 2, objects: 1))])
            #expect(
                try await shop.store.pool.query(
                    "select 1 from job_owners where owner_id = $1", [.uuid(owner)]
                ).count == 0)
            try await eventually {
                try await shop.store.pool.query("select 1 from job_queue where owner_id = $1", [.uuid(owner)]).count
                    == 0
            }

            // A second delivery changes nothing, and nothing of the user comes back.
            try await handler.handle(message, through: shop.store)
            #expect(try await shop.store.read(.subject(owner)).count == 1)
            let late = SessionReference.fresh(owner: owner)
            await #expect(throws: AppendError.erased) { try await shop.order(job: late) }
        }
    }

    @Test func `of somebody who was never here is answered too`() async throws {
        try await Workshop.run(.succeed) { shop in
            let handler = shop.service.first.handler
            try await handler.handle(try ReceivedMessage(record(UserErased(userId: owner))), through: shop.store)
            let said = try await shop.store.read(.subject(owner)).map { try $0.decoded(as: JobEvent.self) }
            #expect(said == [.subjectErased(owner, .init(rows: 0, objects: 0))])
        }
    }

    @Test func `leaves each owner alone with their rows`() async throws {
        try await Workshop.run(.succeed) { shop in
            let job = SessionReference.fresh(owner: owner)
            try await shop.startInstance()
            try await shop.order(job: job)
            try await shop.wait(job, until: ["JobCompleted"])
            try await eventually { try await shop.store.pool.query("select 1 from job_queue").count == 1 }
            let owners = OwnerReads(shop.role)
            defer { owners.close() }
            let unscoped = PostgresPool(shop.role, size: 1)
            defer { unscoped.close() }
            for table in ["job_queue", "job_owners", "object_intents"] {
                #expect(try await owners.query(of: owner, "select 1 from \(table)").count == 1, "\(table)")
                #expect(try await owners.query(of: .v7(), "select 1 from \(table)").count == 0, "\(table)")
                #expect(try await unscoped.query("select 1 from \(table)").count == 0, "\(table)")
            }
        }
    }

    /// A message as identity's relay writes it.
    private func record(_ message: UserErased) -> KafkaRecord {
        let incarnation = UUID.v7().description
        let headers = [
            MessageHeaders.id: UUID.v7().description, MessageHeaders.type: UserErased.type.description,
            MessageHeaders.time: Timestamp.now().rfc3339, MessageHeaders.correlationID: UUID.v7().description,
            MessageHeaders.position: "7", MessageHeaders.previous: "0", MessageHeaders.incarnation: incarnation,
            MessageHeaders.epoch: "1",
        ]
        return KafkaRecord(
            topic: Topic(.identity).name, partition: 0, offset: 0, timestampMs: 0,
            key: Array(message.userId.description.utf8), value: JSONValue.object(message.json).bytes,
            headers: headers.map { ($0.key, Array($0.value.utf8)) })
    }
}
