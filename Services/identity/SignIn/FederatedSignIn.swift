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

/// Signing in, and up, with Google or Apple: by the provider's subject, never by an address.
///
/// Who comes for the first time gets an account, or the anonymous device whose token or secret the request carries becomes one and
/// keeps all that belongs to it. Whoever has an account already is signed in to that; a device whose secret comes with it is handed
/// over to it, another one is left as it is.
@Loop struct FederatedSignIn {
    /// What a client says of somebody new.
    struct Newcomer {
        let displayName: String?
        let timeZone: String
        let terms: TermsAcceptance?
        /// The anonymous device that becomes the account, by its access token.
        let device: Caller?
        /// The anonymous device that becomes the account, or is handed over to it, by its secret.
        let shown: DeviceHandovers.Shown?
    }

    private let context: ServiceContext
    private let settings: AccessSettings
    private let terms: Terms
    private let federation: Federation
    private let identities: LinkedIdentities
    private let credentials: Credentials
    private let limits: RateLimits
    private let answers: LoginAnswers
    private let entry: AccountEntry
    private let handovers: DeviceHandovers
    private let fresh: FreshSignIn
    private let devices: Devices

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ terms: Terms, _ federation: Federation,
        _ credentials: Credentials, _ limits: RateLimits, _ answers: LoginAnswers, _ entry: AccountEntry
    ) {
        self.context = context
        self.settings = settings
        self.terms = terms
        self.federation = federation
        identities = LinkedIdentities(context.store, settings)
        self.credentials = credentials
        self.limits = limits
        self.answers = answers
        self.entry = entry
        handovers = DeviceHandovers(context, settings)
        fresh = FreshSignIn(context.settings)
        devices = Devices(context.store.pool, settings)
    }

    private var users: CommandHandler<User> { CommandHandler(context.store) }
    private var logins: LoginSessions { LoginSessions(context.store, settings) }

    /// The route of a provider.
    func route(_ provider: IdentityProvider) -> Handler {
        { try await signIn(with: provider, $0) }
    }

    /// With whom a web page can offer to sign in, and where it sends whoever wants to.
    func providers(_: Request) async throws -> Response {
        .json([
            "items": .array(
                federation.ofPages.map {
                    [
                        "provider": .string($0.provider.rawValue), "clientId": .string($0.clientID),
                        "authorizationUrl": .string($0.authorizationURL),
                    ]
                })
        ])
    }

    /// Gives a nonce: for a sign-in, or for the bearer of an access token to show anew who they are.
    func nonce(_ request: Request) async throws -> Response {
        let caller = request.headers["authorization"] == nil ? nil : try await context.tokens.caller(of: request)
        return .personal([
            "nonce": .string(federation.nonce(for: caller.map { .session($0.session) } ?? .signIn)),
            "expiresIn": .int(SignInNonces.lifetime.milliseconds / 1_000),
        ])
    }

    private func signIn(with provider: IdentityProvider, _ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow(
            [
                "identityToken", "nonce", "code", "codeVerifier", "redirectUri", "clientId", "displayName", "timeZone",
                "deviceName", "acceptedTerms",
            ] + DeviceHandovers.members)
        let given = try Federation.Given(body)
        let deviceName = try DeviceName.of(request, body)
        let name = try DisplayName.checked(body.optionalString("displayName"))
        let accepted = try body.optionalObject("acceptedTerms").map { try terms.acceptance($0, at: .now()) }
        let timeZone = try body.optionalString("timeZone") ?? "UTC"
        try await context.zones.check(timeZone)
        let device = request.headers["authorization"] == nil ? nil : try await context.tokens.caller(of: request)
        let shown = try await handovers.shown(body, request)
        if let device, let shown, device.user != shown.user {
            throw Problem.invalidRequest("The access token and the deviceSecret must be of the same device.")
        }
        let identity = try await context.security.watching(request, of: nil) {
            try await federation.identity(of: provider, given)
        }
        let newcomer = Newcomer(displayName: name, timeZone: timeZone, terms: accepted, device: device, shown: shown)
        return try await letInOrGiveBack(identity, newcomer, on: deviceName, request)
    }

    /// Lets in whom a provider has named; has the provider take back what it gave to somebody who is not let in.
    ///
    /// - Throws: as ``letIn(_:_:on:_:)``.
    func letInOrGiveBack(
        _ identity: Federation.Identity, _ newcomer: Newcomer, on deviceName: String?, _ request: Request
    ) async throws -> Response {
        do {
            return try await letIn(identity, newcomer, on: deviceName, request)
        } catch {
            if try await identities.account(of: identity.provider, identity.subject) == nil {
                await federation.giveBack(identity)
            }
            throw error
        }
    }

    /// Lets in whom a provider has named.
    ///
    /// - Throws: as `AccountEntry.enter` for an account; for somebody new a problem 403 where they may not sign up, 409 when
    ///   their address has an account or the device is one already, 429.
    private func letIn(
        _ identity: Federation.Identity, _ newcomer: Newcomer, on deviceName: String?, _ request: Request
    ) async throws -> Response {
        for round in 1... {
            do {
                if let account = try await identities.account(of: identity.provider, identity.subject) {
                    let rows = try federation.rows(of: identity, for: account.user)
                    return try await entry.enter(
                        account, on: deviceName, bringing: newcomer.shown, request, status: 200, with: rows)
                }
                return try await begin(identity, newcomer, on: deviceName, request)
            } catch AppendError.guarded(.identityLinked) where round < 4 {
                // The same person was quicker on another connection.
            } catch AppendError.guarded(.nonceUsed) {
                return try await context.security.watching(request, of: nil) { throw Problem(.nonceInvalid) }
            } catch AppendError.guarded(.emailTaken) {
                throw Problem(.identityAddressTaken)
            }
        }
        preconditionFailure("The loop above ends by returning or throwing.")
    }

    private func begin(
        _ identity: Federation.Identity, _ newcomer: Newcomer, on deviceName: String?, _ request: Request
    ) async throws -> Response {
        // Its secret, which comes with the request, is as fresh as can be.
        if let device = newcomer.device, newcomer.shown == nil { try await requireFresh(device) }
        try entry.requireKeeping(identity.address)
        try settings.signUpRule.requireOpen(to: identity.address?.key)
        try await limits.take(settings.limits.signUp, from: request.clientNetworks)
        let user = newcomer.device?.user ?? newcomer.shown?.user ?? .v7()
        let login = answers.login(
            of: user, by: [identity.provider.proof], on: deviceName, in: newcomer.timeZone)
        let command = UserCommand.signUp(
            user, method: identity.provider.method, timeZone: newcomer.timeZone, terms: newcomer.terms,
            isEmailVerified: identity.address != nil)
        var rows = [
            IdentityRows.putProfile(
                of: user, email: identity.address?.text, displayName: newcomer.displayName, timeZone: newcomer.timeZone),
            identities.linking(identity.provider, identity.subject, to: user),
        ]
        rows += login.rows
        if let address = identity.address { rows.append(credentials.adding(user, confirmed: address)) }
        rows += try federation.rows(of: identity, for: user)
        if newcomer.device != nil || newcomer.shown != nil {
            let stands = [newcomer.device?.stands, newcomer.shown?.device.stands].compactMap { $0 }
            try await upgrade(
                user, keeping: newcomer.device?.session, command, login, request, if: stands, rows)
        } else {
            try await context.store.append {
                Append(
                    id: .v7(), requestHash: login.session.bytes, metadata: request.metadata(owner: user),
                    decisions: [try await users.load(User.stream(user)).decide(command)], writes: [login.write],
                    calls: rows)
            }
        }
        return try await answers.welcome(user, .user, login, request, status: 201)
    }

    /// Refuses a device that has to show anew that it is the one, as a sign-up by password does: with an account its secret
    /// opens nothing any more, so a token alone must not take it away. One that has an account is told so.
    private func requireFresh(_ device: Caller) async throws {
        if try await credentials.hasAccount(device.user) { return }
        // One that was never told a secret, as on the compatible surface, has nothing else to show.
        guard try await devices.isKnown(device.user) else { return }
        try await fresh.require(device) { try await credentials.proofs(of: device.user).map(\.rawValue) }
    }

    /// Makes an account of an anonymous device. Its other login sessions end: whoever knew the device's secret may have begun
    /// them, and with an account it opens nothing any more.
    private func upgrade(
        _ user: UUID, keeping session: UUID?, _ command: UserCommand, _ login: LoginSessions.New, _ request: Request,
        if proven: [RowCall], _ rows: [RowCall]
    ) async throws {
        let metadata = request.metadata(owner: user)
        do {
            try await logins.end(of: user, but: session, because: .signedOut, metadata) { ends, noOther in
                Append(
                    id: .v7(), requestHash: login.session.bytes, metadata: metadata,
                    decisions: [try await users.load(User.stream(user)).decide(command)] + ends, writes: [login.write],
                    calls: proven + [noOther] + rows)
            }
        } catch UserRefusal.exists {
            // By its secret, which opens nothing any more.
            if session == nil { throw Problem(.deviceHasAccount) }
            throw Problem(
                .userExists,
                detail:
                    "Link the identity with POST /v1/me/identities, or sign in without the access token of this account."
            )
        } catch AppendError.erased {
            throw Problem.userGone
        }
    }
}

extension IdentityProvider {
    /// How it stands in events.
    var method: SignInMethod {
        switch self {
        case .google: .google
        case .apple: .apple
        }
    }
}
