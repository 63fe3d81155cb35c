import Access
import Configuration
package import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
import JSON
import Observability
import Primitives
import Runtime
package import ServiceKit

/// The service `identity`: accounts, anonymous devices, login sessions and the keys of access tokens.
package enum IdentityService: Service {
    package static let name = ServiceName.identity
    package static let reads: [ServiceName] = [.sessions, .quota, .analysis, .reporting]
    package static let migrations =
        [
            Migration("profiles", PackageResources.profiles_sql),
            Migration("credentials", PackageResources.credentials_sql),
            Migration("devices", PackageResources.devices_sql),
            Migration("logins", PackageResources.logins_sql),
            Migration("signing_private_keys", PackageResources.signing_private_keys_sql),
        ] + Migration.access

    package static let publication = ServiceParts.publishing(IdentityMessages.outgoing(for:))

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = IdentitySettings(context.environment)
        // The key is used right below, so a wrong one must be said here.
        try context.environment.finish()
        let keyring = SigningKeyring(context.store, settings, Logger(label: "signing-keys"))
        try await keyring.step(at: .now())
        let routes = IdentityRoutes(context, settings, keyring)
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: publication,
            handler: IdentityHandler(context.store),
            operators: { IdentityOperators(store: context.store).add(to: $0) },
            background: [{ await keyring.run() }, { await routes.sweep() }])
    }

    /// `rotate-keys`: tokens are signed with a new key from SIGNING_KEY_LEAD on.
    package static let commands: [String: Command] = [
        "rotate-keys": { settings, environment, log in
            let own = IdentitySettings(environment)
            try environment.finish()
            let store = EventStore(settings.database)
            try await SigningKeyring(store, own, log).rotate(at: .now())
            await store.close()
        }
    ]

    /// After a restore: whoever was erased stays erased, and what a retired key signed stays worthless.
    @Loop package static func decideAgain(_ message: ReceivedMessage, _ store: EventStore) async throws -> Bool {
        do {
            switch message.incoming.type {
            case UserErased.type:
                let user = try message.incoming.read(UserErased.self).userId
                var metadata = message.metadata(actor: "restore")
                metadata.origin = nil
                return try await UserErasure(store).erase(user, metadata: metadata)
            case SigningKeyRetired.type:
                let key = try message.incoming.read(SigningKeyRetired.self)
                guard let kid = UUID(key.kid) else { return false }
                return try await SigningKeyring.retire(kid, at: key.retiredAt, store)
            default: return false
            }
        } catch is UserRefusal, is SigningKeyRefusal {
            // It came into being after the backup, so there is nothing of it here.
            return false
        }
    }
}
