import Access
package import Configuration
package import Contracts
package import EventStore
import Mail
import Observability
import Primitives
import Runtime
package import ServiceKit
import SigningKeys

/// The service `identity`: accounts, anonymous devices, login sessions and the keys of access tokens.
package enum IdentityService: Service {
    package static let name = ServiceName.identity
    package static let reads: [ServiceName] = [.sessions, .quota, .analysis, .reporting]
    package static let migrations =
        [
            Migration("profiles", PackageResources.profiles_sql),
            Migration("credentials", PackageResources.credentials_sql),
            Migration("devices", PackageResources.devices_sql),
        ] + Migration.access + Migration.signingKeys + Migration.mail

    package static let commands = [ServiceCommand("rotate-keys", rotateKeys), ServiceCommand("retry-mail", retryMail)]

    package static func check(_ environment: Environment) { _ = IdentitySettings(environment) }

    @Loop package static func build(_ context: ServiceContext) async throws -> ServiceParts {
        let settings = IdentitySettings(context.environment)
        // The key is used right below, so a wrong one must be said here.
        try context.environment.finish()
        let keyring = keyring(context, settings)
        try await keyring.step(at: .now())
        let routes = IdentityRoutes(context, settings, keyring)
        return ServiceParts(
            routes: { routes.add(to: $0) },
            publication: ServiceParts.publishing(IdentityMessages.outgoing(for:)),
            handler: IdentityHandler(context.store),
            operators: { IdentityOperators(store: context.store).add(to: $0) },
            background: [{ await keyring.run() }, { await routes.sweep() }, { await routes.outbox.run() }])
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

    /// Lets parked mails be tried again.
    @Loop private static func retryMail(_ context: ServiceContext, _ words: [String]) async throws -> String {
        guard words.isEmpty else { throw UsageError("usage: identity retry-mail") }
        let settings = IdentitySettings(context.environment)
        let outbox = MailOutbox(context.store, settings.mail, log: context.log) { _ in nil }
        return "Parked mails to be tried again: \(try await outbox.releaseParked())."
    }

    @Loop private static func keyring(_ context: ServiceContext, _ settings: IdentitySettings) -> SigningKeyring {
        SigningKeyring(context.store, settings.signingKeys, actor: name.rawValue, Logger(label: "signing-keys"))
    }
}
