import Contracts
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import Uploads

/// What clients do with sessions.
@Loop struct SessionRoutes {
    private let context: ServiceContext
    private let settings: SessionsSettings
    private let uploads: UploadStore
    private let leases: UploadLeases
    private let newSessions: NewSessions
    private let line: WaitingLine

    init(
        _ context: ServiceContext, _ settings: SessionsSettings, _ uploads: UploadStore, _ newSessions: NewSessions,
        _ line: WaitingLine
    ) {
        self.context = context
        self.settings = settings
        self.uploads = uploads
        leases = UploadLeases(context.store.pool, mostBytes: settings.uploads.bytesAtOnce)
        self.newSessions = newSessions
        self.line = line
    }

    private var commands: CommandHandler<Session> { CommandHandler(context.store) }
    private var links: SignedLinks { .uploads(key: settings.uploads.key, publicURL: context.settings.publicURL) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/sessions", create)
        callers.on("GET", "/v1/sessions", list)
        callers.on("GET", "/v1/sessions/{id}", read)
        callers.on("GET", "/v1/sessions/{id}/events", follow)
        // Whoever has the address may: it is signed.
        router.on("PUT", "/v1/uploads/{id}", upload)
        callers.on("POST", "/v1/sessions/{id}/finalize", finalize)
        callers.on("POST", "/v1/sessions/{id}/cancel", cancel)
        callers.on("DELETE", "/v1/sessions/{id}", delete)
    }

    // MARK: Creating

    private func create(_ request: Request, _ caller: Caller) async throws -> Response {
        guard RequestHashes.idempotencyKey(request) != nil else { throw Problem(.idempotencyKeyMissing) }
        let body = try await request.jsonObject()
        try body.allow(SessionCreation.members)
        let kind: SessionKind = try body.code("kind")
        let zone = try body.optionalString("timeZone")
        let creation = try SessionCreation(
            request: body, of: kind, timeZone: zone ?? caller.timeZone ?? "UTC", at: .now(), settings)
        if let zone { try await context.zones.check(zone) }
        let command = context.hashes.commandID(request, owner: caller.user)
        // The session's id follows from the key, so that a repeat finds the same session whatever happened in between.
        let session = SessionIdentity(
            sessionId: UUID.v5(namespace: command, name: "session"), ownerId: caller.user, kind: kind)
        let view = try await newSessions.create(
            NewSessions.Wish(
                session: session, creation: creation, command: command, requestHash: context.hashes.hash(body),
                isEmailVerified: caller.isEmailVerified, networks: request.clientNetworks,
                metadata: request.metadata(owner: caller.user)))
        if let refusal = view.row.refusal { throw refusal.problem }
        return .json(
            try await json(view), status: view.row.status == .queued ? 202 : 201,
            headers: ["Location": "/v1/sessions/\(session.sessionId)"])
    }

    // MARK: Reading

    private func read(_ request: Request, _ caller: Caller) async throws -> Response {
        let view = try await view(request, caller)
        let json = try await json(view)
        // The upload's address is another one each time, so only what has none stays as it was; a place in line changes by itself.
        let passing = json["upload"]?["expiresAt"]?.stringValue ?? json["queuePosition"]?.intValue.map { "\($0)" }
        let tag = "\"\(view.loaded.version)\(passing.map { "-\($0)" } ?? "")\""
        return .tagged(tag, request) { .json(json, headers: $0) }
    }

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        let waiting = try await line.now()
        return try await Page(request).answer(
            of: caller.user, context.owners,
            """
            select row_to_json(s), s.created_at, s.key::uuid from session_list s
            where owner_id = $1 and ($2::timestamptz is null or (created_at, key) < ($2, $3::uuid::text))
            order by created_at desc, key desc limit $4
            """, place: (1, 2)
        ) { row in
            let row = try SessionRow(JSONObject.parse(row.bytes(0)))
            return .object(SessionView.json(row, place: waiting.place(of: row)))
        }
    }

    /// Server-sent events: the session after each change, closed after its ending. The id is the stream's version, also of what
    /// tells of another place in line.
    private func follow(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        return try await context.store.following(
            Session.stream(id), of: request, by: caller, context.ended, among: context.eventStreams, name: "session",
            heartbeat: settings.heartbeat
        ) { [self] in
            let view = try SessionView(id, try await commands.load(Session.stream(id)), of: caller.user)
            var aside: Look.Aside?
            if view.row.waitingSince != nil {
                aside = Look.Aside(every: WaitingLine.freshness) { [line] in
                    JSONObject().adding(["queuePosition": try await line.place(of: view.row).map(JSONValue.int)])
                }
            }
            return Look(
                version: view.loaded.version, json: view.json(links, lifetime: settings.uploads.addressLifetime),
                isFinal: view.row.status.isFinal, aside: aside)
        }
    }

    // MARK: Changing

    /// Where the file of a session is put, by whoever has the address.
    nonisolated static func uploadPath(_ session: UUID) -> String { "/v1/uploads/\(session)" }

    private func upload(_ request: Request) async throws -> Response {
        let id = try request.id("id")
        let left = try links.check(request, path: Self.uploadPath(id))
        let loaded = try await commands.load(Session.stream(id))
        let (session, creation) = try loaded.state.awaitingUpload()
        // Nobody was ever told to put such a file here.
        guard creation.isAnnounced else { throw Problem(.uploadAddressInvalid) }
        let owner = session.ownerId
        request.body.demand(
            bytesPerSecond: settings.uploads.bytesPerSecond, within: left, orElse: Problem(.uploadAddressExpired))
        let expected = try ExpectedUpload(
            size: creation.contentLength, contentType: creation.contentType, sha256: creation.sha256)
        let media = try await leases.holding(of: owner, for: id, size: expected.size) { lease in
            try await uploads.receive(
                request.body, for: id, of: owner, purpose: SessionObjects.purpose(id), expected, renew: lease.renew)
        }
        try await commands.storeUpload(media, of: id, by: owner, from: loaded, request)
        return .json(["sha256": .string(media.sha256), "sizeBytes": .int(media.sizeBytes)])
    }

    private func finalize(_ request: Request, _ caller: Caller) async throws -> Response {
        let view = try await view(request, caller)
        let (id, owner) = (view.row.id, view.row.ownerId)
        let finalizing = SessionFinalizing(context.store, uploads, patience: settings.processingDeadline)
        let outcome = try await finalizing.finalize(id, of: owner, from: view.loaded, request.metadata(owner: owner))
        return .json(
            try await json(SessionView(id, outcome.loaded, of: owner)), status: outcome.events.isEmpty ? 200 : 202)
    }

    private func cancel(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let outcome = try await commands.put(
            .cancel(by: caller.user), on: Session.stream(id), by: caller.user, request)
        return .json(try await json(SessionView(id, outcome.loaded, of: caller.user)))
    }

    private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
        try await commands.put(
            .delete(by: caller.user), on: Session.stream(request.id("id")), by: caller.user, request)
        return .noContent
    }

    // MARK: Common

    /// The session of a request's path, when it is the caller's.
    private func view(_ request: Request, _ caller: Caller) async throws -> SessionView {
        let id = try request.id("id")
        return try SessionView(id, try await commands.load(Session.stream(id)), of: caller.user)
    }

    private func json(_ view: SessionView) async throws -> JSONValue {
        view.json(links, lifetime: settings.uploads.addressLifetime, place: try await line.place(of: view.row))
    }
}
