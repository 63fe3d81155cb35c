import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// The caller's second factor. What weakens or replaces it needs a fresh sign-in.
@Loop struct SecondFactorRoutes {
    private let users: CommandHandler<User>
    private let security: SecurityLog
    private let credentials: Credentials
    private let factors: SecondFactors
    private let logins: LoginSessions
    private let eviction: EmailChangeEviction
    private let rule: SecondFactorRule
    private let limits: RateLimits
    private let changeLimit: RateLimit
    private let outbox: MailOutbox
    private let fresh: FreshSignIn

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ factors: SecondFactors,
        _ limits: RateLimits, _ outbox: MailOutbox
    ) {
        users = CommandHandler(context.store)
        security = context.security
        self.credentials = credentials
        self.factors = factors
        logins = LoginSessions(context.store, settings)
        eviction = EmailChangeEviction(context.store, settings)
        rule = settings.secondFactorRule
        self.limits = limits
        changeLimit = settings.limits.accountChanges
        self.outbox = outbox
        fresh = FreshSignIn(context.settings)
    }

    func read(_ request: Request, _ caller: Caller) async throws -> Response {
        let standing = try await factors.standing(of: caller.user)
        return .personal([
            "secondFactor": standing.map { ["since": .time($0.since), "recoveryCodesLeft": .int($0.recoveryCodes)] }
                ?? .null
        ])
    }

    /// Begins one: the secret for the app, which counts when a first code has come back.
    func begin(_ request: Request, _ caller: Caller) async throws -> Response {
        try await proven(caller) {
            let address = try await credentials.requireAddress(of: caller.user)
            let enrolment = try await factors.begin(
                for: caller.user, named: address, by: caller.session, request.metadata(owner: caller.user),
                if: [caller.stands])
            return .personal(
                ["secret": .string(enrolment.secret), "address": .string(enrolment.address)], status: 201)
        }
    }

    /// Takes the first code, from the login session that has begun it, and gives recovery codes. All other login sessions
    /// end, because they began without it, and another address that one of them asked for is given up.
    func confirm(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("code")
        let user = caller.user
        let code = try body.string("code")
        let codes = factors.newRecoveryCodes(of: user)
        let metadata = request.metadata(owner: user)
        let mail = AccountMails.Kind.secondFactorAdded.queueing(to: user)
        var isWithdrawn = false
        try await factors.confirm(
            code, of: user, by: caller.session, checking: { try await security.watching(request, of: user, $0) }
        ) { row in
            try await logins.end(
                of: user, but: caller.session, because: .secondFactorAdded, metadata
            ) { ends, noOther in
                let change = try await eviction.outcome(for: user, but: caller.session)
                isWithdrawn = change.isWithdrawn
                return Append(
                    id: .v7(), requestHash: caller.session.bytes, metadata: metadata,
                    decisions: [try await users.load(User.stream(user)).decide(change.addingSecondFactor)] + ends,
                    calls: [caller.stands, row, codes.row, noOther, mail] + change.calls)
            }
        }
        if isWithdrawn { security.note(.emailChangeWithdrawn, of: user, request) }
        security.note(.secondFactorAdded, of: user, request)
        outbox.wake()
        return .recoveryCodes(codes.texts)
    }

    /// Gives new recovery codes; earlier ones are worth nothing any more.
    func replaceCodes(_ request: Request, _ caller: Caller) async throws -> Response {
        try await proven(caller) {
            let codes = factors.newRecoveryCodes(of: caller.user)
            try await users.put(
                .replaceRecoveryCodes, by: caller, request, requestHash: caller.session.bytes, rows: [codes.row])
            security.note(.recoveryCodesReplaced, of: caller.user, request)
            return .recoveryCodes(codes.texts)
        }
    }

    /// Removes it, with its recovery codes, unless every account must have one.
    func remove(_ request: Request, _ caller: Caller) async throws -> Response {
        guard rule == .none else { throw Problem(.secondFactorStays) }
        return try await proven(caller) {
            try await users.put(
                .removeSecondFactor, by: caller, request, requestHash: caller.session.bytes,
                rows: [AccountMails.Kind.secondFactorRemoved.queueing(to: caller.user)])
            security.note(.secondFactorRemoved, of: caller.user, request)
            outbox.wake()
            return .noContent
        }
    }

    /// Does what needs a fresh sign-in, as often as an account may be changed.
    private func proven(_ caller: Caller, _ work: () async throws -> Response) async throws -> Response {
        try await fresh.require(caller) { try await credentials.proofs(of: caller.user).map(\.rawValue) }
        return try await limits.counting(changeLimit, provenBy: caller, work)
    }
}

extension Response {
    /// Recovery codes, which are shown once.
    fileprivate static func recoveryCodes(_ codes: [String]) -> Response {
        .personal(["recoveryCodes": .array(codes.map(JSONValue.string))])
    }
}
