import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// Lets in who has shown the first factor of an account, its password or a linked identity: at once, or with the second factor where the account has one.
@Loop struct AccountEntry {
    private let security: SecurityLog
    private let credentials: Credentials
    private let signUpRule: SignUpRule
    private let tickets: SignInTickets
    private let factors: SecondFactors
    private let devices: KnownDevices
    private let answers: LoginAnswers
    private let newDevices: NewDevices
    private let handovers: DeviceHandovers
    private let enrolment: SecondFactorEnrolment
    private let rule: SecondFactorRule
    private let users: CommandHandler<User>

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials, _ factors: SecondFactors,
        _ devices: KnownDevices, _ newDevices: NewDevices, _ enrolment: SecondFactorEnrolment, _ answers: LoginAnswers
    ) {
        self.enrolment = enrolment
        rule = settings.secondFactorRule
        users = CommandHandler(context.store)
        self.credentials = credentials
        signUpRule = settings.signUpRule
        security = context.security
        self.newDevices = newDevices
        handovers = DeviceHandovers(context, settings)
        tickets = SignInTickets(context.store, settings)
        self.factors = factors
        self.devices = devices
        self.answers = answers
    }

    /// Begins a login session of somebody who has shown the first factor.
    ///
    /// - Parameters:
    ///   - shown: the anonymous device that is handed over to the account, if they are let in at once; else it is shown again with the
    ///     second factor.
    ///   - rows: of the same append, such as what the first factor uses up.
    /// - Throws: the problem `second-factor-needed` with a ticket for ``finish(_:)``, or `second-factor-required` with one for
    ///   `SecondFactorEnrolment.begin`, 403 and 409 as ``admit(_:)``; else as `LoginAnswers.begin`.
    func enter(
        _ account: FirstFactor, on device: String?, bringing shown: DeviceHandovers.Shown? = nil, _ request: Request,
        status: Int, with rows: [RowCall] = []
    ) async throws -> Response {
        try await admit(account.user)
        if try await !factors.isOn(account.user) {
            if rule == .accounts {
                throw Problem.secondFactorRequired(
                    ticket: try await tickets.issue(
                        for: .enrolment, to: account, request.metadata(owner: account.user), if: rows))
            }
            do {
                let arrival = try await newDevices.arrival(of: account.user, on: device, request)
                let answer = try await answers.begin(
                    account.user, .user, by: [account.proof], on: device, request, status: status,
                    if: [account.stands, factors.notNeeded(by: account.user)] + rows + arrival.mail,
                    with: await handovers.handing(shown, to: account.user))
                newDevices.note(arrival, request)
                return answer
            } catch AppendError.guarded(.secondFactorNeeded) {
                // It came meanwhile.
            }
        }
        let ticket = try await tickets.issue(
            for: .secondFactor, to: account, request.metadata(owner: account.user), if: rows)
        throw Problem.secondFactorNeeded(ticket: ticket)
    }

    /// Lets in who shows a code that was mailed to the address of an account, which confirms it. The code is worth another password, so
    /// it is worth this too; an account with a second factor it does not open.
    ///
    /// - Throws: the problem `second-factor-needed` or `second-factor-required` (401), 403 for an address that is not let in, `code-invalid`
    ///   (401) for a code that was used meanwhile; else as `LoginAnswers.begin`.
    func enter(by code: OneTimeCodes.Code, on device: String?, _ request: Request) async throws -> Response {
        if signUpRule.hasList { try signUpRule.requireListed(try await credentials.address(of: code.user)) }
        if try await factors.isOn(code.user) { throw Problem.secondFactorNeeded }
        if rule == .accounts { throw Problem(.secondFactorRequired) }
        let arrival = try await newDevices.arrival(of: code.user, on: device, request)
        let answer = try await answers.begin(
            code.user, .user, by: [.mail], on: device, request, status: 200,
            if: [code.use, credentials.verifying(of: code.user), factors.notNeeded(by: code.user)] + arrival.mail,
            with: LoginSessions.Company {
                [try await users.load(User.stream(code.user)).decide(.verifyEmail)]
            })
        newDevices.note(arrival, request)
        return answer
    }

    /// Refuses an account whose address whoever runs this server does not let in, or that has not shown that it is its own.
    ///
    /// - Throws: the problem `email-unverified` (409) or `address-not-allowed` (403), or `PostgresError`.
    func admit(_ user: UUID) async throws {
        guard signUpRule.hasList else { return }
        if let confirmed = try await credentials.confirmedAddress(of: user) {
            return try signUpRule.requireListed(confirmed)
        }
        try signUpRule.requireListed(try await credentials.address(of: user))
        throw Problem(
            .emailUnverified,
            detail:
                "Send the code of the mail to POST /v1/auth/verify-email, or choose a new password by mail; then sign in."
        )
    }

    /// Refuses somebody who is let in already and would not be any more.
    ///
    /// - Throws: the problem `second-factor-required` (401), or as ``admit(_:)``.
    func keep(_ user: UUID) async throws {
        if rule == .accounts, try await !factors.isOn(user) { throw Problem(.secondFactorRequired) }
        try await admit(user)
    }

    /// Refuses somebody new who would be let in for good, as by an app, and by ``keep(_:)`` would not stay.
    ///
    /// - Parameter address: the one that is confirmed by signing up; nil for none.
    /// - Throws: the problem `second-factor-required` (401) or `address-not-named` (403).
    func requireKeeping(_ address: EmailAddress?) throws(Problem) {
        guard answers.isForGood else { return }
        if rule == .accounts { throw Problem(.secondFactorRequired) }
        if signUpRule.hasList, address == nil { throw Problem(.addressNotNamed) }
    }

    /// Ends the login sessions of apps that never ask again, when their users would not be let in any more.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    func endRefusedAppLogins(_ logins: LoginSessions) async throws {
        guard rule == .accounts || signUpRule.hasList else { return }
        try await logins.endAppLogins { user in
            do {
                try await keep(user)
                return true
            } catch is Problem {
                return false
            }
        }
    }

    /// Takes the ticket of a sign-in and the second factor.
    func finish(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow(["ticket", "code", "recoveryCode", "deviceName"] + DeviceHandovers.members)
        let device = try DeviceName.of(request, body)
        let text = try body.string("ticket")
        let ticket = try await security.watching(request, of: nil) {
            try await tickets.check(text, forOneOf: [.secondFactor, .enrolment])
        }
        guard let given = try SecondFactors.Given(body) else {
            throw Problem.invalidRequest("Send code or recoveryCode.")
        }
        let brought = try await handovers.shown(body, request)
        let handing = try await handovers.handing(brought, to: ticket.user)
        if ticket.purpose == .enrolment {
            return try await enrolment.finish(ticket, given, on: device, with: handing, request)
        }
        let visitor = Visitor(request, for: ticket.user, devices, provenBy: .secondFactor)
        let shown = try await security.watching(request, of: ticket.user) {
            try await factors.check(given, of: ticket.user, by: visitor)
        }
        do {
            let arrival = try await newDevices.arrival(of: ticket.user, on: device, request)
            let answer = try await answers.begin(
                ticket.user, .user, by: [ticket.factor.proof, shown.proof], on: device, request, status: 200,
                if: ticket.use + [shown.use] + arrival.mail, with: handing)
            newDevices.note(arrival, request)
            return answer
        } catch AppendError.guarded(.codeInvalid) {
            throw Problem(.ticketInvalid)
        }
    }
}

extension Problem {
    /// The ways of showing a second factor, as a token's `amr` names them.
    private static let methods: JSONValue = [.string(Proof.otp.rawValue), .string(Proof.recovery.rawValue)]

    /// 401 for a sign-in that goes on with a ticket.
    fileprivate static func secondFactorNeeded(ticket: String) -> Problem {
        Problem(
            .secondFactorNeeded,
            members: [
                ("methods", methods), ("ticket", .string(ticket)),
                ("expiresIn", .int(SignInTickets.lifetimeSeconds(.secondFactor))),
            ], headers: ["Cache-Control": "no-store"])
    }

    /// 401 for a sign-in to an account that must have a second factor first.
    fileprivate static func secondFactorRequired(ticket: String) -> Problem {
        Problem(
            .secondFactorRequired,
            members: [
                ("ticket", .string(ticket)), ("expiresIn", .int(SignInTickets.lifetimeSeconds(.enrolment))),
            ], headers: ["Cache-Control": "no-store"])
    }

    /// 401 for a proof that is not enough by itself.
    static let secondFactorNeeded = Problem(.secondFactorNeeded, members: [("methods", methods)])
}
