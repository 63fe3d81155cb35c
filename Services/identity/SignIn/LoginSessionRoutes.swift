import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// The caller's login sessions: what there is, and their end. None asks anew who the caller is, because what protects must
/// be easy.
@Loop struct LoginSessionRoutes {
    private let logins: LoginSessions
    private let eviction: EmailChangeEviction
    private let outbox: MailOutbox
    private let security: SecurityLog

    init(_ context: ServiceContext, _ settings: AccessSettings, _ outbox: MailOutbox) {
        logins = LoginSessions(context.store, settings)
        eviction = EmailChangeEviction(context.store, settings)
        self.outbox = outbox
        security = context.security
    }

    /// All of them, the one that was used last first. There are never many.
    func list(_ request: Request, _ caller: Caller) async throws -> Response {
        let items = try await logins.list(of: caller.user).map { login -> JSONValue in
            [
                "id": .uuid(login.session), "current": .bool(login.session == caller.session),
                "device": .optional(login.device), "createdAt": .time(login.begunAt),
                "lastUsedAt": .time(login.usedAt), "expiresAt": .time(login.expiresAt),
            ]
        }
        return .personal(["items": .array(items)])
    }

    /// Ends one. With another than the one that asks, the address is given up that it asked for; the own one is signed out.
    func end(_ request: Request, _ caller: Caller) async throws -> Response {
        let session = try request.id("id")
        if session == caller.session {
            try await logins.signOut(caller, request)
            return .noContent
        }
        let metadata = request.metadata(owner: caller.user)
        var isWithdrawn = false
        do {
            let isThere = try await logins.end(session, by: caller) { ends in
                let change = try await eviction.outcome(for: caller.user, of: session)
                isWithdrawn = change.isWithdrawn
                return Append(
                    id: .v7(), requestHash: [], metadata: metadata, decisions: change.decisions + ends,
                    calls: [caller.stands] + change.calls)
            }
            guard isThere else { throw Problem.notFound }
        } catch AppendError.erased {
            throw Problem.userGone
        }
        if isWithdrawn { noteWithdrawn(caller, request) }
        return .noContent
    }

    /// Ends all but the one that asks, and gives up another address that one of the others asked for.
    func endOthers(_ request: Request, _ caller: Caller) async throws -> Response {
        try await end(but: caller.session, request, caller)
    }

    /// Ends all, the one that asks with them.
    func endAll(_ request: Request, _ caller: Caller) async throws -> Response {
        try await end(but: nil, request, caller)
    }

    /// Ends the one that asks.
    func endOwn(_ request: Request, _ caller: Caller) async throws -> Response {
        try await logins.signOut(caller, request)
        return .noContent
    }

    private func end(but kept: UUID?, _ request: Request, _ caller: Caller) async throws -> Response {
        let metadata = request.metadata(owner: caller.user)
        var isWithdrawn = false
        try await logins.end(of: caller.user, but: kept, because: .signedOut, metadata) { ends, noOther in
            let change = try await eviction.outcome(for: caller.user, but: kept)
            isWithdrawn = change.isWithdrawn
            return Append(
                id: .v7(), requestHash: [], metadata: metadata, decisions: change.decisions + ends,
                calls: [noOther] + change.calls
            ).adding(first: [caller.stands])
        }
        if isWithdrawn { noteWithdrawn(caller, request) }
        return .noContent
    }

    private func noteWithdrawn(_ caller: Caller, _ request: Request) {
        security.note(.emailChangeWithdrawn, of: caller.user, request)
        outbox.wake()
    }
}
