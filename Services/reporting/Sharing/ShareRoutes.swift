import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit

/// How people show a report to others (`docs/sharing.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `POST /v1/reports/{sessionId}/shares` `{parts?, expiresIn?, expiresAt?, maxViews?, firstName?}` | makes a link, which only this answer has |
/// | `GET /v1/reports/{sessionId}/shares` | the shares of a report, newest first |
/// | `GET /v1/shares` | all of the caller's, newest first |
/// | `DELETE /v1/shares/{id}` | takes a link back |
/// | `POST /v1/shared` `{token}` | the card, for whoever has the link; counts a view |
@Loop struct ShareRoutes {
    private static let members = ["parts", "expiresIn", "expiresAt", "maxViews", "firstName"]
    /// Of a token, in bytes.
    private static let tokenBytes = 32
    /// The longest text that is looked for, in bytes.
    private static let longestToken = 256

    private let context: ServiceContext
    private let cards: SharedCards

    init(_ context: ServiceContext, _ cards: SharedCards) {
        self.context = context
        self.cards = cards
    }

    private var commands: CommandHandler<Shares> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/reports/{sessionId}/shares", share)
        callers.on("GET", "/v1/reports/{sessionId}/shares", ofReport)
        callers.on("GET", "/v1/shares", all)
        callers.on("DELETE", "/v1/shares/{id}", revoke)
        // Whoever has the link may. It counts, so it is no GET, and in a body a token is in nobody's log.
        router.on("POST", "/v1/shared", show)
    }

    // MARK: Sharing

    private func share(_ request: Request, _ caller: Caller) async throws -> Response {
        let session = try request.id("sessionId")
        let body = try await request.jsonObject()
        try body.allow(Self.members)
        let report = try await content(of: session, caller)
        let id = context.hashes.commandID(request, owner: caller.user)
        let hash = context.hashes.hash(body.adding(["sessionId": .uuid(session)]))
        // The share's id follows from the key, so that a repeat finds the same one.
        let shareId = UUID.v5(namespace: id, name: "share")
        if try await context.store.receipt(id: id, requestHash: hash) != nil {
            return try await answer(shareId, caller, link: nil)
        }
        let share = try Self.share(body, shareId, session, at: .now())
        let firstName = try body.optionalString("firstName").map { (text) throws(Problem) in
            guard let name = ShareCard.name(text) else { throw Problem(.shareImpossible) }
            return name
        }
        let card = ShareCard(report, share.parts, firstName: firstName)
        guard !card.isEmpty else { throw Problem(.shareEmpty) }
        let token = Base64URL.encode(SecureRandom.bytes(Self.tokenBytes))
        let loaded = try await commands.load(Shares.stream(caller.user))
        let outcome = try await commands.handle(
            .share(
                ownerId: caller.user, share, over: try await over(loaded.state, caller),
                tokenHash: SharedCards.hash(token), card: card.json),
            on: Shares.stream(caller.user), from: loaded, id: id, requestHash: hash,
            metadata: request.metadata(owner: caller.user))
        // Of two that came at once with one key, one made the link.
        return try await answer(shareId, caller, link: outcome.events.isEmpty ? nil : link(token))
    }

    /// A token behind `#` stays in the browser: no server, proxy or log between the viewer and the page's script gets it, and no page that
    /// is opened from the card.
    private func link(_ token: String) -> String { "\(context.settings.publicURL)/shared#\(token)" }

    /// What a request asks for.
    ///
    /// - Throws: the problem `share-impossible`, or `JSONError`.
    private static func share(
        _ body: JSONObject, _ id: UUID, _ session: UUID, at now: Timestamp
    ) throws -> Share {
        let seconds = try body.optionalInt("expiresIn")
        let end = try body.optionalTimestamp("expiresAt")
        guard seconds == nil || end == nil, seconds.map(Share.lifetimes.contains) ?? true else {
            throw Problem(.shareImpossible)
        }
        var parts = Share.Part.allCases
        if let wanted = body["parts"], wanted != .null {
            parts = try (wanted.arrayValue ?? []).map { value in
                guard let part = value.stringValue.flatMap({ Share.Part(rawValue: $0) }) else {
                    throw Problem(.shareImpossible)
                }
                return part
            }
        }
        let share = Share(
            shareId: id, sessionId: session, parts: parts, maxViews: try body.optionalInt("maxViews") ?? Share.views,
            sharedAt: now, expiresAt: end ?? now.adding(seconds: seconds ?? Share.lifetime))
        guard share.isPossible else { throw Problem(.shareImpossible) }
        return share
    }

    /// A report of the caller's.
    ///
    /// - Throws: the problem `not-found`, `PostgresError`, `JSONError` for a row that cannot be read.
    private func content(of session: UUID, _ caller: Caller) async throws -> JSONObject {
        let row = try await context.owners.query(
            of: caller.user, "select content from reports where session_id = $1 and owner_id = $2",
            [.uuid(session), .uuid(caller.user)]
        ).first
        guard let row else { throw Problem.notFound }
        let bytes = row.bytes(0)
        // It may be long; of most of it nothing is wanted here.
        return try await Offload.shared.run { try JSONObject.parse(bytes) }
    }

    /// Those of the kept shares that show nothing any more.
    private func over(_ shares: Shares, _ caller: Caller) async throws -> Set<UUID> {
        let open = try await context.owners.query(
            of: caller.user, "select share_id from report_shares where owner_id = $1 and views < max_views",
            [.uuid(caller.user)]
        ).rows.map { $0.uuid(0) }
        return Set(shares.kept.keys).subtracting(open)
    }

    private func answer(_ share: UUID, _ caller: Caller, link: String?) async throws -> Response {
        // It was made, and taken back before the repeat.
        guard let row = try await rows("share_id = $2", .uuid(share), caller).first else { throw Problem.notFound }
        return .json(.object(try Self.json(row).adding(["link": .optional(link)])), status: 201)
    }

    private func revoke(_ request: Request, _ caller: Caller) async throws -> Response {
        try await commands.put(
            .revoke(ownerId: caller.user, shareId: try request.id("id")), on: Shares.stream(caller.user),
            by: caller.user, request)
        return .noContent
    }

    // MARK: Looking

    private func ofReport(_ request: Request, _ caller: Caller) async throws -> Response {
        let session = try request.id("sessionId")
        let report = try await context.owners.query(
            of: caller.user, "select true from reports where session_id = $1 and owner_id = $2",
            [.uuid(session), .uuid(caller.user)]
        ).first
        guard report != nil else { throw Problem.notFound }
        return .json(["items": .array(try await rows("session_id = $2", .uuid(session), caller).map(Self.item))])
    }

    private func all(_ request: Request, _ caller: Caller) async throws -> Response {
        .json(["items": .array(try await rows("$2", .bool(true), caller).map(Self.item))])
    }

    /// From the rows that are committed with the events, so that a client reads its own writes.
    private func rows(_ condition: String, _ value: PostgresValue, _ caller: Caller) async throws -> [PostgresRow] {
        Array(
            try await context.owners.query(
                of: caller.user,
                """
                select share_id, session_id, parts, card, views, max_views, created_at, expires_at,
                    expires_at <= clock_timestamp()
                from report_shares where owner_id = $1 and \(condition) order by created_at desc, share_id
                """, [.uuid(caller.user), value]
            ).rows)
    }

    private static func item(_ row: PostgresRow) throws -> JSONValue { .object(try json(row)) }

    private static func json(_ row: PostgresRow) throws -> JSONObject {
        let standing = row.bool(8) ? "expired" : row.int(4) < row.int(5) ? "open" : "used-up"
        return [
            "shareId": .uuid(row.uuid(0)), "sessionId": .uuid(row.uuid(1)), "parts": try JSONValue.parse(row.bytes(2)),
            "card": try JSONValue.parse(row.bytes(3)), "views": .int(row.int(4)), "maxViews": .int(row.int(5)),
            "createdAt": .time(row.time(6)), "expiresAt": .time(row.time(7)), "standing": .string(standing),
        ]
    }

    // MARK: Showing

    private func show(_ request: Request) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("token")
        let token = try body.string("token")
        try await cards.take(request.clientNetworks)
        // What cannot be a token is looked for all the same, so that nothing but the answer tells one from another.
        guard token.utf8.count <= Self.longestToken, let card = try await cards.card(token) else {
            throw Problem(.shareUnknown)
        }
        return .json(.object(card))
    }
}
