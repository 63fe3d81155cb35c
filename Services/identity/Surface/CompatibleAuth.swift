import Access
import CompatibleSurface
import Crypto
import EventStore
import Federation
import HTTPServer
import JSON
import Mail
import Postgres
import Primitives
import Runtime
import ServiceKit
import SigningKeys

/// `/auth/v1`: accounts, in the words that the SDKs of the compatible surface know. Every rule is that of the native routes, which do
/// the work; here are only names (`docs/supabase.md`).
@Loop struct CompatibleAuth {
    /// What the native routes are built from, with answers in the form of this surface.
    @Loop struct Routes {
        let signUp: SignUpRoutes
        let signIn: SignInRoutes
        let federated: FederatedSignIn
        let devices: DeviceRoutes
        let passwords: PasswordRoutes
        let emails: EmailRoutes
        let emailChanges: EmailChangeRoutes
        let loginSessions: LoginSessionRoutes
        let erasures: ErasureRoutes
        let entry: AccountEntry
    }

    private let context: ServiceContext
    private let settings: AccessSettings
    private let federation: Federation
    private let limits: RateLimits
    private let native: Routes
    private let codes: OneTimeCodes

    init(
        _ context: ServiceContext, _ settings: IdentitySettings, _ keyring: SigningKeyring, _ outbox: MailOutbox,
        _ federation: Federation, _ limits: RateLimits, _ hashing: Passwords, _ factors: SecondFactors,
        _ enrolment: SecondFactorEnrolment, _ warnings: OwnerWarnings, _ erasures: ErasureRoutes
    ) {
        let (access, terms) = (settings.access, settings.terms)
        self.context = context
        self.settings = access
        self.federation = federation
        self.limits = limits
        codes = OneTimeCodes(context.store, access)
        let devices = LoginAnswers.Form.compatible.devices(context, access)
        let credentials = Credentials(context.store, context.owners, hashing, limits, devices, access)
        let answers = LoginAnswers(context, access, keyring, as: .compatible)
        let newDevices = NewDevices(context, devices, warnings, outbox)
        let entry = AccountEntry(context, access, credentials, factors, devices, newDevices, enrolment, answers)
        native = Routes(
            signUp: SignUpRoutes(context, access, terms, credentials, limits, warnings, outbox, answers, entry),
            signIn: SignInRoutes(context, access, credentials, warnings, outbox, answers, entry),
            federated: FederatedSignIn(context, access, terms, federation, credentials, limits, answers, entry),
            devices: DeviceRoutes(context, access, credentials, limits, answers),
            passwords: PasswordRoutes(context, access, credentials, limits, devices, warnings, outbox),
            emails: EmailRoutes(context, access, credentials, limits, outbox),
            emailChanges: EmailChangeRoutes(context, access, credentials, limits, outbox),
            loginSessions: LoginSessionRoutes(context, access, outbox), erasures: erasures, entry: entry)
    }

    func add(to router: Router) {
        let routes = CompatibleRoutes(
            router, context, .auth, refusals: { $0.problem }, translation: CompatibleAuthErrors.translation)
        let rate = settings.limits
        routes.open("POST", "/signup", limits.perAddress(rate.signUp, signUp))
        routes.open("POST", "/token") { [self] request in try await token(request) }
        routes.open("POST", "/recover", limits.perAddress(rate.passwordReset, recover))
        routes.open("POST", "/resend", limits.perAddress(rate.passwordReset, resend))
        routes.open(
            "POST", "/verify",
            limits.perAddress(rate.code) { [self] request in
                // Only a change of address needs somebody who is signed in; for all else a bearer counts for nothing.
                try await verify(request) { try await Self.user(request, routes.caller(of: request)) }
            })
        for path in ["/otp", "/magiclink"] {
            routes.open("POST", path) { _ in
                throw CompatibleError(
                    422, "otp_disabled", "Nobody signs in by a mailed code here: use a password, Google or Apple.")
            }
        }
        routes.open("GET", "/settings") { [self] _ in openness }
        routes.open("GET", "/health") { _ in
            .json(["version": "v2", "name": "GoTrue", "description": "MirrorMate's accounts, as GoTrue answers"])
        }
        routes.open(
            "GET", "/.well-known/jwks.json", withKey: false, SigningKeyring.keySet(context.store.pool))
        routes.on("GET", "/user") { [self] request, caller in
            try await answer(try Self.user(request, caller).user)
        }
        routes.on("PUT", "/user") { [self] request, caller in
            try await change(request, try Self.user(request, caller))
        }
        routes.on("POST", "/logout") { [self] request, caller in
            try await signOut(request, try Self.user(request, caller))
        }
        CompatibleAdmin(context, settings, native).add(to: routes)
    }

    // MARK: Signing up and in

    private func signUp(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        let metadata = try body.optionalObject("data") ?? [:]
        return try await keeping {
            guard let text = try body.optionalString("email") else {
                if try body.optionalString("phone") != nil { throw Self.noPhones }
                return try await native.devices.enterWithoutSecret(
                    metadata: metadata, on: Self.deviceName(request), request)
            }
            let application = SignUpRoutes.Application(
                email: try EmailAddress(text), password: try Self.text("password", of: body),
                shortestPassword: settings.shortestCompatiblePassword, displayName: Self.displayName(metadata),
                metadata: metadata, deviceName: Self.deviceName(request))
            switch try await native.signUp.signUp(application, request) {
            case .made(let user, session: let session?):
                return try await native.signUp.welcome(user, session, request)
            // The address has to be shown first.
            case .made(let user, session: nil): return try await answer(user)
            case .repeated(let answer): return answer
            }
        }
    }

    private func token(_ request: Request) async throws -> Response {
        switch request.query("grant_type") {
        case "password": return try await limits.perAddress(settings.limits.signIn, signIn)(request)
        case "refresh_token": return try await limits.perAddress(settings.limits.refresh, refresh)(request)
        case "id_token": return try await limits.perAddress(settings.limits.signIn, signInWithIdentity)(request)
        case "pkce":
            throw CompatibleError(
                404, "flow_state_not_found",
                "No sign-in was begun in a browser here: send an identity token with grant_type=id_token.")
        default: throw CompatibleError(400, "invalid_credentials", "unsupported_grant_type: use another grant_type.")
        }
    }

    private func signIn(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        guard let text = try body.optionalString("email") else {
            if try body.optionalString("phone") != nil { throw Self.noPhones }
            throw Self.invalid("Send email and password.")
        }
        let password = try Self.text("password", of: body)
        // What is no address has no account either, and clients know only one word for that.
        guard let address = try? EmailAddress(text) else { throw Problem(.credentialsInvalid) }
        return try await native.signIn.signIn(address, password: password, on: Self.deviceName(request), request)
    }

    private func refresh(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        // Without a token there is no login session to keep either, and some clients forget theirs at this code alone.
        guard let text = body["refresh_token"]?.stringValue else { throw Problem(.refreshTokenInvalid) }
        return try await native.signIn.refresh(text, request)
    }

    private func signInWithIdentity(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        guard let provider = IdentityProvider(rawValue: try body.optionalString("provider") ?? "") else {
            throw Self.invalid("Send provider, google or apple.")
        }
        guard let text = try body.optionalString("id_token") else { throw Self.invalid("Send id_token.") }
        // The provider was given the hash of the nonce that the client keeps.
        let nonce = try body.optionalString("nonce").map { Hex.encode(SHA256.digest(Array($0.utf8))) }
        var device: Caller?
        if body["link_identity"]?.boolValue == true {
            let caller = try await context.compatibleTokens.caller(of: request)
            guard caller.isDevice else {
                throw CompatibleError(
                    404, "manual_linking_disabled",
                    "Link another identity to an account with POST /v1/me/identities, which asks who you are.")
            }
            device = caller
        }
        let identity = try await context.security.watching(request, of: nil) {
            try await federation.identity(of: provider, .token(text, nonce: nonce))
        }
        let newcomer = FederatedSignIn.Newcomer(
            displayName: nil, timeZone: "UTC", terms: nil, device: device, shown: nil)
        return try await native.federated.letInOrGiveBack(identity, newcomer, on: Self.deviceName(request), request)
    }

    // MARK: Mails

    private func recover(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        guard let text = try body.optionalString("email") else { throw Self.invalid("Send email.") }
        return try await mailing { _ = try await native.passwords.requestReset(of: EmailAddress(text), request) }
    }

    private func resend(_ request: Request) async throws -> Response {
        let body = try await request.compatibleObject()
        guard try body.optionalString("type") == "signup", let text = try body.optionalString("email") else {
            throw Self.invalid("Send type signup and email: nothing else is sent again.")
        }
        return try await mailing { try await native.emails.sendAgain(to: EmailAddress(text)) }
    }

    /// The same answer whether or not there is somebody to write to.
    private func mailing(_ work: () async throws -> Void) async throws -> Response {
        do {
            try await work()
        } catch let problem as Problem where problem.status == 429 {
            throw CompatibleError(429, "over_email_send_rate_limit", problem.detail, headers: problem.headers)
        }
        return .personal([:])
    }

    /// Takes back a mailed code: one for a new password lets in, one that shows an address confirms it.
    private func verify(_ request: Request, _ caller: () async throws -> Caller) async throws -> Response {
        let body = try await request.compatibleObject()
        guard let text = try body.optionalString("token_hash") ?? body.optionalString("token") else {
            throw Self.invalid("Send the code of the mail as token or token_hash.")
        }
        switch try body.optionalString("type") {
        case "recovery":
            let code = try await context.security.watching(request, of: nil) {
                try await codes.check(text, for: AccountMails.Kind.passwordReset.rawValue)
            }
            return try await native.entry.enter(by: code, on: Self.deviceName(request), request)
        case "signup", "email": return try await answer(native.emails.verify(text, request))
        case "email_change":
            let caller = try await caller()
            return try await confirmAddress(text, request, caller)
        default: throw Self.invalid("Send type recovery, signup, email or email_change: no other code is mailed.")
        }
    }

    /// The code of the new address, or of the old one.
    private func confirmAddress(_ text: String, _ request: Request, _ caller: Caller) async throws -> Response {
        do {
            _ = try await native.emailChanges.prove(text, request, caller)
        } catch let problem as Problem where problem.code == .codeInvalid {
            _ = try await native.emailChanges.confirm(text, request, caller)
        }
        if try await EmailChanges(context.store, settings).waiting(of: caller.user) != nil {
            return .personal([
                "msg":
                    "Confirmation link accepted. Please proceed to confirm link sent to the other email",
                "code": "200",
            ])
        }
        return try await answer(caller.user)
    }

    // MARK: Who is signed in

    private func change(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.compatibleObject()
        if body["app_metadata"] != nil {
            throw CompatibleError(403, "not_admin", "Only the service key changes app_metadata.")
        }
        if try body.optionalString("phone")?.isEmpty == false { throw Self.noPhones }
        let (email, password) = (try body.optionalString("email"), try body.optionalString("password"))
        let metadata = try body.optionalObject("data") ?? [:]
        return try await keeping {
            // As it is now: the token may be from before.
            let isAnonymous = try await CompatibleUser(caller.user, context.store.pool)?.hasAccount == false
            if isAnonymous, email != nil || password != nil {
                guard let email, let password else {
                    throw Self.invalid("Send email and password together: they make an account of this user.")
                }
                let application = SignUpRoutes.Application(
                    email: try EmailAddress(email), password: password,
                    shortestPassword: settings.shortestCompatiblePassword, displayName: Self.displayName(metadata),
                    metadata: metadata, device: caller, beginsSession: false)
                _ = try await limits.perAddress(settings.limits.signUp) { request in
                    _ = try await native.signUp.signUp(application, request)
                    return .noContent
                }(request)
                return try await answer(caller.user)
            }
            if !metadata.isEmpty { try await merge(metadata, of: caller, request) }
            if let password {
                let current = try body.optionalString("current_password")
                if password == current {
                    throw CompatibleError(
                        422, "same_password", "New password should be different from the old password.")
                }
                _ = try await native.passwords.change(
                    to: password, current: current, shortest: settings.shortestCompatiblePassword, by: caller, request)
            }
            if let email {
                let address = try EmailAddress(email)
                let row = try await context.store.pool.query(
                    "select email_key from credentials where user_id = $1", [.uuid(caller.user)]
                ).first
                if row?.text(0) != address.key {
                    _ = try await native.emailChanges.ask(for: address, request, caller)
                }
            }
            return try await answer(caller.user)
        }
    }

    private func merge(_ metadata: JSONObject, of caller: Caller, _ request: Request) async throws {
        var rows = [caller.stands, IdentityRows.mergeMetadata(of: caller.user, metadata)]
        if let name = Self.displayName(metadata) {
            rows.append(IdentityRows.changeProfile(of: caller.user, displayName: .some(name), timeZone: nil))
        } else if metadata["display_name"]?.isNull == true {
            rows.append(IdentityRows.changeProfile(of: caller.user, displayName: .some(nil), timeZone: nil))
        }
        let change = Append(
            id: .v7(), requestHash: [], metadata: request.metadata(owner: caller.user), writes: [], calls: rows)
        let store = context.store
        let answer = limits.perLogin(settings.limits.accountChanges, ofUser: AccessLimits.loginsThatChange) { _, _ in
            do {
                try await store.append(change)
            } catch AppendError.erased {
                throw Problem.userGone
            }
            return .noContent
        }
        _ = try await answer(request, caller)
    }

    private func signOut(_ request: Request, _ caller: Caller) async throws -> Response {
        switch request.query("scope") ?? "global" {
        case "global": return try await native.loginSessions.endAll(request, caller)
        case "local": return try await native.loginSessions.endOwn(request, caller)
        case "others": return try await native.loginSessions.endOthers(request, caller)
        default: throw Self.invalid("Send scope global, local or others.")
        }
    }

    // MARK: What they have in common

    /// Who is signed in.
    ///
    /// - Throws: ``CompatibleError`` 401 without a bearer, 403 for a key.
    static func user(_ request: Request, _ caller: CompatibleCaller) throws(CompatibleError) -> Caller {
        if let user = caller.user { return user }
        guard request.bearerToken != nil else {
            throw CompatibleError(
                401, "no_authorization", "This endpoint requires a Bearer token: send the user's access token.")
        }
        throw CompatibleError(403, "bad_jwt", "invalid claim: missing sub claim: send the user's access token.")
    }

    private func answer(_ user: UUID) async throws -> Response {
        guard let view = try await CompatibleUser(user, context.store.pool) else { throw Problem.userGone }
        return .personal(view.json.objectValue ?? [:])
    }

    /// Says what is wrong with metadata that are kept.
    private func keeping(_ work: () async throws -> Response) async throws -> Response {
        do {
            return try await work()
        } catch AppendError.guarded(.metadataTooLong) {
            throw Self.metadataTooLong
        }
    }

    /// What clients need to know to show the right buttons.
    private var openness: Response {
        let isOn = { (provider: IdentityProvider) in JSONValue.bool(federation.isOn(provider)) }
        return .json([
            "external": [
                "email": true, "phone": false, "anonymous_users": .bool(settings.signUpRule.isOpenToAll),
                "google": isOn(.google), "apple": isOn(.apple),
            ],
            "disable_signup": .bool(!settings.signUpRule.isOpen),
            // Whoever signs up is let in at once, unless only listed addresses are.
            "mailer_autoconfirm": .bool(!settings.signUpRule.hasList), "phone_autoconfirm": false,
            "sms_provider": "", "saml_enabled": false,
        ])
    }

    /// The name that older clients keep in metadata; what is no name here stays there alone.
    static func displayName(_ metadata: JSONObject) -> String? {
        guard let text = metadata["display_name"]?.stringValue else { return nil }
        return (try? DisplayName.checked(text)) ?? nil
    }

    /// What the client says of itself, for the owner's list of login sessions.
    private static func deviceName(_ request: Request) -> String? {
        let told = (request.headers["x-client-info"] ?? "").unicodeScalars.filter { (0x20...0x7E).contains($0.value) }
        return told.isEmpty ? try? DeviceName.of(request, [:]) : String(String.UnicodeScalarView(told.prefix(100)))
    }

    /// A member that is needed.
    private static func text(_ name: String, of body: JSONObject) throws -> String {
        guard let text = try body.optionalString(name) else { throw invalid("Send \(name).") }
        return text
    }

    static func invalid(_ message: String) -> CompatibleError { CompatibleError(400, "validation_failed", message) }

    static let metadataTooLong = invalid(
        "Keep less with the user: with what is there already it may have 1,024 bytes.")

    private static let noPhones = CompatibleError(
        422, "phone_provider_disabled", "There are no phone numbers here: use an e-mail address.")
}
