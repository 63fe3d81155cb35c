import Access
import Crypto
import EventStore
import Federation
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// Shows anew who is signed in, before what cannot be undone.
@Loop struct ConfirmationRoutes {
    private let store: EventStore
    private let security: SecurityLog
    private let federation: Federation
    private let identities: LinkedIdentities
    private let credentials: Credentials
    private let factors: SecondFactors
    private let devices: Devices
    private let codes: OneTimeCodes
    private let logins: LoginSessions
    private let limits: RateLimits
    private let mailLimit: RateLimit
    private let outbox: MailOutbox
    private let answers: LoginAnswers

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ federation: Federation, _ credentials: Credentials,
        _ factors: SecondFactors, _ limits: RateLimits, _ outbox: MailOutbox, _ answers: LoginAnswers
    ) {
        store = context.store
        security = context.security
        self.federation = federation
        identities = LinkedIdentities(context.store, settings)
        self.credentials = credentials
        self.factors = factors
        devices = Devices(context.store.pool, settings)
        codes = OneTimeCodes(context.store, settings)
        logins = LoginSessions(context.store, settings)
        self.limits = limits
        mailLimit = settings.limits.accountMail
        self.outbox = outbox
        self.answers = answers
    }

    /// Takes one proof, with a code of the second factor where there is one, and gives an access token that says so, of the
    /// same login session; without a proof mails a code.
    func confirm(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("password", "token", "deviceSecret", "googleToken", "appleToken", "code", "recoveryCode")
        let password = try body.optionalString("password")
        let code = try body.optionalString("token")
        let secret = try body.optionalString("deviceSecret")
        let given = try SecondFactors.Given(body)
        let identityTokens = try IdentityProvider.allCases.compactMap { provider in
            try body.optionalString("\(provider.rawValue)Token").map { (provider, $0) }
        }
        if let (provider, token) = identityTokens.first {
            guard identityTokens.count == 1, password == nil, code == nil, secret == nil else { throw Self.tooMany }
            return try await confirm(caller, provider, token, given, request)
        }
        switch (password, code, secret) {
        case (let password?, nil, nil):
            let checked = try await security.watching(request, of: caller.user) {
                try await credentials.check(password, of: caller, request)
            }
            guard let account = checked else { throw try await credentials.withoutAddress(caller.user) }
            return try await confirmed(caller, by: .password, given, request, rows: [account.stands])
        case (nil, let text?, nil):
            let code = try await security.watching(request, of: caller.user) {
                let code = try await codes.check(
                    text, for: AccountMails.Kind.confirm.rawValue, in: caller.session)
                guard code.user == caller.user else { throw Problem(.codeInvalid) }
                return code
            }
            return try await confirmed(caller, by: .mail, given, request, rows: [code.use])
        case (nil, nil, let secret?):
            let device = try await security.watching(request, of: caller.user) {
                try await devices.check(secret, of: caller.user)
            }
            guard try await !credentials.hasAccount(caller.user) else { throw Problem(.deviceHasAccount) }
            return try await confirmed(caller, by: .device, given, request, rows: [device.stands])
        // A second factor alone proves nothing yet.
        case (nil, nil, nil): return try await mailCode(to: caller)
        default: throw Self.tooMany
        }
    }

    private static let tooMany = Problem.invalidRequest(
        "Send one of password, token, deviceSecret, googleToken and appleToken, or nothing to get a code by mail.")

    /// An identity token with a nonce that was given to this login session, of an identity that is linked to the account.
    private func confirm(
        _ caller: Caller, _ provider: IdentityProvider, _ token: String, _ given: SecondFactors.Given?,
        _ request: Request
    ) async throws -> Response {
        let shown = try await security.watching(request, of: caller.user) {
            let identity = try await federation.identity(of: provider, confirming: caller.session, token)
            guard let factor = try await identities.account(of: provider, identity.subject), factor.user == caller.user
            else { throw Problem(.credentialsInvalid, detail: "Show the identity that is linked to this account.") }
            return (use: identity.use, factor: factor)
        }
        return try await confirmed(
            caller, by: provider.proof, given, request, rows: [shown.factor.stands] + shown.use)
    }

    /// The row and what the proof uses up stand or fall together.
    private func confirmed(
        _ caller: Caller, by proof: Proof, _ given: SecondFactors.Given?, _ request: Request, rows: [RowCall]
    ) async throws -> Response {
        let second = try await secondFactor(given, caller, request)
        let proofs = [proof] + second.proofs
        let calls = rows + [second.row, logins.confirming(caller.session, of: caller.user, by: proofs)]
        do {
            try await store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: request.metadata(owner: caller.user), writes: [],
                    calls: calls))
        } catch AppendError.erased {
            throw Problem.userGone
        } catch AppendError.guarded(.passwordChanged), AppendError.guarded(.identityUnlinked) {
            throw Problem(.credentialsInvalid)
        }
        note(proofs, of: caller, request)
        return try await answers.confirmed(caller.user, proof == .device ? .device : .user, caller.session)
    }

    private func note(_ proofs: [Proof], of caller: Caller, _ request: Request) {
        let methods = proofs.map { JSONValue.string($0.rawValue) }
        security.note(.confirmed, of: caller.user, request, ["methods": .array(methods)])
    }

    /// What of the second factor was shown, where there is one; else the row that holds that there is none.
    private func secondFactor(
        _ given: SecondFactors.Given?, _ caller: Caller, _ request: Request
    ) async throws -> (proofs: [Proof], row: RowCall) {
        guard try await factors.isOn(caller.user) else { return ([], factors.notNeeded(by: caller.user)) }
        guard let given else { throw Problem.secondFactorNeeded }
        let shown = try await security.watching(request, of: caller.user) {
            try await factors.check(given, of: caller.user, by: Visitor(caller))
        }
        return ([shown.proof], shown.use)
    }

    private func mailCode(to caller: Caller) async throws -> Response {
        let address = try await credentials.requireAddress(of: caller.user)
        guard try await credentials.proofs(of: caller.user).contains(.mail) else { throw Problem(.emailUnverified) }
        let kind = AccountMails.Kind.confirm.rawValue
        try await limits.take(mailLimit, "\(kind) \(address)")
        try await outbox.queue(kind, to: caller.user, for: caller.session)
        return .mailed
    }
}
