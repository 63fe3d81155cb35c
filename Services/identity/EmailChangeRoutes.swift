import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// Another address for an account: the new one shows by a mailed code whose it is, and the old one is told and can keep the
/// account.
@Loop struct EmailChangeRoutes {
    private let context: ServiceContext
    private let credentials: Credentials
    private let codes: OneTimeCodes
    private let changes: EmailChanges
    private let logins: LoginSessions
    private let limits: RateLimits
    private let mailLimit: RateLimit
    private let changeLimit: RateLimit
    private let outbox: MailOutbox
    private let fresh: FreshSignIn

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ limits: RateLimits,
        _ outbox: MailOutbox
    ) {
        self.context = context
        self.credentials = credentials
        codes = OneTimeCodes(context.store, settings)
        changes = EmailChanges(context.store, settings)
        logins = LoginSessions(context.store, settings)
        self.limits = limits
        mailLimit = settings.limits.accountMail
        changeLimit = settings.limits.accountChanges
        self.outbox = outbox
        fresh = FreshSignIn(context.settings)
    }

    private var users: CommandHandler<User> { CommandHandler(context.store) }

    /// Mails a code to the new address, or takes the code back and makes the address the account's.
    func change(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        if body["token"] != nil {
            try body.allow("token")
            return try await confirm(body.string("token"), request, caller)
        }
        try body.allow("email")
        return try await ask(for: EmailAddress(body.string("email")), request, caller)
    }

    /// Whether somebody else has the new address is told to its owner alone, by the mail: the answer and the work before it
    /// are the same.
    private func ask(for email: EmailAddress, _ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        guard try await credentials.address(of: user) != nil else { throw UserRefusal.noAccount }
        try await fresh.require(caller) { try await credentials.proofs(of: user).map(\.rawValue) }
        return try await limits.counting(changeLimit, provenBy: caller) { try await asked(for: email, request, caller) }
    }

    private func asked(for email: EmailAddress, _ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        let kind = AccountMails.Kind.newAddress
        // Neither is one account's mail sent to many, nor many accounts' mail to one.
        try await limits.take(mailLimit, "\(kind.rawValue) \(user)")
        try await limits.take(mailLimit, "\(kind.rawValue) \(email.key)")
        let (change, keep) = (UUID.v7(), UUID.v7())
        do {
            try await context.store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: request.metadata(owner: user), writes: [],
                    calls: [
                        caller.stands,
                        changes.asking(change, of: user, for: email, keep: keep),
                        MailOutbox.queueing(kind.rawValue, to: user, id: change),
                        MailOutbox.queueing(AccountMails.Kind.keepAddress.rawValue, to: user, id: keep),
                    ]))
        } catch AppendError.erased {
            throw Problem.userGone
        }
        outbox.wake()
        return .mailed
    }

    /// Whoever is signed in, so that nobody puts their address into another one's account by opening a link.
    private func confirm(_ text: String, _ request: Request, _ caller: Caller) async throws -> Response {
        let code = try await context.security.watching(request, of: caller.user) {
            let code = try await codes.check(text, for: AccountMails.Kind.newAddress.rawValue)
            guard code.user == caller.user else { throw Problem(.codeInvalid) }
            return code
        }
        return try await limits.counting(changeLimit, provenBy: caller) {
            try await users.put(.changeEmail, by: code, request, rows: [caller.stands, changes.changing(code)])
            context.security.note(.emailChanged, of: caller.user, request)
            return .personal(["user": try await UserView(caller.user, context.owners).json])
        }
    }

    /// Takes the code of the mail to the old address: the account is that address's, as before. Somebody else knew how to
    /// show that they were its owner, so all login sessions end and the password opens nothing any more.
    func keep(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("token")
        let text = try body.string("token")
        let code = try await context.security.watching(request, of: nil) {
            try await codes.check(text, for: AccountMails.Kind.keepAddress.rawValue)
        }
        let metadata = request.metadata(owner: code.user)
        do {
            try await logins.end(of: code.user, but: nil, because: .passwordReset, metadata) { ends, noOther in
                Append(
                    id: .v7(), requestHash: code.id.bytes, metadata: metadata,
                    decisions: [try await users.load(User.stream(code.user)).decide(.stopEmailChange)] + ends,
                    calls: [
                        code.use, changes.keeping(code), credentials.disabling(of: code.user),
                        AccountMails.Kind.passwordReset.queueing(to: code.user), noOther,
                    ])
            }
        } catch AppendError.erased {
            throw Problem(.codeInvalid)
        }
        context.security.note(.emailKept, of: code.user, request)
        outbox.wake()
        return .noContent
    }
}
