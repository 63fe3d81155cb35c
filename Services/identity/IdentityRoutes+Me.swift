import Access
import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The caller's own profile and its erasure.
extension IdentityRoutes {
    func me(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        return answer(["user": try await userJSON(caller.user)])
    }

    func changeMe(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let body = try await request.jsonObject()
        try body.allow("displayName", "timeZone")
        var change: JSONObject = ["userId": .uuid(caller.user)]
        if body["displayName"] != nil {
            change["displayName"] = .optional(try DisplayName.checked(body.optionalString("displayName")))
        }
        let timeZone = try body.optionalString("timeZone")
        if let timeZone {
            try await context.zones.check(timeZone)
            change["timeZone"] = .string(timeZone)
        }
        let metadata = metadata(caller.user, request)
        do {
            if let timeZone {
                _ = try await CommandHandler<User>(context.store).handle(
                    .changeTimeZone(timeZone), on: User.stream(caller.user), id: .v7(),
                    requestHash: caller.session.bytes, metadata: metadata
                ) { _, _ in [RowCall("change_profile", change)] }
            } else {
                try await context.store.append(
                    Append(
                        id: .v7(), requestHash: [], metadata: metadata, writes: [],
                        calls: [RowCall("change_profile", change)]))
            }
        } catch AppendError.erased, AppendError.guarded("user-unknown") {
            throw Problem.userGone
        }
        return answer(["user": try await userJSON(caller.user)])
    }

    /// Erases the caller here and everywhere. Answers the receipt: 200 when every service has confirmed, else 202; asking
    /// again changes nothing and answers it as it is then.
    func eraseMe(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        try await UserErasure(context.store).erase(caller.user, metadata: metadata(caller.user, request))
        outbox.wake()
        return try await receipt(caller.user, waiting: settings.erasureWait)
    }

    /// The receipt of an erasure, as long as the access token is valid.
    func erasure(_ request: Request) async throws -> Response {
        try await receipt(context.tokens.caller(of: request).user, waiting: .zero)
    }

    private func receipt(_ id: UUID, waiting: Duration) async throws -> Response {
        let stream = User.stream(id)
        let deadline = monotonicNanoseconds() + waiting.nanosecondsClamped
        while true {
            let mark = context.store.head.position
            let user = try await CommandHandler<User>(context.store).load(stream).state
            guard user.phase == .erased else {
                throw Problem(.notFound, detail: "There is no erasure; DELETE /v1/me erases the user.")
            }
            let left = deadline - monotonicNanoseconds()
            if user.isFullyErased || left <= 0 { return receipt(user, id) }
            try await context.store.head.wait(for: stream, since: mark, atMost: .nanoseconds(left))
        }
    }

    private func receipt(_ user: User, _ id: UUID) -> Response {
        let services = ServiceName.allCases.map { service -> JSONValue in
            let removed = user.confirmations[service.rawValue]
            return [
                "service": .string(service.rawValue), "state": removed == nil ? "open" : "done",
                "removed": removed.map { .object($0.json) } ?? .null,
            ]
        }
        return answer(
            [
                "erasure": [
                    "userId": .uuid(id), "complete": .bool(user.isFullyErased), "services": .array(services),
                ]
            ], status: user.isFullyErased ? 200 : 202)
    }
}
