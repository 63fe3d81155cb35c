import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// Another address for an account: the new one shows by a mailed code whose it is. The old one, if it was confirmed, is told and can
/// keep the account; it agrees by a code of its own, or the change waits for as long as it may still object.
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

    /// Mails a code to the new address, or takes back the code of the new or of the old one.
    func change(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        if body["token"] != nil {
            try body.allow("token")
            return try await prove(body.string("token"), request, caller)
        }
        if body["oldAddressToken"] != nil {
            try body.allow("oldAddressToken")
            return try await confirm(body.string("oldAddressToken"), request, caller)
        }
        try body.allow("email")
        return try await ask(for: EmailAddress(body.string("email")), request, caller)
    }

    /// Whether somebody else has the new address is told to its owner alone, by the mail: the answer and the work before it
    /// are the same.
    ///
    /// - Throws: a problem 401 for who has not shown a moment ago who they are, 409 without an address or while another one waits, 429.
    func ask(for email: EmailAddress, _ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        _ = try await credentials.requireAddress(of: user)
        return try await proven(caller) {
            guard try await changes.waiting(of: user) == nil else { throw Problem(.emailChangeWaits) }
            return try await asked(for: email, request, caller)
        }
    }

    /// Does what needs a fresh sign-in, as often as an account may be changed.
    private func proven(_ caller: Caller, _ work: () async throws -> Response) async throws -> Response {
        try await fresh.require(caller) { try await credentials.proofs(of: caller.user).map(\.rawValue) }
        return try await limits.counting(changeLimit, provenBy: caller, work)
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
                        changes.asking(change, of: user, for: email, keep: keep, in: caller.session),
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
    ///
    /// - Throws: the problem `code-invalid` (401), `email-change-waits` (409), 429.
    func prove(_ text: String, _ request: Request, _ caller: Caller) async throws -> Response {
        let code = try await code(text, AccountMails.Kind.newAddress.rawValue, request, caller)
        return try await limits.counting(changeLimit, provenBy: caller) {
            let (keep, confirm, due) = (UUID.v7(), UUID.v7(), changes.takesEffect())
            // One that was confirmed only after the change was asked for has had no mail yet.
            let notice =
                try await changes.canBeStopped(code.id)
                ? [] : [MailOutbox.queueing(AccountMails.Kind.keepAddress.rawValue, to: code.user, id: keep)]
            let metadata = request.metadata(owner: code.user)
            var waits = false
            do {
                _ = try await users.handle(
                    .proveNewAddress(change: code.id, takesEffectAt: due), on: User.stream(code.user), id: .v7(),
                    requestHash: code.id.bytes, metadata: metadata
                ) { _, events in
                    waits = !events.contains { $0.changesEmail }
                    let begun = [caller.stands, code.use, changes.standing(code)]
                    guard waits else {
                        return begun + [
                            changes.changing(code.id, of: code.user), changes.forgettingAsked(of: code.user),
                        ]
                    }
                    return begun + [
                        changes.proving(code, keep: keep, confirm: confirm, due: due),
                        AccountMails.ChangeNotice.oldAddress.queueing(to: code.user, id: confirm),
                    ] + notice
                }
            } catch AppendError.erased {
                throw Problem(.codeInvalid)
            }
            outbox.wake()
            context.security.note(waits ? .emailChangeWaits : .emailChanged, of: caller.user, request)
            return try await answer(caller)
        }
    }

    /// The old address agrees. Whoever is signed in, so that no link that is opened by mistake gives an account away.
    ///
    /// - Throws: the problem `code-invalid` (401), 429.
    func confirm(_ text: String, _ request: Request, _ caller: Caller) async throws -> Response {
        let code = try await code(text, AccountMails.ChangeNotice.oldAddress.rawValue, request, caller)
        guard let change = try await changes.confirmed(by: code) else { throw Problem(.codeInvalid) }
        return try await limits.counting(changeLimit, provenBy: caller) {
            try await users.put(
                .confirmEmailChange(change.id), by: code, request,
                rows: [
                    caller.stands, changes.changing(change.id, of: change.user),
                    changes.forgettingAsked(of: change.user),
                    AccountMails.ChangeNotice.addressChanged.queueing(to: change.user, id: change.tell),
                ])
            outbox.wake()
            context.security.note(.emailChanged, of: caller.user, request)
            return try await answer(caller)
        }
    }

    /// A code that was mailed to the caller.
    private func code(
        _ text: String, _ purpose: String, _ request: Request, _ caller: Caller
    ) async throws -> OneTimeCodes.Code {
        try await context.security.watching(request, of: caller.user) {
            let code = try await codes.check(text, for: purpose)
            guard code.user == caller.user else { throw Problem(.codeInvalid) }
            return code
        }
    }

    private func answer(_ caller: Caller) async throws -> Response {
        .personal([
            "user": try await UserView(caller.user, context.owners).json, "change": try await waiting(caller.user),
        ])
    }

    /// The change that waits, as clients see it; null without one.
    private func waiting(_ user: UUID) async throws -> JSONValue {
        guard let change = try await changes.waiting(of: user) else { return .null }
        return ["email": .string(change.email), "takesEffectAt": .time(change.takesEffectAt)]
    }

    /// The change that waits for the old address.
    func read(_ request: Request, _ caller: Caller) async throws -> Response {
        .personal(["change": try await waiting(caller.user)])
    }

    /// Gives the change up that waits. It needs what asking needs: nobody else may make room for another one.
    func withdraw(_ request: Request, _ caller: Caller) async throws -> Response {
        try await proven(caller) {
            let outcome = try await users.put(.withdrawEmailChange, by: caller, request, requestHash: [])
            if !outcome.events.isEmpty { context.security.note(.emailChangeWithdrawn, of: caller.user, request) }
            return .noContent
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
                let account = try await users.load(User.stream(code.user))
                let doubtsFactor = User.hasFactor(addedAfter: changes.factorsDoubted(), in: account.history)
                return Append(
                    id: .v7(), requestHash: code.id.bytes, metadata: metadata,
                    decisions: [try account.decide(.stopEmailChange(doubtsFactor: doubtsFactor))] + ends,
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
