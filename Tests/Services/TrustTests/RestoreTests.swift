import Configuration
import Contracts
import Crypto
import EventSourcing
import EventStore
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

@Suite(.timeLimit(.minutes(10))) @Loop struct `The command confirm-restore of identity` {
    private static let tables = [
        "head", "incarnations", "events", "relay", "relay_partitions", "cut_incarnations", "stream_owners", "logins",
    ]

    private func command(_ stage: TrustStage, knowing keys: [ES256PrivateKey]) throws -> RestoreConfirmation<
        IdentityService
    > {
        let environment = Environment([
            "DATABASE_HOST": stage.identity.role.host, "DATABASE_PASSWORD": "0123456789abcdef0123456789abcdef",
            "KAFKA_BOOTSTRAP_SERVERS": stage.kafka.bootstrap, "KAFKA_KIND": "development",
            "ANNOUNCEMENT_KEYS": keys.map(\.publicKey.pem).joined(),
        ])
        let settings = ServiceSettings(.identity, environment)
        try environment.finish()
        return RestoreConfirmation(settings: settings, log: Logger(label: "test"))
    }

    private func script(_ stage: TrustStage, _ statements: String) async throws {
        let connection = try await PostgresConnection.open(stage.identity.administratorSettings)
        defer { connection.close() }
        try await connection.script(statements)
    }

    @Test func `gives up another address that waits, of which nobody is told whether its owner stopped it`()
        async throws
    {
        let key = TestAnnouncements.makeKey()
        try await TrustStage.run(nil, TestAnnouncements.variables(signing: [key], known: [key])) { stage in
            let user = try await stage.signUp()
            let (change, due) = (UUID.v7(), Timestamp.now() + .seconds(3_600))
            for command in [UserCommand.verifyEmail, .proveNewAddress(change: change, takesEffectAt: due)] {
                _ = try await CommandHandler<User>(stage.identity.store).handle(
                    command, on: User.stream(user.id), id: .v7(), requestHash: [],
                    metadata: EventMetadata(owner: user.id, correlation: .v7(), actor: "test"))
            }
            try await script(
                stage,
                """
                insert into email_changes (id, user_id, new_email, old_email, expires_at, proven_at, due_at)
                values ('\(change)', '\(user.id)', 'a@example.net', 'a@example.org', '\(due)', now(), '\(due)')
                """)
            await stage.stopRelay()
            let store = EventStore(stage.identity.role)
            #expect(try await command(stage, knowing: [key]).confirm(store)["givenUp"] == 1)
            #expect(try await stage.identity.count("select count(*) from email_changes") == 0)
            await store.close()
        }
    }

    @Test func `counts what it passes by, says what helps, and decides it again once the key is known`() async throws {
        let (old, next) = (TestAnnouncements.makeKey(), TestAnnouncements.makeKey())
        let both = TestAnnouncements.variables(signing: [old, next], known: [old, next])
        try await TrustStage.run(nil, both) { stage in
            let user = try await stage.signUp()
            let session = try await stage.login(of: user.id)
            try await stage.until("quota lets the user in") { try await stage.status(user.token) == 200 }
            await stage.stopRelay()
            try await script(
                stage, Self.tables.map { "create table public.early_\($0) as table \($0);" }.joined())
            stage.resumeRelay()
            try await stage.signOut(user)
            await stage.stopRelay()
            // Somebody writes the same into a partition that is not its own: identity never does.
            var ended: [KafkaRecord] = []
            for partition in 0..<stage.topic.partitions {
                ended += try await stage.records(partition).filter {
                    $0.header(MessageHeaders.type) == LoginSessionEnded.type.description
                }
            }
            let said = try #require(ended.first)
            #expect(ended.count == 1)
            try await stage.write(
                OutgoingRecord(
                    topic: said.topic, partition: (said.partition + 1) % stage.topic.partitions, key: said.key,
                    value: said.value, headers: RecordHeaders(said.headers)))
            try await script(
                stage,
                "set session_replication_role = replica; begin;"
                    + Self.tables.map { "delete from \($0); insert into \($0) select * from public.early_\($0);" }
                    .joined() + "commit;")
            #expect(try await stage.identity.count("select count(*) from logins where session = '\(session)'") == 1)

            // The old key's public half was dropped.
            let store = EventStore(stage.identity.role)
            let passed = try await command(stage, knowing: [next]).confirm(store)
            #expect(passed["undone"] == [:] && passed["decidedAgain"] == 0)
            #expect(passed["doubted"] == ["announcement-forged": 1, "foreign-record": 1])
            #expect(try passed.string("advice").contains("ANNOUNCEMENT_KEYS"))
            #expect(try await stage.identity.count("select count(*) from logins where session = '\(session)'") == 1)

            let confirmed = try await command(stage, knowing: [old, next]).confirm(store)
            #expect(confirmed["undone"] == [LoginSessionEnded.type.description: 1])
            #expect(confirmed["decidedAgain"] == 1 && confirmed["doubted"] == ["foreign-record": 1])
            #expect(confirmed["advice"] == nil)
            #expect(try await stage.identity.count("select count(*) from logins where session = '\(session)'") == 0)
            await store.close()
        }
    }
}
