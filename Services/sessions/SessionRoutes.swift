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
import Uploads

/// What clients do with sessions.
@Loop final class SessionRoutes {
    let context: ServiceContext
    let settings: SessionsSettings
    let objects: any ObjectStore
    let links: SignedLinks
    let commands: CommandHandler<Session>

    init(
        _ context: ServiceContext, _ settings: SessionsSettings, _ objects: any ObjectStore, _ links: SignedLinks
    ) {
        self.context = context
        self.settings = settings
        self.objects = objects
        self.links = links
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
                json(view), status: view.row.status == .queued ? 202 : 201,
                headers: ["Location": "/v1/sessions/\(id)"])
        }
    }

    // MARK: Reading

    private func read(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let view = try await SessionView.read(context.store, try id(request), of: caller.user)
        let json = json(view)
        // The upload's address is another one each time, so only what has none stays as it was.
        let tag = "\"\(view.version)\(json["upload"]?["expiresAt"]?.stringValue.map { "-\($0)" } ?? "")\""
        let headers: Headers = ["ETag": tag, "Cache-Control": "private, no-cache"]
        return request.has(tag) ? Response(status: 304, headers: headers) : .json(json, headers: headers)
    }

    private func list(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let page = try Page(request)
        let rows = try await context.owners.query(
            of: caller.user,
            """
            select row_to_json(s), s.created_at, s.key::uuid from session_list s
            where owner_id = $1 and ($2::timestamptz is null or (created_at, key) < ($2, $3::uuid::text))
            order by created_at desc, key desc limit $4
            """, [.uuid(caller.user)] + page.parameters)
        return .json(
            .object(
                try page.answer(rows, place: (1, 2)) { row in
                    .object(SessionView.json(try SessionList.decode(JSONObject.parse(row.bytes(0)))))
                }), headers: ["Cache-Control": "private, no-cache"])
    }

    /// Server-sent events: the session after each change, closed after its ending. The id is the stream's version.
    private func follow(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let id = try id(request)
        return try await context.store.following(
            Session.stream(id), of: request, name: "session", heartbeat: settings.heartbeat
        ) { [self] in
            let view = try await SessionView.read(context.store, id, of: caller.user)
            return Look(version: view.version, json: json(view), isFinal: view.row.status.isFinal)
        }
    }

    // MARK: Common

    func json(_ view: SessionView) -> JSONValue { view.json(links, lifetime: settings.addressLifetime) }

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
