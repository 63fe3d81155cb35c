import Access
import Configuration
package import Contracts
package import EventStore
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

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = IdentitySettings(context.environment)
        // The key is used right below, so a wrong one must be said here.
        try context.environment.finish()
        let keyring = SigningKeyring(context.store, settings, Logger(label: "signing-keys"))
        try await keyring.step(at: .now())
        let routes = IdentityRoutes(context, settings, keyring)
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: ServiceParts.publishing(IdentityMessages.outgoing(for:)),
            handler: IdentityHandler(context.store),
            operators: { IdentityOperators(store: context.store).add(to: $0) },
            background: [{ await keyring.run() }, { await routes.sweep() }])
    }
}
