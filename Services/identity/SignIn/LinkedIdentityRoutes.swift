import Access
import Contracts
import Crypto
import EventStore
import Federation
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// The identities at Google and Apple with which the caller can sign in. Linking and unlinking need a fresh sign-in.
@Loop struct LinkedIdentityRoutes {
    private let users: CommandHandler<User>
    private let security: SecurityLog
    private let federation: Federation
    private let identities: LinkedIdentities
    private let credentials: Credentials
    private let warnings: OwnerWarnings
    private let limits: RateLimits
    private let changeLimit: RateLimit
    private let outbox: MailOutbox
    private let logins: LoginSessions
    private let fresh: FreshSignIn

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ federation: Federation, _ credentials: Credentials,
        _ warnings: OwnerWarnings, _ limits: RateLimits, _ outbox: MailOutbox
    ) {
        users = CommandHandler(context.store)
        security = context.security
        self.federation = federation
        identities = LinkedIdentities(context.store, settings)
        self.credentials = credentials
        self.warnings = warnings
        self.limits = limits
        changeLimit = settings.limits.accountChanges
        self.outbox = outbox
        logins = LoginSessions(context.store, settings)
        fresh = FreshSignIn(context.settings)
    }

    func list(_ request: Request, _ caller: Caller) async throws -> Response {
        let items = try await identities.list(of: caller.user).map { entry -> JSONValue in
            ["provider": .string(entry.provider.rawValue), "linkedAt": .time(entry.linkedAt)]
        }
        return .personal(["items": .array(items)])
    }

    /// Links an identity; one that is linked already stays so.
    func link(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("provider", "identityToken", "nonce", "code", "codeVerifier", "redirectUri", "clientId")
        guard let provider = IdentityProvider(rawValue: try body.string("provider")) else {
            throw Problem.invalidRequest("Send google or apple as provider.")
        }
        let given = try Federation.Given(body)
        return try await proven(caller) {
            // Whoever signed up with somebody else's address must not keep a way in that a new password leaves.
            if try await credentials.address(of: caller.user) != nil,
                try await !credentials.proofs(of: caller.user).contains(.mail)
            {
                throw Problem(.emailUnverified)
            }
            let identity = try await security.watching(request, of: caller.user) {
                try await federation.identity(of: provider, linkedBy: caller.session, given)
            }
            do {
                return try await link(identity, request, caller)
            } catch {
                if try await identities.account(of: provider, identity.subject) == nil {
                    await federation.giveBack(identity)
                }
                throw error
            }
        }
    }

    private func link(_ identity: Federation.Identity, _ request: Request, _ caller: Caller) async throws -> Response {
        let provider = identity.provider
        let rows =
            [identities.linking(provider, identity.subject, to: caller.user)]
            + (try federation.rows(of: identity, for: caller.user))
            + (try await warnings.mail(.identityLinked, to: caller.user))
        do {
            try await users.put(
                .attach(method: provider.method), by: caller, request, requestHash: caller.session.bytes, rows: rows)
        } catch AppendError.guarded(.nonceUsed) {
            return try await security.watching(request, of: caller.user) { throw Problem(.nonceInvalid) }
        }
        security.note(.identityLinked, of: caller.user, request)
        outbox.wake()
        return try await list(request, caller)
    }

    /// Unlinks the identity of a provider, unless it is the last way of signing in. Apple is told that the app is not used
    /// with it any more.
    func unlink(_ request: Request, _ caller: Caller) async throws -> Response {
        guard let provider = request.parameters["provider"].flatMap(IdentityProvider.init(rawValue:)) else {
            throw Problem.notFound
        }
        return try await proven(caller) { try await unlink(provider, request, caller) }
    }

    private func unlink(
        _ provider: IdentityProvider, _ request: Request, _ caller: Caller
    ) async throws -> Response {
        let metadata = request.metadata(owner: caller.user)
        let mail = try await warnings.mail(.identityUnlinked, to: caller.user)
        do {
            // The way in and what came in by it end together.
            try await logins.end(
                of: caller.user, by: provider.proof, but: caller.session, because: .identityUnlinked, metadata
            ) { ends, noOther in
                Append(
                    id: .v7(), requestHash: caller.session.bytes, metadata: metadata,
                    decisions: [
                        try await users.load(User.stream(caller.user)).decide(.detach(method: provider.method))
                    ] + ends, calls: [caller.stands, noOther] + mail)
            }
        } catch AppendError.erased {
            throw Problem.userGone
        }
        security.note(.identityUnlinked, of: caller.user, request)
        outbox.wake()
        federation.tokens.wake()
        return .noContent
    }

    /// Does what needs a fresh sign-in, and may be done only so often.
    private func proven(_ caller: Caller, _ work: () async throws -> Response) async throws -> Response {
        try await fresh.require(caller) { try await credentials.proofs(of: caller.user).map(\.rawValue) }
        return try await limits.counting(changeLimit, provenBy: caller, work)
    }
}
