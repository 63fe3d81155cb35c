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
    private let networks: NetworkLimit
    private let refusals: RefusalLimit
    private let line: WaitingLine

    init(
        _ context: ServiceContext, _ settings: SessionsSettings, _ uploads: UploadStore, _ networks: NetworkLimit,
        _ refusals: RefusalLimit, _ line: WaitingLine
    ) {
        self.context = context
        self.settings = settings
        self.uploads = uploads
        leases = UploadLeases(context.store.pool, mostBytes: settings.uploads.bytesAtOnce)
        self.networks = networks
        self.refusals = refusals
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
        let hash = context.hashes.hash(body)
        // A repeat is no second analysis.
        if try await context.store.receipt(id: command, requestHash: hash) != nil {
            return try await answer(session.sessionId, caller)
        }
        let from = request.clientNetworks
        let receipt: AppendReceipt
        do {
            let guards = try await confirmedAddress(caller, session)
            // At no cost for the log; who comes beside others is counted with the append.
            try await networks.check(from)
            try await refusals.check(caller.user)
            receipt = try await context.store.append {
                Append(
                    id: command, requestHash: hash, metadata: request.metadata(owner: caller.user),
                    decisions: try await beginning(session, creation),
                    calls: guards + networks.taking(from) + [refusals.taking(caller.user)])
            }
        } catch let error where Self.isRefusal(error) {
            // What was accepted once, meanwhile, is answered as accepted, whatever a repeat of it would be told now.
            if try await context.store.receipt(id: command, requestHash: hash) != nil {
                return try await answer(session.sessionId, caller)
            }
            guard case AppendError.guarded(let used) = error, [.networkUsedUp, .refusalsUsedUp].contains(used) else {
                throw error
            }
            try await networks.check(from)
            try await refusals.check(caller.user)
            // One has come back in between.
            throw Problem.unavailable
        }
        do {
            return try await answer(session.sessionId, caller)
        } catch let error as Problem {
            // Refused by quota. Whoever only stops waiting for the answer gets nothing back.
            if !receipt.isRepeat { try await networks.giveBack(from) }
            throw error
        }
    }

    /// Whether an error says that a session must not be created now, and not that it cannot be known.
    private nonisolated static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is SessionRefusal, is Problem, AppendError.guarded: true
        default: false
        }
    }

    /// Whoever signs up is let in at once, and has one session; for more an account shows that its address is its own. Deleted
    /// sessions count too.
    ///
    /// - Returns: what holds that in the append, because others may be created at the same moment.
    /// - Throws: the problem `address-unconfirmed`, or `PostgresError`.
    private func confirmedAddress(_ caller: Caller, _ session: SessionIdentity) async throws -> [RowCall] {
        guard settings.mustConfirmAddress, caller.isEmailVerified == false else { return [] }
        let sessions = try await context.store.pool.query(
            "select from stream_owners where owner = $1 and starts_with(stream, $2) limit 1",
            [.uuid(caller.user), .text("\(Session.category)-")])
        guard sessions.count == 0 else { throw Problem(.addressUnconfirmed) }
        return [SessionRows.beginOnlySession(session)]
    }

    /// The first event of a session, after the ending of the one that it replaces, if that has not ended: so quota sees
    /// the unit come back before it is asked for it again.
    private func beginning(_ session: SessionIdentity, _ creation: SessionCreation) async throws -> [Decision] {
        var decisions: [Decision] = []
        if let replaced = creation.replaces {
            let old = try await commands.load(Session.stream(replaced))
            decisions.append(try old.decide(.giveWay(by: session.ownerId, to: session.sessionId)))
        }
        let known = try await commands.load(Session.stream(session.sessionId))
        decisions.append(try known.decide(.create(session, creation)))
        return decisions
    }

    /// Waits a bounded time for quota's decision.
    private func answer(_ id: UUID, _ caller: Caller) async throws -> Response {
        let loaded = try await commands.load(Session.stream(id), waiting: settings.quotaWait) {
            if case .queued = $0.state { false } else { true }
        }
        let view = try SessionView(id, loaded, of: caller.user)
        if let refusal = view.row.refusal { throw refusal.problem }
        return .json(
            try await json(view), status: view.row.status == .queued ? 202 : 201,
            headers: ["Location": "/v1/sessions/\(id)"])
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
        let owner = session.ownerId
        let key = ObjectFolder.uploads.key("\(owner)/\(id)/\(UUID.v7())")
        request.body.demand(
            bytesPerSecond: settings.uploads.bytesPerSecond, within: left, orElse: Problem(.uploadAddressExpired))
        let expected = try ExpectedUpload(
            size: creation.contentLength, contentType: creation.contentType, sha256: creation.sha256)
        let media = try await leases.holding(of: owner, for: id, size: expected.size) { renew in
            try await uploads.receive(
                request.body, as: key, of: owner, purpose: SessionObjects.purpose(id), expected, renew: renew)
        }
        try await commands.put(
            .storeUpload(by: owner, media), on: Session.stream(id), from: loaded, by: owner, request
        ) { state, events in
            if events.isEmpty { return [] }
            guard case .open(_, _, let earlier?, _) = state else { return [KitRows.keepObject(key)] }
            return [KitRows.keepObject(key), KitRows.discardObject(earlier.key)]
        }
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
