import Access
import Contracts
import Crypto
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import Glibc
import History
import JSON
import Kafka
import Observability
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing

@testable import identity
@testable import quota

/// Identity, whose relay writes to a broker, and quota, whose consumer reads identity's topic and the one of sessions.
@Loop final class TrustStage {
    let identity: ServiceUnderTest<IdentityService>
    let quota: ServiceUnderTest<QuotaService>
    /// Identity's topic.
    let topic: Topic
    /// The topic of sessions, which quota reads too and nobody publishes to.
    let other: Topic
    let kafka: KafkaSettings
    private let broker: MockBroker?
    private let log = Logger(label: "test", descriptor: open("/dev/null", O_WRONLY | O_CLOEXEC))
    private var tasks: [Task<Void, any Error>] = []
    private var relay: Task<Void, any Error>?
    private var consumer: EventConsumer?

    /// The Apache Kafka on which the tests run too, when there is one.
    nonisolated static let bootstraps: [String?] = {
        guard let text = getenv("KAFKA_TEST_BOOTSTRAP").map({ String(cString: $0) }), !text.isEmpty else {
            return [nil]
        }
        return [nil, text]
    }()

    /// Runs a test with both services.
    ///
    /// - Parameters:
    ///   - bootstrap: where an Apache Kafka is; nil for a development broker.
    ///   - announcements: the variables with the announcement keys, where they are not those of all tests.
    static func run(
        _ bootstrap: String?, _ announcements: [String: String] = [:], _ body: @Loop (TrustStage) async throws -> Void
    ) async throws {
        let mails = TemporaryFolder()
        let variables = [
            "KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4), "ERASURE_WAIT": "0s",
            "MAIL_URL": "file:\(mails.path)",
        ].merging(announcements) { $1 }
        try await withService(IdentityService.self, variables) { identity in
            // A key that has just come is looked for again.
            let variables = ["SIGNING_KEY_WAIT": "300ms"].merging(announcements) { $1 }
            try await withService(QuotaService.self, variables) { quota in
                let stage = try await TrustStage(identity, quota, bootstrap)
                do {
                    try await body(stage)
                } catch {
                    await stage.stop()
                    throw error
                }
                await stage.stop()
            }
        }
    }

    private init(
        _ identity: ServiceUnderTest<IdentityService>, _ quota: ServiceUnderTest<QuotaService>, _ bootstrap: String?
    ) async throws {
        self.identity = identity
        self.quota = quota
        if let bootstrap {
            let run = UUID.v4()
            topic = Topic(name: "mirrormate.identity.t\(run)", partitions: 8)
            other = Topic(name: "mirrormate.sessions.t\(run)", partitions: 8)
            broker = nil
            kafka = KafkaSettings(bootstrap: bootstrap)
            let admin = try KafkaAdmin(settings: kafka)
            try await admin.createTopics(
                [topic, other].map { TopicDefinition(name: $0.name, partitions: $0.partitions) })
            await admin.close()
        } else {
            // The ledger looks for every service's own topic.
            topic = Topic(.identity)
            other = Topic(.sessions)
            let mock = try MockBroker(
                topics: ServiceName.allCases.map {
                    TopicDefinition(name: Topic($0).name, partitions: Topic($0).partitions)
                })
            broker = mock
            kafka = mock.settings
        }
        startRelay(identity.first.assembly.seal)
        consumer = startConsumer(quota)
        try await until("quota knows from when on identity signs") {
            try await quota.count("select count(*) from announcements_begun") == 1
        }
    }

    private func startRelay(_ seal: AnnouncementSeal?) {
        let relay = Relay(
            store: identity.store, service: .identity, topic: topic, kafka: kafka, log: log, seal: seal,
            publication: IdentityService.publication)
        self.relay = Loop.task { await relay.run() }
    }

    /// Has another service like quota read the topics.
    @discardableResult
    func startConsumer(_ service: ServiceUnderTest<QuotaService>) -> EventConsumer {
        let consumer = EventConsumer(
            store: service.store, group: "quota-\(UUID.v4())", topics: [topic, other], kafka: kafka, log: log,
            handler: service.first.handler)
        tasks.append(Loop.task { await consumer.run() })
        return consumer
    }

    /// Identity ends and comes again with another announcement key.
    func restartIdentity(signing key: ES256PrivateKey) async throws {
        await stopRelay()
        let signer = AnnouncementSigner(key)
        let announcer = Announcer(identity.store, key: signer.id)
        try await announcer.begin()
        startRelay(signer.seal)
        try await announcer.repeatErasures()
    }

    /// Identity's relay ends in order.
    func stopRelay() async {
        relay?.cancel()
        _ = await relay?.result
    }

    /// Identity's relay comes again.
    func resumeRelay() { startRelay(identity.first.assembly.seal) }

    private func stop() async {
        await stopRelay()
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        await broker?.close()
    }

    /// Waits for something; fails the test when it does not come about.
    func until(
        _ what: String, _ location: SourceLocation = #_sourceLocation, _ condition: @Loop () async throws -> Bool
    ) async throws {
        if try await quota.eventually(condition) { return }
        Issue.record("It did not come true: \(what); parked: \(try await parked())", sourceLocation: location)
        throw CancellationError()
    }

    // MARK: What identity says

    /// Publishes a key of the test's own as identity's, and waits until quota knows it.
    func publish(_ key: ES256PrivateKey) async throws -> UUID {
        let kid = UUID.v4()
        let material = SigningKeyMaterial(
            kid: kid, x: key.publicKey.jwkX, y: key.publicKey.jwkY, notBefore: .now(),
            expiresAt: .now() + .seconds(3_600))
        try await put(.publish(material), kid)
        try await until("quota knows the key") { try await self.knows(kid.description) }
        return kid
    }

    func retire(_ kid: UUID) async throws {
        try await put(.retire(at: .now()), kid)
        try await until("quota knows the retirement") {
            try await self.quota.count("select count(*) from retired_keys where kid = '\(kid)'") == 1
        }
    }

    private func put(_ command: SigningKeyCommand, _ kid: UUID) async throws {
        _ = try await CommandHandler<SigningKey>(identity.store).handle(
            command, on: SigningKey.stream(kid), id: .v7(), requestHash: [],
            metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"))
    }

    /// Somebody signs up.
    func signUp() async throws -> (id: UUID, token: String) {
        let answer = try await identity.send(
            "POST", "/v1/auth/sign-up",
            json: ["email": .string("\(UUID.v4())@example.org"), "password": "correct horse"])
        return (try answer.json.object("user").uuid("id"), try answer.json.string("accessToken"))
    }

    /// The user goes, and quota hears of it.
    func erase(_ user: (id: UUID, token: String)) async throws {
        _ = try await identity.send("DELETE", "/v1/me", headers: [("Authorization", "Bearer \(user.token)")])
        try await until("quota has erased the user") { try await self.isErased(user.id) }
    }

    /// The user's only login session.
    func login(of user: UUID) async throws -> UUID {
        try await identity.administrator.query("select session from logins where user_id = $1", [.uuid(user)]).rows[0]
            .uuid(0)
    }

    /// Identity says that an app has a token of the user's only login session.
    func issue(_ token: AppToken, to user: UUID) async throws {
        let session = try await login(of: user)
        _ = try await CommandHandler<LoginSession>(identity.store).handle(
            .issue(announcement(of: token, to: user, session)), on: LoginSession.stream(session), id: .v7(),
            requestHash: [], metadata: EventMetadata(owner: user, correlation: .v7(), actor: "test"))
    }

    /// What identity says of an app's token.
    func announcement(of token: AppToken, to user: UUID, _ session: UUID) -> AppTokenIssued {
        AppTokenIssued(
            userId: user, loginSessionId: session, tokenSHA256: Hex.encode(token.hash), surface: .practice,
            timeZone: "UTC", expiresAt: .now() + .seconds(900))
    }

    /// Whether quota would believe in an app's token.
    func believes(_ token: AppToken) async throws -> Bool {
        try await quota.count("select count(*) from app_tokens where hash = '\\x\(Hex.encode(token.hash))'") == 1
    }

    /// The user signs out, and quota hears of it.
    func signOut(_ user: (id: UUID, token: String)) async throws {
        _ = try await identity.send(
            "POST", "/v1/auth/sign-out", headers: [("Authorization", "Bearer \(user.token)")], json: [:])
        try await until("quota refuses the token") { try await self.status(user.token) == 401 }
    }

    // MARK: What quota knows

    func knows(_ kid: String) async throws -> Bool {
        try await quota.count("select count(*) from signing_keys where kid = '\(kid)'") == 1
    }

    func isErased(_ user: UUID) async throws -> Bool {
        try await quota.count("select count(*) from erased_subjects where subject = '\(user)'") == 1
    }

    /// Why records were set aside, in the order of parking.
    func parked() async throws -> [String] {
        try await quota.administrator.query("select reason from parked_messages order by id").rows.map { $0.text(0) }
    }

    /// What quota answers somebody with a token.
    func status(_ token: String) async throws -> Int {
        try await quota.context.ended.follow()
        return try await quota.send("GET", "/v1/quota", headers: [("Authorization", "Bearer \(token)")]).status
    }

    /// A token for somebody whom nobody knows.
    func token(signedWith key: ES256PrivateKey, _ kid: String) throws -> String {
        let claims = AccessTokenClaims(
            subject: .v7(), issuer: TokenVerifier.issuer, audience: [TokenVerifier.audience], issuedAt: .now(),
            expiresAt: .now() + .seconds(900), id: .v7(), session: .v7(), kind: .user)
        return try AccessToken.issue(claims, key: key, keyID: kid)
    }

    /// Whether no chain is broken.
    var isWhole: Bool { consumer?.progress.allSatisfy { $0.alarm == nil } == true }

    /// What the ledger finds but what is only late; nil on a broker whose topics have other names.
    func ledger() async throws -> [LedgerFault]? {
        guard broker != nil else { return nil }
        let stores = [
            HistoryStore(IdentityService.history, reader: identity.administratorSettings),
            HistoryStore(QuotaService.history, reader: quota.administratorSettings),
        ]
        defer { for store in stores { store.close() } }
        let trust = quota.first.assembly.trust
        return try await Ledger(
            stores, kafka: kafka, patience: .seconds(3_600), doubt: { try await trust.doubt($0)?.sentence }
        ).examine().faults
    }

    // MARK: What others write

    /// The end of the chain in a partition of identity's topic.
    func end(_ partition: Int32) async throws -> (position: Int64, incarnation: UUID, epoch: Int64) {
        let chain = try await records(partition).compactMap { ChainRecord($0) }
        let last = try #require(chain.last)
        return (chain.compactMap(\.position).max() ?? 0, last.incarnation, last.epoch)
    }

    /// The ids of the keys with which announcements of identity's topic are signed.
    func signers() async throws -> Set<String> {
        var found: Set<String> = []
        for partition in 0..<topic.partitions {
            for record in try await records(partition) {
                if let id = record.header(MessageHeaders.signature)?.split(separator: ".").first {
                    found.insert(String(id))
                }
            }
        }
        return found
    }

    /// The records of a partition of identity's topic.
    func records(_ partition: Int32) async throws -> [KafkaRecord] {
        let reader = try PartitionReader(settings: kafka)
        var all: [KafkaRecord] = []
        _ = try await reader.readToEnd(TopicPartition(topic: topic.name, partition: partition)) { all += $0 }
        await reader.close()
        return all
    }

    /// Writes past all relays.
    func write(_ record: OutgoingRecord) async throws {
        let producer = try KafkaProducer(settings: kafka)
        _ = try await producer.send([record])
        await producer.close()
    }
}
