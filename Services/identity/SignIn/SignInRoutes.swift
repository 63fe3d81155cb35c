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

/// Signing in and out, and what keeps somebody signed in.
@Loop struct SignInRoutes {
    private let tokens: TokenVerifier
    private let security: SecurityLog
    private let credentials: Credentials
    private let logins: LoginSessions
    private let eviction: EmailChangeEviction
    private let warnings: OwnerWarnings
    private let outbox: MailOutbox
    private let answers: LoginAnswers
    private let entry: AccountEntry
    private let handovers: DeviceHandovers
    private let cookie: RefreshCookie

    init(
        _ context: ServiceContext, _ settings: AccessSettings, _ credentials: Credentials,
        _ warnings: OwnerWarnings, _ outbox: MailOutbox, _ answers: LoginAnswers, _ entry: AccountEntry
    ) {
        self.warnings = warnings
        self.outbox = outbox
        tokens = context.tokens
        security = context.security
        self.credentials = credentials
        logins = LoginSessions(context.store, settings)
        eviction = EmailChangeEviction(context.store, settings)
        self.answers = answers
        self.entry = entry
        handovers = DeviceHandovers(context, settings)
        cookie = RefreshCookie(publicURL: context.settings.publicURL)
    }

    func signIn(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow(["email", "password", "deviceName"] + DeviceHandovers.members)
        let email = try EmailAddress(body.string("email"))
        let deviceName = try DeviceName.of(request, body)
        let password = try body.string("password")
        let shown = try await handovers.shown(body, request)
        return try await signIn(email, password: password, on: deviceName, bringing: shown, request)
    }

    /// Lets in who knows the password.
    ///
    /// - Throws: a problem 401 for a wrong one, 429; as `AccountEntry.enter`.
    func signIn(
        _ email: EmailAddress, password: String, on deviceName: String?, bringing shown: DeviceHandovers.Shown? = nil,
        _ request: Request
    ) async throws -> Response {
        let account = try await security.watching(request, of: credentials.user(of: email)) {
            try await credentials.open(email, password: password, request)
        }
        return try await entry.enter(account.factor, on: deviceName, bringing: shown, request, status: 200)
    }

    /// Gives new tokens for a refresh token.
    ///
    /// A refusal leaves the cookie alone: when it arrives late, the browser may have another one by then, of a newer login session. One
    /// whose login session is over opens nothing.
    func refresh(_ request: Request) async throws -> Response {
        guard let token = try await refreshToken(of: request) else { throw Problem(.refreshTokenInvalid) }
        return try await refresh(token, request)
    }

    /// Gives new tokens for a refresh token of this surface.
    ///
    /// - Throws: a problem 401 for one that is over, was used before, or belongs to somebody who is not let in any more.
    func refresh(_ token: String, _ request: Request) async throws -> Response {
        let place = answers.refreshTokenPlace(of: request)
        let rotation = try await logins.rotate(token, in: place) { session, user in
            try await endReused(session, of: user, request)
        }
        // Natively a repeat is of the same moment; elsewhere it may be of anybody who has the token.
        if rotation.isRepeat, place == .compatible {
            security.note(.refreshTokenRepeated, of: rotation.user, request)
        }
        if rotation.hasAccount {
            do {
                try await entry.keep(rotation.user)
            } catch let problem as Problem {
                try await logins.signOut(rotation.refreshToken, in: place, request)
                throw problem
            }
        }
        return try await answers.next(rotation, request)
    }

    /// Ends a login session whose refresh token came back, with another address that it asked for: whoever has the copy may have asked.
    private func endReused(_ session: UUID, of user: UUID, _ request: Request) async throws {
        security.note(.refreshTokenReused, of: user, request)
        let mail = try await warnings.mail(.refreshTokenReused, to: user)
        let metadata = request.metadata(owner: user)
        var isWithdrawn = false
        do {
            try await logins.end(session, because: .tokenReused) { ends in
                let change = try await eviction.outcome(for: user, of: session)
                isWithdrawn = change.isWithdrawn
                // The mail goes with the end, and not with a repeat of it.
                return Append(
                    id: .v7(), requestHash: session.bytes, metadata: metadata, decisions: change.decisions + ends,
                    calls: change.calls + (ends.isEmpty ? [] : mail))
            }
        } catch AppendError.erased {
            // It went with its user.
            return
        } catch is UserRefusal {
            return
        }
        if isWithdrawn { security.note(.emailChangeWithdrawn, of: user, request) }
        outbox.wake()
    }

    /// Ends a login session: the refresh token's, or the access token's when none is sent. What is over already is fine; to a
    /// page, which cannot see whether it still has a cookie, so is that there was none.
    func signOut(_ request: Request) async throws -> Response {
        let place = request.refreshTokenPlace
        let token = try await refreshToken(of: request)
        if let token {
            try await logins.signOut(token, in: place, request)
        } else if place == .body || request.headers["Authorization"] != nil {
            try await logins.signOut(tokens.bearer(of: request), request)
        }
        var response = Response.noContent
        // Where none came there was none to clear, and a newer one may have come into being meanwhile.
        if place == .cookie, token != nil { cookie.clear(in: &response.headers) }
        return response
    }

    /// The refresh token of a request, where its client keeps it; a body that may not have one has no member at all.
    private func refreshToken(of request: Request) async throws -> String? {
        let body = try await request.jsonObject()
        switch request.refreshTokenPlace {
        case .body, .compatible:
            try body.allow("refreshToken")
            return try body.optionalString("refreshToken")
        case .cookie:
            try body.allow()
            return cookie.token(of: request)
        }
    }
}
