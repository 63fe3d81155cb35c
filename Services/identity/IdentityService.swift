import Access
package import Configuration
package import Contracts
package import EventConsumer
import EventSourcing
package import EventStore
import Federation
package import HTTPServer
package import History
import JSON
import Mail
import ObjectStorage
import Observability
import Photos
import Postgres
import Primitives
import Runtime
package import ServiceKit
import SigningKeys

/// The service `identity`: accounts, anonymous devices, login sessions and the keys of access tokens.
package enum IdentityService: Service {
    package typealias Root = User
    package typealias Resources = NoResources

    package static let name = ServiceName.identity
    package static let migrations =
        [Migration("profiles", PackageResources.profiles_sql)] + Migration.access + Migration.signingKeys
        + Migration.mail
        + [
            Migration("rows_of_user", PackageResources.rows_of_user_sql),
            Migration("second_factor_rows_of_user", PackageResources.second_factor_rows_of_user_sql),
            Migration("rows_of_user_with_email_changes", PackageResources.rows_of_user_with_email_changes_sql),
            Migration.signingKeysResealed, Migration.mailCodes, Migration.linkedIdentities, Migration.federation,
            Migration("rows_of_user_with_identities", PackageResources.rows_of_user_with_identities_sql),
            Migration.tokensGivenBack, Migration.appLogins, Migration.loginsByProof, Migration.photos,
            Migration("rows_of_user_with_photos", PackageResources.rows_of_user_with_photos_sql),
            Migration.confirmedEmailChanges, Migration.revokedDevices, Migration.changedKeys,
            Migration.mailSessions, Migration.codesOfSessions, Migration.lateEmailChanges,
            Migration.toldEmailChanges, Migration.evictedEmailChanges, Migration.codesOfPasswords,
            Migration("compatible_surface", PackageResources.compatible_surface_sql),
        ]
    package static let rowFunctions =
        IdentityRows.all + AccessRows.all + SecondFactorRows.all + FederationRows.all + SigningKeyRows.all
        + MailRows.all + PhotoRows.all
    package static let problems =
        ProblemCode.identity + ProblemCode.access + ProblemCode.federation + ProblemCode.signingKeys
        + ProblemCode.photos
    package static let objectAccess = ObjectAccess(owns: [.exportsOfIdentity])
    package static let reactions = User.reactions
    package static let publication = publishing(PublishedByIdentity.outgoing)
    package static let readModels: [ReadModelHistory] = []
    package static let aggregates = [
        AggregateHistory(
            User.self, categories: [User.category], owners: [User.category], reactions: User.reactions,
            command: UserCommand.recalled),
        AggregateHistory(SigningKey.self, categories: [SigningKey.category], command: SigningKeyCommand.recalled),
        AggregateHistory(Announcing.self, categories: [Announcing.category], command: AnnouncingCommand.recalled),
        AggregateHistory(LoginSession.self, categories: [LoginSession.category], command: LoginSessionCommand.recalled),
        AggregateHistory(APIKey.self, categories: [APIKey.category], command: APIKeyCommand.recalled),
    ]

    /// Erasures are decided here; everyone else follows.
    package static let erasure: Erasure<User>? = nil

    /// What was confirmed stands, also when a service was restored since: it decides its erasures again and answers again.
    package static func compensation(for _: UserEvent) -> Reaction<UserCommand> { .ignore }

    /// Asks its own rows, which know at once.
    ///
    /// - Throws: `PostgresError`.
    @Loop package static func refusal(
        of caller: Caller, _: EndedLogins, _ store: EventStore
    ) async throws -> ProblemCode? {
        let row = try await store.pool.query(
            """
            select exists (select from erased_subjects where subject = $1),
                exists (select from logins where session = $2 and user_id = $1 and expires_at > clock_timestamp())
            """, [.uuid(caller.user), .uuid(caller.session)]
        ).rows[0]
        if row.bool(0) { return .userGone }
        return row.bool(1) ? nil : .loginSessionEnded
    }

    /// After a restore: whoever was erased stays erased, and what a retired key signed, an ended login session and the revoked
    /// secret of a device stay worthless; so does an app's token or an API key that was made after the backup. A consent that was
    /// withdrawn since, or given anew, has to be given again.
    ///
    /// - Throws: `JSONError` for a message that cannot be read; what appending throws.
    @Loop package static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool {
        switch message.incoming.type {
        case UserErased.type, UserErasedV2.type:
            let user = try message.incoming.read(UserErased.self).userId
            return try await CommandHandler<User>(store).decideAgain(
                .erase(here: IdentityRows.removed(with: user, store.pool)), on: User.stream(user), because: message,
                thoughErased: true)
        case SigningKeyRetired.type, SigningKeyRetiredV2.type:
            let key = try message.incoming.read(SigningKeyRetired.self)
            guard let kid = UUID(key.kid) else { return false }
            return try await CommandHandler<SigningKey>(store).decideAgain(
                .retire(at: key.retiredAt), on: SigningKey.stream(kid), because: message)
        case LoginSessionEnded.type:
            let ended = try message.incoming.read(LoginSessionEnded.self)
            return try await CommandHandler<LoginSession>(store).decideAgain(
                .end(
                    LoginSessionEnd(
                        session: ended.loginSessionId, user: ended.userId, reason: ended.reason,
                        tokensUntil: ended.tokensUntil)), on: LoginSession.stream(ended.loginSessionId),
                because: message)
        case DeviceSecretRevoked.type:
            let device = try message.incoming.read(DeviceSecretRevoked.self).userId
            return try await CommandHandler<User>(store).decideAgain(
                .revokeDeviceSecret, on: User.stream(device), because: message)
        case ConsentWithdrawn.type:
            let withdrawn = try message.incoming.read(ConsentWithdrawn.self)
            return try await withdraw(withdrawn.scope, of: withdrawn.userId, at: withdrawn.withdrawnAt, message, store)
        case ConsentGiven.type:
            // The others forget it with this restore, and one of before that it took the place of counts no more.
            let given = try message.incoming.read(ConsentGiven.self)
            return try await withdraw(given.scope, of: given.userId, at: given.givenAt, message, store)
        case AppTokenIssued.type:
            // Nobody here knows the login session, so nobody could end it: it ends now.
            let issued = try message.incoming.read(AppTokenIssued.self)
            return try await CommandHandler<LoginSession>(store).decideAgain(
                .end(
                    LoginSessionEnd(
                        session: issued.loginSessionId, user: issued.userId, reason: .forgotten,
                        tokensUntil: issued.expiresAt)), on: LoginSession.stream(issued.loginSessionId),
                because: message)
        case APIKeyIssued.type:
            // Nobody here could list it, so nobody would revoke it.
            return try await revokeAgain(message.incoming.read(APIKeyIssued.self).keyId, store, because: message)
        case APIKeyRevoked.type:
            return try await revokeAgain(message.incoming.read(APIKeyRevoked.self).keyId, store, because: message)
        default: return false
        }
    }

    @Loop private static func withdraw(
        _ scope: ConsentScope, of user: UUID, at moment: Timestamp, _ message: ReceivedMessage, _ store: EventStore
    ) async throws -> Bool {
        try await CommandHandler<User>(store).decideAgain(
            .withdrawConsent(scope, at: moment), on: User.stream(user), because: message)
    }

    @Loop private static func revokeAgain(
        _ key: UUID, _ store: EventStore, because message: ReceivedMessage
    ) async throws -> Bool {
        try await CommandHandler<APIKey>(store).decideAgain(.revoke(key), on: APIKey.stream(key), because: message)
    }

    /// Another address that waits in the backup is an account's no more: its owner may have stopped it since, of which no message
    /// tells.
    ///
    /// - Throws: `AppendError`, `PostgresError` or `EventDecodingError`.
    @Loop package static func giveUpAfterRestore(_ store: EventStore) async throws -> Int {
        try await RestoredEmailChanges.withdraw(store)
    }

    package static func problem(of refusal: RowRefusal) -> Problem? { refusal.problem }

    package static let commands = [
        ServiceCommand("rotate-keys", rotateKeys), ServiceCommand("retry-mail", retryMail),
        ServiceCommand("reseal", reseal), ServiceCommand("change-secret", changeSecret),
        ServiceCommand("api-keys") { try await APIKeyOperations($0).run($1) },
    ]

    package static func check(_ environment: Environment) {
        _ = IdentitySettings(environment)
        _ = AnnouncementSigner(environment)
    }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts<NoResources> {
        var settings = IdentitySettings(context.environment)
        let signer = AnnouncementSigner(context.environment, among: context.settings.announcementKeys)
        // The keys are used right below, so wrong ones must be said here.
        try context.environment.finish()
        guard let signer else { throw ConfigurationError(problems: ["ANNOUNCEMENT_KEY cannot be used."]) }
        let announcer = Announcer(context.store, key: signer.id)
        try await announcer.begin()
        let keyring = keyring(context, settings)
        let kept = KeptKeys(context.store.pool, settings.access.secrets)
        let root = try await kept.root()
        try await keyring.step(at: .now())
        // Only now: a wrong key, which opens no signing key, must not seal these.
        let secrets = try await kept.open(from: root)
        settings.access.secrets = secrets
        settings.linkToPage(at: context.settings.publicURL)
        let outbox = outbox(context.store, settings)
        let resealing = Resealing(context.store, settings.access.secrets, Logger(label: "resealing"))
        let federation = Federation(context.store, settings.federation, settings.access.secrets)
        let photos = try await PhotoMaker(settings.photos, Logger(label: "photos"))
        let routes = IdentityRoutes(context, settings, keyring, outbox, federation, photos)
        let emailChanges = EmailChangeCompletion(context, settings.access, outbox)
        let sweeper = ExpirySweeper(
            access: settings.access, context.store, ("app logins", { try await routes.endRefusedAppLogins() }),
            ("used nonces", { try await federation.sweepNonces() }))
        let export = IdentityExport(context, settings.access)
        return parts(
            routes: { routes.add(to: $0) },
            operators: {
                IdentityOperators(
                    store: context.store, logins: LoginSessions(context.store, settings.access),
                    revocation: DeviceRevocation(context.store, settings.access),
                    eviction: EmailChangeEviction(context.store, settings.access), outbox: outbox,
                    security: context.security
                ).add(to: $0)
            },
            objects: settings.objects.makeStore(),
            background: [
                { await announcer.run() }, { await keyring.run() }, { await sweeper.run() }, { await outbox.run() },
                { await emailChanges.run() },
                { await resealing.run() }, { await federation.tokens.run() },
                { await kept.watch(secrets, Logger(label: "kept-keys")) },
            ], seal: signer.seal, export: { try await export.write($0) },
            // Whoever stole a login session would take everything. A day has three exports at most.
            exportNotice: { try await routes.warnings.mailOfRare(.exportRequested, to: $0.ownerId) })
    }

    @Loop private static func keyring(_ context: ServiceContext, _ settings: IdentitySettings) -> SigningKeyring {
        SigningKeyring(context.store, settings.signingKeys, actor: name.rawValue, Logger(label: "signing-keys"))
    }

    /// The mails that wait, with what each of them says.
    @Loop static func outbox(_ store: EventStore, _ settings: IdentitySettings) -> MailOutbox {
        let mails = AccountMails(store, settings.access, links: settings.links)
        return MailOutbox(store, settings.mail, log: Logger(label: "mail")) { try await mails.compose($0) }
    }

    /// Makes a new signing key; with `--revoke` the old ones are refused from now on.
    @Loop private static func rotateKeys(_ context: ServiceContext, _ words: [String]) async throws -> String {
        guard words.isEmpty || words == ["--revoke"] else { throw UsageError("usage: identity rotate-keys [--revoke]") }
        let keyring = keyring(context, IdentitySettings(context.environment))
        try await keyring.rotate(at: .now(), revoking: !words.isEmpty)
        return words.isEmpty
            ? "A new signing key is published; it signs soon, and the old one is retired when its tokens have expired."
            : "All earlier signing keys are revoked: within half a minute everybody has to refresh."
    }

    /// Seals everything with the first of the keys, and says whether the others are still needed.
    @Loop private static func reseal(_ context: ServiceContext, _ words: [String]) async throws -> String {
        guard words.isEmpty else { throw UsageError("usage: identity reseal") }
        let secrets = IdentitySettings(context.environment).access.secrets
        try context.environment.finish()
        let outcome = try await Resealing(context.store, secrets, Logger(label: "resealing")).step()
        let count = outcome.resealed.values.reduce(0, +)
        guard outcome.unopened.isEmpty else {
            let tables = outcome.unopened.sorted { $0.key < $1.key }.map { "\($0.value) of \($0.key)" }
            throw ConfigurationError(problems: [
                "KEY_ENCRYPTION_KEY has no key for \(tables.joined(separator: ", ")); add it."
            ])
        }
        return """
            Sealed anew with the first key: \(count). Once every instance was started with this order of keys and this command \
            says 0, KEY_ENCRYPTION_KEY may hold the first one alone.
            """
    }

    /// Makes another key for tokens and codes of a purpose; with `--revoke` the earlier ones are believed no longer.
    @Loop static func changeSecret(_ context: ServiceContext, _ words: [String]) async throws -> String {
        let settings = IdentitySettings(context.environment)
        try context.environment.finish()
        guard let name = words.first.flatMap(AccessSecrets.Changeable.init(rawValue:)),
            [[], ["--revoke"]].contains(Array(words.dropFirst()))
        else {
            let names = AccessSecrets.Changeable.allCases.map(\.rawValue).joined(separator: "|")
            throw UsageError("usage: identity change-secret \(names) [--revoke]")
        }
        let isRevoked = words.count > 1
        let lifetime = settings.access.lifetime(of: name, receipts: settings.receiptLifetime)
        try await KeptKeys(context.store.pool, settings.access.secrets)
            .change(name, lasting: isRevoked ? nil : lifetime)
        context.security.note(
            .operatorAction, command: "change-secret",
            ["secret": .string(name.rawValue), "revoked": .bool(isRevoked)])
        return isRevoked
            ? "Another key is there: within half a minute nothing that earlier ones made for \(name.rawValue) is believed."
            : "Another key is there and makes what is new for \(name.rawValue) in five minutes; the one before is believed until that is over."
    }

    /// Lets parked mails be tried again.
    @Loop private static func retryMail(_ context: ServiceContext, _ words: [String]) async throws -> String {
        guard words.isEmpty else { throw UsageError("usage: identity retry-mail") }
        return "Parked mails to be tried again: \(try await MailOutbox.releaseParked(context.store))."
    }
}
