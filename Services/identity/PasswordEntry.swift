import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// Lets in who knows a password: at once, or with the second factor where the account has one.
@Loop struct PasswordEntry {
    private let security: SecurityLog
    private let tickets: SignInTickets
    private let factors: SecondFactors
    private let devices: KnownDevices
    private let answers: LoginAnswers
    private let newDevices: NewDevices
    private let enrolment: SecondFactorEnrolment
    private let rule: SecondFactorRule

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ factors: SecondFactors, _ devices: KnownDevices,
        _ newDevices: NewDevices, _ enrolment: SecondFactorEnrolment, _ answers: LoginAnswers
    ) {
        self.enrolment = enrolment
        rule = settings.secondFactorRule
        security = context.security
        self.newDevices = newDevices
        tickets = SignInTickets(context.store, settings)
        self.factors = factors
        self.devices = devices
        self.answers = answers
    }

    /// Begins a login session of somebody whose password was checked.
    ///
    /// - Throws: the problem `second-factor-needed` with a ticket for ``finish(_:)``, or `second-factor-required` with one for
    ///   `SecondFactorEnrolment.begin`; else as `LoginAnswers.begin`.
    func enter(
        _ account: Credentials.Checked, on device: String?, _ request: Request, status: Int
    ) async throws -> Response {
        if try await !factors.isOn(account.user) {
            if rule == .accounts {
                throw Problem.secondFactorRequired(
                    ticket: try await tickets.issue(
                        for: .enrolment, to: account, request.metadata(owner: account.user)))
            }
            do {
                let mail = try await newDevices.mail(to: account.user, request)
                let answer = try await answers.begin(
                    account.user, .user, by: [.password], on: device, request, status: status,
                    if: [account.stands, factors.notNeeded(by: account.user)] + mail)
                newDevices.note(account.user, request)
                return answer
            } catch AppendError.guarded(.secondFactorNeeded) {
                // It came meanwhile.
            }
        }
        let ticket = try await tickets.issue(
            for: .secondFactor, to: account, request.metadata(owner: account.user))
        throw Problem.secondFactorNeeded(ticket: ticket)
    }

    /// Takes the ticket of a sign-in and the second factor.
    func finish(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("ticket", "code", "recoveryCode", "deviceName")
        let device = try DeviceName.of(request, body)
        let text = try body.string("ticket")
        let ticket = try await security.watching(request, of: nil) {
            try await tickets.check(text, forOneOf: [.secondFactor, .enrolment])
        }
        guard let given = try SecondFactors.Given(body) else {
            throw Problem.invalidRequest("Send code or recoveryCode.")
        }
        if ticket.purpose == .enrolment { return try await enrolment.finish(ticket, given, on: device, request) }
        let visitor = Visitor(request, for: ticket.user, devices, provenBy: .secondFactor)
        let shown = try await security.watching(request, of: ticket.user) {
            try await factors.check(given, of: ticket.user, by: visitor)
        }
        do {
            let mail = try await newDevices.mail(to: ticket.user, request)
            let answer = try await answers.begin(
                ticket.user, .user, by: [.password, shown.proof], on: device, request, status: 200,
                if: ticket.use + [shown.use] + mail)
            newDevices.note(ticket.user, request)
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
