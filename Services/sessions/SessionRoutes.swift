import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What clients do with sessions.
@Loop final class SessionRoutes {
    let context: ServiceContext
    let settings: SessionsSettings
    let objects: any ObjectStore
    let address: UploadAddress
    let commands: CommandHandler<Session>

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ objects: any ObjectStore) {
        self.context = context
        self.settings = settings
        self.objects = objects
        address = UploadAddress(
            key: settings.uploadKey, publicURL: context.settings.publicURL, lifetime: settings.addressLifetime)
        commands = CommandHandler(context.store)
    }

    func add(to router: Router) {
        router.on("POST", "/v1/sessions", create)
        router.on("GET", "/v1/sessions", list)
        router.on("GET", "/v1/sessions/{id}", read)
        router.on("GET", "/v1/sessions/{id}/events", follow)
        router.on("POST", "/v1/sessions/{id}/finalize", finalize)
        router.on("POST", "/v1/sessions/{id}/cancel", cancel)
        router.on("DELETE", "/v1/sessions/{id}", delete)
    }

    // MARK: Creating

    private func create(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        guard RequestHashes.idempotencyKey(request) != nil else {
            throw Problem(.idempotencyKeyMissing)
        }
        let body = try await request.jsonObject()
        let wish = try SessionCreationRequest(
            body, uploadLimit: settings.uploadLimit, ownersZone: caller.timeZone)
        if body["timeZone"] != nil { try await context.zones.check(wish.timeZone) }
        let command = context.hashes.commandID(request, owner: caller.user)
        // The session's id follows from the key, so that a repeat finds the same session whatever happened in between.
        let session = SessionIdentity(
            sessionId: UUID.v5(namespace: command, name: "session"), ownerId: caller.user, kind: wish.kind)
        let now = Timestamp.now()
        let creation = SessionCreation(
            timeZone: wish.timeZone, createdAt: now, expiresAt: now + settings.sessionLifetime,
            contentType: wish.contentType, contentLength: wish.contentLength, sha256: wish.sha256,
            maxDurationSeconds: wish.maxDurationSeconds, replaces: wish.replaces)
        try await append(
            session, creation, command, context.hashes.hash(JSONValue.object(body).bytes), metadata(request, caller))
        return try await answer(session.sessionId, caller)
    }

    private func append(
        _ session: SessionIdentity, _ creation: SessionCreation, _ command: UUID, _ hash: [UInt8],
        _ metadata: EventMetadata
    ) async throws {
        if try await context.store.receipt(id: command, requestHash: hash) != nil { return }
        let stream = Session.stream(session.sessionId)
        guard let replaced = creation.replaces else {
            _ = try await commands.handle(
                .create(session, creation), on: stream, id: command, requestHash: hash, metadata: metadata)
            return
        }
        for round in 1... {
            let old = try await commands.load(Session.stream(replaced))
            let known = try await commands.load(stream)
            let (ending, beginning) = try Session.replace(old.state, with: session, creation, known: known.state)
            let append = Append(
                id: command, requestHash: hash, metadata: metadata,
                writes: [
                    StreamWrite(
                        Session.stream(replaced), expectedVersion: old.version, events: ending.map(NewEvent.init)),
                    StreamWrite(stream, expectedVersion: known.version, events: beginning.map(NewEvent.init)),
                ], calls: SessionsService.rows(ending))
            do throws(AppendError) {
                try await context.store.append(append)
                return
            } catch {
                guard case .conflict = error, round < 8 else { throw error }
            }
        }
    }

    /// Waits a bounded time for quota's decision.
    private func answer(_ id: UUID, _ caller: Caller) async throws -> Response {
        let deadline = monotonicNanoseconds() + settings.quotaWait.nanosecondsClamped
        while true {
            let mark = context.store.head.position
            let view = try await SessionView.read(context.store, id, of: caller.user)
            let left = deadline - monotonicNanoseconds()
            if view.row.status == .queued, left > 0 {
                try await context.store.head.wait(
                    for: Session.stream(id), since: mark, atMost: .nanoseconds(left))
                continue
            }
            if let refusal = view.row.refusal { throw refusal.problem }
            return .json(
                view.json(address), status: view.row.status == .queued ? 202 : 201,
                headers: ["Location": "/v1/sessions/\(id)"])
        }
    }

    // MARK: Reading

    private func read(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let view = try await SessionView.read(context.store, try id(request), of: caller.user)
        return .json(view.json(address), headers: ["ETag": "\"\(view.version)\""])
    }

    private func list(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let limit = request.query("limit").flatMap { Int64($0) } ?? 20
        guard (1...100).contains(limit) else { throw Problem.invalidRequest("limit must lie between 1 and 100.") }
        var before = PostgresValue.null
        var beforeKey = PostgresValue.null
        if let cursor = request.query("cursor") {
            guard let text = Base64URL.decode(cursor).flatMap({ String(validating: $0, as: UTF8.self) }),
                let split = text.firstIndex(of: " "), let time = Int64(text[..<split])
            else { throw Problem.invalidRequest("cursor must be a nextCursor of an earlier answer.") }
            before = .time(Timestamp(microseconds: time))
            beforeKey = .text(String(text[text.index(after: split)...]))
        }
        let rows = try await context.owners.query(
            of: caller.user,
            """
            select row_to_json(s), s.created_at, s.key from session_list s
            where owner_id = $1 and ($2::timestamptz is null or (created_at, key) < ($2, $3::text))
            order by created_at desc, key desc limit $4
            """, [.uuid(caller.user), before, beforeKey, .int(limit + 1)]
        ).rows
        var answer: JSONObject = [
            "items": .array(
                try rows.prefix(Int(limit)).map { row in
                    .object(SessionView.json(try SessionList.decode(JSONObject.parse(row.bytes(0)))))
                })
        ]
        if rows.count > Int(limit) {
            let last = rows[Int(limit) - 1]
            answer["nextCursor"] = .string(
                Base64URL.encode(Array("\(last.time(1).microseconds) \(last.text(2))".utf8)))
        }
        return .json(.object(answer))
    }

    /// Server-sent events: the session after each change, closed after its ending. The id is the stream's version.
    private func follow(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let id = try id(request)
        _ = try await SessionView.read(context.store, id, of: caller.user)
        let last = request.headers["last-event-id"].flatMap { Int64($0) } ?? 0
        return .events { writer in
            var sent = last
            while true {
                let mark = self.context.store.head.position
                let view: SessionView
                do {
                    view = try await SessionView.read(self.context.store, id, of: caller.user)
                } catch is Problem {
                    try await writer.event(name: "gone", data: "{}")
                    return
                }
                if view.version > sent || sent == last && view.row.status.isFinal {
                    sent = view.version
                    try await writer.event(id: "\(sent)", name: "session", data: view.json(self.address).text)
                }
                if view.row.status.isFinal || writer.isDraining { return }
                let before = monotonicNanoseconds()
                try await self.context.store.head.wait(
                    for: Session.stream(id), since: mark, atMost: .seconds(15))
                if monotonicNanoseconds() - before >= 14_000_000_000 { try await writer.heartbeat() }
            }
        }
    }

    // MARK: Common

    func id(_ request: Request) throws -> UUID {
        guard let id = request.parameters["id"].flatMap({ UUID($0) }) else { throw Problem.notFound }
        return id
    }

    func metadata(_ request: Request, _ caller: Caller) -> EventMetadata {
        EventMetadata(
            owner: caller.user, correlation: .v7(), actor: caller.user.description,
            traceparent: request.trace.traceparent)
    }
}
