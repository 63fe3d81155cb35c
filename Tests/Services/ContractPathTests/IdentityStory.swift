import Access
import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceTesting
import SigningKeys
import Testing
import identity

enum IdentityStory: Story {
    static func variables(_: String) -> [String: String] {
        ["KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4)]
    }

    static func tell(_ stage: Stage<IdentityService>) async throws {
        let key = SigningKeyMaterial(
            kid: World.signingKey, x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", notBefore: World.morning, expiresAt: World.minutes(43_200)
        )
        let keys = SigningKey.stream(World.signingKey)
        // As release 1 wrote them, and as they are still published: without a signature.
        try await stage.append(
            [StreamWrite(keys, expectedVersion: 0, events: [old("SigningKeyPublished", .published(key))])], of: nil)
        try await stage.append(
            [
                StreamWrite(
                    keys, expectedVersion: 1,
                    events: [old("SigningKeyRetired", .retired(kid: key.kid, at: World.minutes(90)))])
            ], of: nil)

        let (ada, grace) = (World.ada, World.grace)
        let adas = User.stream(ada)
        let graces = User.stream(grace)
        try await stage.command(
            User.self, .signUp(ada, method: .password, timeZone: "Europe/Berlin"), on: adas, of: ada)
        try await stage.command(User.self, .registerDevice(grace, timeZone: "Asia/Tokyo"), on: graces, of: grace)
        try await stage.command(
            User.self, .signUp(grace, method: .google, timeZone: "Asia/Tokyo"), on: graces, of: grace)
        try await stage.command(User.self, .changeTimeZone("Europe/Vienna"), on: adas, of: ada)
        try await stage.command(User.self, .changePassword, on: adas, of: ada)
        let here = UserEvent.erasureConfirmed(ada, service: "identity", .init(rows: 3, objects: 0))
        let erased = StoredEvent(type: EventType("UserErased"), data: ["userId": .uuid(ada)])
        let version = try await stage.version(of: adas)
        try await stage.append(
            [StreamWrite(adas, expectedVersion: version, events: [NewEvent(erased), NewEvent(here)])], of: ada)
        for service in [ServiceName.sessions, .quota, .analysis, .reporting] {
            try await stage.hear(service, "SubjectErased", about: ada, becomes: ["ErasureConfirmed"])
        }
        // New steps go to the end: a step's number is part of the ids that were released.
        try await stage.command(User.self, .attach(method: .password), on: graces, of: grace)
        try await stage.command(User.self, .verifyEmail, on: graces, of: grace)
        try await stage.command(User.self, .resetPassword, on: graces, of: grace)
        try await sign(stage, adas, keys)
    }

    /// What was announced without a signature is announced again with one, behind the word that this begins.
    private static func sign(_ stage: Stage<IdentityService>, _ adas: StreamName, _ keys: StreamName) async throws {
        let key = World.announcementKey.description
        let stream = Announcing.stream(key)
        try await stage.command(Announcing.self, .begin(key: key), on: stream, of: nil)
        try await stage.command(SigningKey.self, .announce, on: keys, of: nil)
        try await stage.command(User.self, .announceErasure, on: adas, of: World.ada)
        try await stage.command(Announcing.self, .complete(key: key), on: stream, of: nil)
        let signed = SigningKeyMaterial(
            kid: World.signedKey, x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", notBefore: World.morning, expiresAt: World.minutes(43_200)
        )
        try await stage.command(
            SigningKey.self, .publish(signed), on: SigningKey.stream(World.signedKey), of: nil)
        let end = LoginSessionEnd(
            session: World.login, user: World.grace, reason: .signedOut, tokensUntil: World.minutes(15))
        try await stage.command(
            LoginSession.self, .end(end), on: LoginSession.stream(World.login), of: World.grace)
        let graces = User.stream(World.grace)
        try await stage.command(User.self, .addSecondFactor, on: graces, of: World.grace)
        try await stage.command(User.self, .replaceRecoveryCodes, on: graces, of: World.grace)
        try await stage.command(User.self, .removeSecondFactor, on: graces, of: World.grace)
        try await tellOfPreferences(stage)
    }

    /// What a user says of an address, of mails and of terms; and of an anonymous device's secret.
    private static func tellOfPreferences(_ stage: Stage<IdentityService>) async throws {
        let grace = User.stream(World.grace)
        // As release 1 told it: the new address alone was asked.
        let readdressed = NewEvent(StoredEvent(type: EventType("EmailChanged"), data: ["userId": .uuid(World.grace)]))
        let first = try await stage.version(of: grace)
        try await stage.append(
            [StreamWrite(grace, expectedVersion: first, events: [readdressed])], of: World.grace)
        try await stage.command(User.self, .stopEmailChange(doubtsFactor: false), on: grace, of: World.grace)
        var wanted = NotificationPreferences()
        wanted.productNews = true
        try await stage.command(User.self, .setNotifications(wanted), on: grace, of: World.grace)
        let terms = TermsAcceptance(version: "2026-11", locale: "en", acceptedAt: World.minutes(20))
        try await stage.command(User.self, .acceptTerms(terms), on: grace, of: World.grace)
        // From when she had no account yet: everybody in the story has one by now.
        let changed = UserEvent.deviceSecretChanged(World.grace)
        let version = try await stage.version(of: grace)
        try await stage.append(
            [
                StreamWrite(
                    grace, expectedVersion: version,
                    events: [NewEvent(StoredEvent(type: changed.type, data: changed.data))])
            ], of: World.grace)
        try await stage.command(User.self, .attach(method: .apple), on: grace, of: World.grace)
        try await stage.command(User.self, .detach(method: .apple), on: grace, of: World.grace)
        // Without the row of the login session, which an event does not need.
        let token = LoginSessionEvent.appTokenIssued(
            AppTokenIssued(
                userId: World.grace, loginSessionId: World.appLogin, tokenSHA256: String(repeating: "ab", count: 32),
                surface: .practice, timeZone: "Asia/Tokyo", expiresAt: World.minutes(129_600)))
        try await stage.append(
            [StreamWrite(LoginSession.stream(World.appLogin), expectedVersion: 0, events: [NewEvent(token)])],
            of: World.grace)
        // Of a device of which nothing else is told: as before its moment was kept, and with it.
        let before: JSONObject = ["userId": .uuid(World.device), "accountId": .uuid(World.grace)]
        let old = NewEvent(StoredEvent(type: EventType("DeviceHandedOver"), data: before))
        let now = UserEvent.deviceHandedOver(World.device, accountId: World.grace, at: World.minutes(60))
        for (version, event) in [old, NewEvent(now)].enumerated() {
            try await stage.append(
                [StreamWrite(User.stream(World.device), expectedVersion: Int64(version), events: [event])],
                of: World.grace)
        }
        try await stage.hearOfExport()
        // Another address, which the one so far agrees to; and one that is given up.
        let due = World.minutes(120)
        try await stage.command(
            User.self, .proveNewAddress(change: World.appLogin, takesEffectAt: due), on: grace, of: World.grace)
        try await stage.command(User.self, .confirmEmailChange(World.appLogin), on: grace, of: World.grace)
        try await stage.command(
            User.self, .proveNewAddress(change: World.login, takesEffectAt: due), on: grace, of: World.grace)
        try await stage.command(User.self, .withdrawEmailChange, on: grace, of: World.grace)
        // As before it was announced, and as it is now.
        let revokedBefore = NewEvent(
            StoredEvent(type: EventType("DeviceSecretRevoked"), data: ["userId": .uuid(World.device)]))
        let revoked = NewEvent(UserEvent.deviceSecretRevoked(World.device))
        for (version, event) in zip(Int64(2)..., [revokedBefore, revoked]) {
            try await stage.append(
                [StreamWrite(User.stream(World.device), expectedVersion: version, events: [event])],
                of: World.grace)
        }
        // A text that is agreed to, and no longer.
        let consent = ConsentTerms(
            scope: ConsentScope(provider: "openai", purpose: .transcription), dataClasses: [.audio],
            version: "2026-11", locale: "en", textSHA256: String(repeating: "cd", count: 32))
        try await stage.command(
            User.self, .setConsents([consent], at: World.minutes(200)), on: grace, of: World.grace)
        try await stage.command(User.self, .setConsents([], at: World.minutes(210)), on: grace, of: World.grace)
        let key = APIKeyIssued(
            keyId: World.apiKey, keySHA256: String(repeating: "ef", count: 32), role: .anon)
        try await stage.command(APIKey.self, .issue(key), on: APIKey.stream(World.apiKey), of: nil)
        try await stage.command(APIKey.self, .revoke(World.apiKey), on: APIKey.stream(World.apiKey), of: nil)
        // A service that came later.
        try await stage.hear(
            .notifications, "SubjectErased", about: World.ada, becomes: ["ErasureConfirmed"])
    }

    /// An event in the form of release 1.
    private static func old(_ name: String, _ event: SigningKeyEvent) -> NewEvent {
        let members = event.data.members.filter { $0.key != "signed" }
        return NewEvent(StoredEvent(type: EventType(name), data: JSONObject(members.map { ($0.key, $0.value) })))
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(IdentityEvent.self, type, data)
    }

    // Identity keeps its own rows and no read model.
}
