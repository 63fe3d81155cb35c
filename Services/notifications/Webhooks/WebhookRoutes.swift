import Crypto
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Where an account is told what happened, by HTTP requests that are signed (`docs/webhooks.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `POST /v1/webhooks/endpoints` `{url, kinds}` | adds an endpoint; its secret, which only this answer has |
/// | `GET /v1/webhooks/endpoints` | the caller's, newest first |
/// | `DELETE /v1/webhooks/endpoints/{id}` | removes one, with all that is to be sent to it |
/// | `POST /v1/webhooks/endpoints/{id}/rotate` | another secret; the one before counts a day longer |
/// | `POST /v1/webhooks/endpoints/{id}/test` | sends `endpoint.test` |
/// | `GET /v1/webhooks/endpoints/{id}/deliveries` `?limit=&cursor=` | what was or is to be sent to one, newest first |
/// | `POST /v1/webhooks/deliveries/{id}/replay` | sends something once more |
@Loop struct WebhookRoutes {
    /// For how long a secret counts beside the one that comes after it.
    private static let overlap = Duration.seconds(86_400)
    private static let unseen: Headers = ["Cache-Control": "no-store"]

    private let context: ServiceContext
    private let settings: NotificationsSettings
    private let sealing: WebhookSealing
    private let queue: WebhookQueue

    init(_ context: ServiceContext, _ settings: NotificationsSettings) {
        self.context = context
        self.settings = settings
        sealing = WebhookSealing(keys: settings.sealing)
        queue = WebhookQueue(pool: context.store.pool)
    }

    private var commands: CommandHandler<Webhooks> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/webhooks/endpoints", addEndpoint)
        callers.on("GET", "/v1/webhooks/endpoints", endpoints)
        callers.on("DELETE", "/v1/webhooks/endpoints/{id}", remove)
        callers.on("POST", "/v1/webhooks/endpoints/{id}/rotate", rotate)
        callers.on("POST", "/v1/webhooks/endpoints/{id}/test", test)
        callers.on("GET", "/v1/webhooks/endpoints/{id}/deliveries", deliveries)
        callers.on("POST", "/v1/webhooks/deliveries/{id}/replay", replay)
    }

    // MARK: Endpoints

    private func addEndpoint(_ request: Request, _ caller: Caller) async throws -> Response {
        guard !caller.isDevice else { throw Problem(.accountNeeded) }
        let body = try await request.jsonObject()
        try body.allow("url", "kinds")
        let address = try body.string("url")
        let kinds = try Self.kinds(try body.array("kinds"))
        let id = context.hashes.commandID(request, owner: caller.user)
        let hash = context.hashes.hash(body)
        // The endpoint's id follows from the key, so that a repeat finds the same one.
        let endpointId = UUID.v5(namespace: id, name: "webhook-endpoint")
        if try await context.store.receipt(id: id, requestHash: hash) != nil {
            return try await answer(endpointId, caller, secret: nil)
        }
        guard WebhookAddress.isAcceptable(address, isLocalAllowed: settings.allowsLocalReceivers) else {
            throw Problem(.webhookImpossible)
        }
        let secret = WebhookSecret(SecureRandom.bytes(WebhookSecret.length))
        let sealed = SealedEndpoint(
            address: try sealing.seal(address: address, of: endpointId),
            secret: try sealing.seal(secret, of: endpointId))
        let outcome = try await commands.handle(
            .add(
                ownerId: caller.user, WebhookEndpoint(endpointId: endpointId, kinds: kinds, addedAt: .now()),
                sealed: sealed),
            on: Webhooks.stream(caller.user), id: id, requestHash: hash, metadata: request.metadata(owner: caller.user))
        // Of two that came at once with one key, one made the secret.
        return try await answer(endpointId, caller, secret: outcome.events.isEmpty ? nil : secret)
    }

    private static func kinds(_ values: [JSONValue]) throws(Problem) -> Set<NoticeKind> {
        guard let kinds = try? WebhookEndpoint.kinds(values), !kinds.isEmpty, !kinds.contains(.test) else {
            throw Problem(.webhookImpossible)
        }
        return kinds
    }

    private func answer(_ endpoint: UUID, _ caller: Caller, secret: WebhookSecret?) async throws -> Response {
        // It was added, and removed before the repeat.
        guard let row = try await rows("endpoint_id = $2", .uuid(endpoint), caller).first else {
            throw Problem.notFound
        }
        return .json(
            .object(try json(row).adding(["secret": .optional(secret?.text)])), status: 201, headers: Self.unseen)
    }

    private func endpoints(_ request: Request, _ caller: Caller) async throws -> Response {
        let items = try await rows("$2", .bool(true), caller).map { JSONValue.object(try json($0)) }
        return .json(["items": .array(items)], headers: Self.unseen)
    }

    /// From the rows that are committed with the events, so that a client reads its own writes.
    private func rows(_ condition: String, _ value: PostgresValue, _ caller: Caller) async throws -> [PostgresRow] {
        Array(
            try await context.owners.query(
                of: caller.user,
                """
                select endpoint_id, address, array_to_string(kinds, ','), added_at, ended, failing_since
                from webhook_endpoints where owner_id = $1 and \(condition) order by added_at desc, endpoint_id
                """, [.uuid(caller.user), value]
            ).rows)
    }

    private func json(_ row: PostgresRow) throws -> JSONObject {
        let id = row.uuid(0)
        return [
            "endpointId": .uuid(id), "url": .string(try sealing.address(row.bytes(1), of: id)),
            "kinds": .array(row.text(2).split(separator: ",").map { .string(String($0)) }),
            "addedAt": .time(row.time(3)),
            "standing": .string(row.optional(4, PostgresRow.text) ?? "told"),
            "failingSince": .optional(row.optional(5, PostgresRow.time)),
        ]
    }

    private func remove(_ request: Request, _ caller: Caller) async throws -> Response {
        try await commands.put(
            .remove(ownerId: caller.user, endpointId: try request.id("id")), on: Webhooks.stream(caller.user),
            by: caller.user, request)
        return .noContent
    }

    private func rotate(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let secret = WebhookSecret(SecureRandom.bytes(WebhookSecret.length))
        let until = Timestamp.now() + Self.overlap
        try await commands.put(
            .rotate(
                ownerId: caller.user, endpointId: id, secret: try sealing.seal(secret, of: id), until: until),
            on: Webhooks.stream(caller.user), by: caller.user, request)
        return .json(
            ["endpointId": .uuid(id), "secret": .string(secret.text), "earlierUntil": .time(until)],
            headers: Self.unseen)
    }

    // MARK: Deliveries

    private func test(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try await told(try request.id("id"), caller)
        guard try await queue.tests(of: caller.user) < WebhookQueue.testsPerHour else {
            throw Problem(.webhookTestsUsedUp, headers: ["Retry-After": "3600"])
        }
        let notice = Notice(
            noticeId: .v7(), kind: .test, happenedAt: .now(), content: ["endpointId": .uuid(id)])
        _ = try await CommandHandler<Notice>(context.store).put(
            .raise(ownerId: caller.user, notice, to: [id]), on: Notice.stream(notice.noticeId), by: caller.user, request
        )
        return .json(["deliveryId": .uuid(notice.deliveryId(to: id))], status: 202)
    }

    /// An endpoint of the caller's that is told.
    ///
    /// - Throws: the problems `not-found` and `webhook-disabled`, `PostgresError`.
    private func told(_ endpoint: UUID, _ caller: Caller) async throws -> UUID {
        guard let row = try await rows("endpoint_id = $2", .uuid(endpoint), caller).first else {
            throw Problem.notFound
        }
        guard row.optional(4, PostgresRow.text) == nil else { throw Problem(.webhookDisabled) }
        return endpoint
    }

    private func deliveries(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        guard try await !rows("endpoint_id = $2", .uuid(id), caller).isEmpty else { throw Problem.notFound }
        return try await Page(request).answer(
            of: caller.user, context.owners,
            """
            select delivery_id, kind, happened_at, queued_at, state, attempts::bigint, due_at, tried_at, status::bigint, failure
            from webhook_deliveries
            where owner_id = $1 and endpoint_id = $5 and ($2::timestamptz is null or (queued_at, delivery_id) < ($2, $3::uuid))
            order by queued_at desc, delivery_id desc limit $4
            """, [.uuid(id)], place: (3, 0)
        ) { row in
            [
                "deliveryId": .uuid(row.uuid(0)), "kind": .string(row.text(1)), "happenedAt": .time(row.time(2)),
                "queuedAt": .time(row.time(3)), "state": .string(row.text(4)), "attempts": .int(row.int(5)),
                "dueAt": .optional(row.optional(6, PostgresRow.time)),
                "triedAt": .optional(row.optional(7, PostgresRow.time)),
                "status": .optional(row.optional(8, PostgresRow.int)),
                "failure": .optional(row.optional(9, PostgresRow.text)),
            ]
        }
    }

    private func replay(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let row = try await context.owners.query(
            of: caller.user, "select endpoint_id from webhook_deliveries where owner_id = $1 and delivery_id = $2",
            [.uuid(caller.user), .uuid(id)]
        ).first
        guard let row else { throw Problem.notFound }
        _ = try await told(row.uuid(0), caller)
        guard try await queue.replay(id, of: caller.user) else { throw Problem.notFound }
        return .json(["deliveryId": .uuid(id)], status: 202)
    }
}
