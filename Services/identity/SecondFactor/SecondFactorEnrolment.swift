import Access
import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// A second factor that is added with a sign-in, because every account must have one: a ticket stands for the password, as
/// nobody is let in before.
@Loop struct SecondFactorEnrolment {
    private let users: CommandHandler<User>
    private let security: SecurityLog
    private let credentials: Credentials
    private let factors: SecondFactors
    private let logins: LoginSessions
    private let eviction: EmailChangeEviction
    private let tickets: SignInTickets
    private let limits: RateLimits
    private let mailLimit: RateLimit
    private let outbox: MailOutbox
    private let answers: LoginAnswers

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ factors: SecondFactors,
        _ limits: RateLimits, _ outbox: MailOutbox, _ answers: LoginAnswers
    ) {
        users = CommandHandler(context.store)
        security = context.security
        self.credentials = credentials
        self.factors = factors
        logins = LoginSessions(context.store, settings)
        eviction = EmailChangeEviction(context.store, settings)
        tickets = SignInTickets(context.store, settings)
        self.limits = limits
        mailLimit = settings.limits.accountMail
        self.outbox = outbox
        self.answers = answers
    }

    /// Takes a ticket and gives the secret for the app. Without a confirmed address mails a code that confirms it.
    func begin(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("ticket")
        let text = try body.string("ticket")
        let ticket = try await security.watching(request, of: nil) { try await tickets.check(text, for: .enrolment) }
        do {
            let address = try await credentials.requireAddress(of: ticket.user)
            let enrolment = try await factors.begin(
                for: ticket.user, named: address, by: ticket.id, request.metadata(owner: ticket.user),
                if: [ticket.stands])
            return .personal(
                ["secret": .string(enrolment.secret), "address": .string(enrolment.address)], status: 201)
        } catch AppendError.guarded(.emailUnverified) {
            try await mailCode(to: ticket.user)
            throw Problem(
                .emailUnverified,
                detail: "Send the code of the mail to POST /v1/auth/verify-email, then the ticket again.")
        } catch AppendError.erased, AppendError.guarded(.passwordChanged), AppendError.guarded(.identityUnlinked),
            UserRefusal.noAccount
        {
            throw Problem(.ticketInvalid)
        }
    }

    /// Takes the first code, lets in, and gives recovery codes. All earlier login sessions end, because they began without it, and
    /// another address that one of them asked for is given up.
    func finish(
        _ ticket: SignInTickets.Ticket, _ given: SecondFactors.Given, on device: String?,
        with company: LoginSessions.Company, _ request: Request
    ) async throws -> Response {
        guard case .code(let code) = given else {
            throw Problem.invalidRequest("Send code: there are no recovery codes yet.")
        }
        let user = ticket.user
        let codes = factors.newRecoveryCodes(of: user)
        let session = UUID.v4()
        let metadata = request.metadata(owner: user)
        let begun = [
            logins.beginning(session, of: user, by: [ticket.factor.proof, .otp], on: device),
            AccountMails.Kind.secondFactorAdded.queueing(to: user),
        ]
        var isWithdrawn = false
        do {
            try await factors.confirm(
                code, of: user, by: ticket.id, checking: { try await security.watching(request, of: user, $0) }
            ) { row in
                try await logins.end(of: user, but: nil, because: .secondFactorAdded, metadata) { ends, noOther in
                    let change = try await eviction.outcome(for: user, but: nil)
                    isWithdrawn = change.isWithdrawn
                    return Append(
                        id: .v7(), requestHash: ticket.id.bytes, metadata: metadata,
                        decisions: [try await users.load(User.stream(user)).decide(change.addingSecondFactor)] + ends
                            + (try await company.decisions()),
                        calls: ticket.use + company.rows + [row, codes.row, noOther] + begun + change.calls)
                }
            }
        } catch AppendError.erased, AppendError.guarded(.passwordChanged), AppendError.guarded(.codeInvalid),
            AppendError.guarded(.identityUnlinked), UserRefusal.hasSecondFactor
        {
            throw Problem(.ticketInvalid)
        }
        security.note(.secondFactorAdded, of: user, request)
        if isWithdrawn { security.note(.emailChangeWithdrawn, of: user, request) }
        outbox.wake()
        return try await answers.welcome(
            user, .user, session, request, status: 200,
            adding: ["recoveryCodes": .array(codes.texts.map(JSONValue.string))])
    }

    /// Not more often than an account gets mail; then there is one already.
    private func mailCode(to user: UUID) async throws {
        guard let address = try await credentials.address(of: user) else { return }
        let kind = AccountMails.Kind.verifyEmail.rawValue
        do {
            try await limits.take(mailLimit, "\(kind) \(address)")
        } catch is Problem {
            return
        }
        try await outbox.queue(kind, to: user)
    }
}
