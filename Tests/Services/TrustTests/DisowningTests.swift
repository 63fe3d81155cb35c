import Configuration
import Contracts
import Crypto
import JSON
import Kafka
import Observability
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import ServiceKit
@testable import identity

@Suite(.timeLimit(.minutes(10))) @Loop struct `The command disown-forged` {
    private func command(_ stage: TrustStage) throws -> Disowning<IdentityService> {
        let environment = Environment([
            "DATABASE_HOST": stage.identity.role.host, "DATABASE_PASSWORD": "0123456789abcdef0123456789abcdef",
            "KAFKA_BOOTSTRAP_SERVERS": stage.kafka.bootstrap, "KAFKA_KIND": "development",
        ])
        var settings = ServiceSettings(.identity, environment)
        try environment.finish()
        settings.database = stage.identity.role
        return Disowning(settings: settings, log: Logger(label: "test"))
    }

    private func incarnation(_ stage: TrustStage) async throws -> String {
        try await stage.identity.administrator.query("select incarnation::text from head").rows[0].text(0)
    }

    @Test func `lists what identity never wrote, leaves it behind when it is told to, and then finds nothing`()
        async throws
    {
        try await TrustStage.run(nil) { stage in
            let command = try command(stage)
            let first = try await incarnation(stage)
            // Confirmed or not, where nothing is forged nothing happens.
            for words in [[], ["--confirm"]] {
                let report = try await command.run(words)
                #expect(report == ["service": "identity", "forged": []])
            }
            let outgoing = Outgoing(UserRegistered(userId: .v4(), kind: .user))
            let partition = stage.topic.partition(of: outgoing.key)
            let end = try await stage.end(partition)
            let position = try await stage.identity.count("select max(position) from events") + 1
            let content = AnnouncementContent(outgoing, id: .v4(), incarnation: end.incarnation, position: position)
            try await stage.write(
                OutgoingRecord(
                    content, source: .identity, on: stage.topic, partition, previous: end.position, epoch: end.epoch,
                    signature: nil))
            let offset = Int64(try await stage.records(partition).count - 1)
            let forged: JSONValue = [
                [
                    "partition": .int(Int64(partition)), "offset": .int(offset), "position": .int(position),
                    "type": .string(UserRegistered.type.description),
                ]
            ]

            let listed = try await command.run([])
            #expect(listed["forged"] == forged)
            #expect(try listed.string("advice").contains("disown-forged --confirm"))
            #expect(listed["incarnation"] == nil)
            #expect(try await incarnation(stage) == first)

            let confirmed = try await command.run(["--confirm"])
            #expect(confirmed["forged"] == forged)
            #expect(confirmed["advice"] == nil)
            #expect(try confirmed.int("fork") < position)
            let next = try await incarnation(stage)
            #expect(next != first)
            #expect(try confirmed.string("incarnation") == next)

            // The relay goes on, and the true next words are heard.
            let key = try ES256PrivateKey.generate()
            let kid = try await stage.publish(key).description
            #expect(try await stage.status(stage.token(signedWith: key, kid)) == 200)
            let user = try await stage.signUp()
            try await stage.erase(user)
            try await stage.until("no chain is broken") { stage.isWhole }
            #expect(try await command.run([]) == ["service": "identity", "forged": []])
            #expect(try await incarnation(stage) == next)
        }
    }

    @Test(arguments: [["--yes"], ["--confirm", "--confirm"], ["confirm"]])
    func `says how it is used, and does nothing, when it is asked for something else`(_ words: [String]) async throws {
        try await TrustStage.run(nil) { stage in
            let error = await #expect(throws: UsageError.self) { try await command(stage).run(words) }
            #expect(error.map { "\($0)" } == "usage: identity disown-forged [--confirm]")
        }
    }
}
