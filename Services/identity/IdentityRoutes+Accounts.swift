import Access
import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Mail
import Postgres
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
        try PasswordRules.check(password, email: email.text)
        let device = request.headers["authorization"] == nil ? nil : try await context.tokens.caller(of: request)

        let hash = try await passwords.hash(password)
        let somebody = device?.user ?? UUID.v5(namespace: .zero, name: Hex.encode(settings.secrets.blinded(email.key)))
        let id = context.hashes.commandID(request, owner: somebody)
        let user = device?.user ?? UUID.v5(namespace: id, name: "user")
        let session = UUID.v4()
        do {
            let outcome = try await CommandHandler<User>(context.store).handle(
                .signUp(user, method: .password, timeZone: timeZone), on: User.stream(user), id: id,
                // Never over the password: this hash is kept for ever and is quick to try.
                requestHash: settings.secrets.blinded("sign-up \(email.key) \(timeZone) \(name ?? "")"),
                metadata: metadata(user, request)
            ) { [logins] _, _ in
                [
                    RowCall(
                        "put_profile",
                        [
                            "userId": .uuid(user), "email": .string(email.text), "displayName": .optional(name),
                            "timeZone": .string(timeZone),
                        ]),
                    RowCall(
                        "put_credentials",
                        ["userId": .uuid(user), "emailKey": .string(email.key), "passwordHash": .string(hash)]),
                    logins.beginning(session, of: user), AccountMails.Kind.verifyEmail.queueing(to: user),
                ]
            }
            outbox.wake()
            // A repeat proves nothing but that it knows its key: it signs in like everybody.
            if outcome.receipt?.isRepeat == true { return try await signIn(request, email, password, status: 201) }
        } catch AppendError.guarded("email-taken") {
            throw Problems.emailTaken
        }
        return try await welcome(user, .user, session, status: 201)
    }

    func signIn(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("email", "password")
        let email = try EmailAddress(body.string("email"))
        return try await signIn(request, email, body.string("password"), status: 200)
    }

    /// Lets somebody in who knows the password. Unknown addresses get the same answer after the same time.
    private func signIn(
        _ request: Request, _ email: EmailAddress, _ password: String, status: Int
    ) async throws -> Response {
        try await limits.take(settings.limits.account, email.key)
        let row = try await context.store.pool.query(
            "select user_id, password_hash from credentials where email_key = $1", [.text(email.key)]
        ).first
        let (matches, renewed) = try await passwords.check(password, against: row?.text(1))
        guard matches, let row else { throw Problems.credentialsInvalid }
        let user = row.uuid(0)
        if let renewed {
            _ = try await context.store.pool.query(
                "update credentials set password_hash = $3 where user_id = $1 and password_hash = $2",
                [.uuid(user), .text(row.text(1)), .text(renewed)])
        }
        let session = try await begin(user, request)
        try await limits.clear(settings.limits.account, email.key)
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
        let current = try body.string("currentPassword")
        let chosen = try body.string("newPassword")
        let found = try await context.owners.query(
            of: caller.user, "select email_key, password_hash from credentials where user_id = $1",
            [.uuid(caller.user)]
        ).first
        guard let found else { throw UserRefusal.noAccount }
        try await limits.take(settings.limits.account, found.text(0))
        try PasswordRules.check(chosen, email: found.text(0))
        guard try await passwords.check(current, against: found.text(1)).matches else {
            throw Problems.credentialsInvalid
        }
        let hash = try await passwords.hash(chosen)
        do {
            _ = try await CommandHandler<User>(context.store).handle(
                .changePassword, on: User.stream(caller.user), id: .v7(), requestHash: caller.session.bytes,
                metadata: metadata(caller.user, request)
            ) { [logins] _, _ in
                [
                    RowCall(
                        "change_password",
                        [
                            "userId": .uuid(caller.user), "passwordHash": .string(hash),
                            "checkedHash": .string(found.text(1)),
                        ]),
                    logins.ending(of: caller.user, but: caller.session),
                    AccountMails.Kind.passwordChanged.queueing(to: caller.user),
                ]
            }
        } catch AppendError.guarded("password-changed") {
            throw Problems.passwordChanged
        }
        outbox.wake()
        try await limits.clear(settings.limits.account, found.text(0))
        return .noContent
    }

    /// A new login session for a user who is there; an erased one gets none.
    func begin(_ user: UUID, _ request: Request) async throws -> UUID {
        let session = UUID.v4()
        do {
            try await context.store.append(
                Append(
                    id: .v7(), requestHash: [], metadata: metadata(user, request), writes: [],
                    calls: [logins.beginning(session, of: user)]))
        } catch AppendError.erased, AppendError.data("logins_user_id_fkey") {
            throw Problems.credentialsInvalid
        }
        return session
    }

    /// The answer that lets somebody in.
    func welcome(
        _ user: UUID, _ kind: AccessTokenClaims.Kind, _ session: UUID, status: Int, adding members: JSONObject = [:]
    ) async throws -> Response {
        var object: JSONObject = ["user": try await userJSON(user)]
        let tokens = try await tokens(of: user, kind, session, logins.firstToken(session))
        for (key, value) in tokens.members + members.members { object[key] = value }
        return answer(object, status: status)
    }
}
