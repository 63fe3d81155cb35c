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
            throw Problems.userGone
        }
        return answer(["user": try await userJSON(caller.user)])
    }

    /// Erases the caller here and everywhere. Answers the receipt: 200 when every service has confirmed, else 202; asking
    /// again changes nothing and answers it as it is then.
    func eraseMe(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let stream = User.stream(caller.user)
        let rows = try await context.owners.query(
            of: caller.user,
            """
            select (select count(*) from profiles where user_id = $1)
                + (select count(*) from credentials where user_id = $1)
                + (select count(*) from devices where user_id = $1) + (select count(*) from logins where user_id = $1)
                + (select count(*) from one_time_codes where user_id = $1)
                + (select count(*) from mail_outbox where owner = $1)
            """, [.uuid(caller.user)]
        ).rows[0].int(0)
        _ = try await CommandHandler<User>(context.store).handle(
            .erase(here: SubjectErased.Removed(rows: rows, objects: 0)), on: stream, id: .v7(),
            requestHash: caller.user.bytes, metadata: metadata(caller.user, request), thoughErased: true
        ) { _, events in
            guard !events.isEmpty else { return [] }
            return [
                RowCall("erase_subject", ["subject": .uuid(caller.user)]),
                RowCall("forget_user", ["userId": .uuid(caller.user)]),
            ] + MailOutbox.forgetting(caller.user)
        }
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
            guard user.phase == .erased else { throw Problems.notErased }
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
