import Access
import Crypto
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// Signing up, signing in, changing the password.
extension IdentityRoutes {
    /// Makes an account; of an anonymous device when the request carries its token.
    func signUp(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password", "displayName", "timeZone")
        let email = try EmailAddress(body.string("email"))
        let password = try body.string("password")
        let name = try DisplayName.checked(body.optionalString("displayName"))
        let timeZone = try body.optionalString("timeZone") ?? "UTC"
        try await context.zones.check(timeZone)
        let device = request.headers["authorization"] == nil ? nil : try await context.tokens.caller(of: request)
        let hash = try await credentials.hash(password, for: email.text)

        let blinded = settings.access.secrets.blinded
        let somebody = device?.user ?? UUID.v5(namespace: .zero, name: Hex.encode(blinded(email.key)))
        let id = context.hashes.commandID(request, owner: somebody)
        let user = device?.user ?? UUID.v5(namespace: id, name: "user")
        let session = UUID.v4()
        let outcome = try await claiming(email, request) {
            try await handle(
                .signUp(user, method: .password, timeZone: timeZone), of: user, request, id: id,
                // Never over the password: this hash is kept for ever and is quick to try.
                requestHash: blinded("sign-up \(email.key) \(timeZone) \(name ?? "")"),
                rows: [
                    IdentityRows.putProfile(of: user, email: email.text, displayName: name, timeZone: timeZone),
                    credentials.adding(user, email, hash: hash),
                    logins.beginning(session, of: user), AccountMails.Kind.verifyEmail.queueing(to: user),
                ])
        }
        outbox.wake()
        // A repeat proves nothing but that it knows its key: it signs in like everybody.
        if outcome.receipt?.isRepeat == true { return try await signIn(request, email, password, status: 201) }
        return try await welcome(user, .user, session, status: 201)
    }

    /// Does what needs an address without an account. Of one that has an account the owner hears, and whoever asked may not
    /// try many more.
    private func claiming<T>(_ email: EmailAddress, _ request: Request, _ work: () async throws -> T) async throws -> T
    {
        let limit = settings.access.limits.emailTaken
        try await limits.take(limit, request.remoteAddress)
        do {
            let value = try await work()
            try await limits.giveBack(limit, request.remoteAddress)
            return value
        } catch AppendError.guarded(.emailTaken) {
            try await warnOwner(of: email)
            throw Problem(.emailTaken)
        }
    }

    func signIn(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password")
        let email = try EmailAddress(body.string("email"))
        return try await signIn(request, email, body.string("password"), status: 200)
    }

    private func signIn(
        _ request: Request, _ email: EmailAddress, _ password: String, status: Int
    ) async throws -> Response {
        let user = try await credentials.open(email, password: password)
        let session = try await logins.begin(user, metadata(user, request))
        return try await welcome(user, .user, session, status: status)
    }

    /// Changes the password and ends all other login sessions. Who may is shown by a mailed code, or by an access token
    /// and the current password.
    func changePassword(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        if body["resetToken"] != nil {
            try body.allow("resetToken", "newPassword")
            return try await resetPassword(
                request, code: body.string("resetToken"), to: body.string("newPassword"))
        }
        let caller = try await context.tokens.caller(of: request)
        try body.allow("currentPassword", "newPassword")
        let chosen = try body.string("newPassword")
        guard let account = try await credentials.check(body.string("currentPassword"), of: caller.user) else {
            throw UserRefusal.noAccount
        }
        let hash = try await credentials.hash(chosen, for: account.address)
        try await handle(
            .changePassword, of: caller.user, request, requestHash: caller.session.bytes,
            rows: [
                credentials.changing(account, to: hash), logins.ending(of: caller.user, but: caller.session),
                AccountMails.Kind.passwordChanged.queueing(to: caller.user),
            ])
        outbox.wake()
        return .noContent
    }
}
