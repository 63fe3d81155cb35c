import Contracts
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What clients do with exports of all that the platform has of them (`docs/data-export.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `POST /v1/exports` | begins one, for whoever has just shown who they are, `Idempotency-Key` as elsewhere |
/// | `GET /v1/exports` | the caller's last ones, newest first |
/// | `GET /v1/exports/{id}` | one of them, with an address for its archive when it is ready |
/// | `DELETE /v1/exports/{id}` | removes it at once |
/// | `GET /v1/exports/{id}/archive?expires=&signature=` | the archive, for whoever has the address |
@Loop struct ExportRoutes {
    private let context: ServiceContext
    private let settings: ReportingSettings
    private let objects: any ObjectStore
    private let parts: ReceivedParts
    private let links: SignedLinks
    private let fresh: FreshSignIn
    /// Of those who fetch an archive: each holds a connection for as long as it takes.
    private let places: ClientPlaces

    init(_ context: ServiceContext, _ settings: ReportingSettings, _ objects: any ObjectStore, _ parts: ReceivedParts) {
        self.context = context
        self.settings = settings
        self.objects = objects
        self.parts = parts
        fresh = FreshSignIn(context.settings)
        let (all, perUser, perAddress) = settings.exportDownloads
        places = ClientPlaces(
            all: all, perUser: perUser, perAddress: perAddress, share: 4,
            advice: "Fetch one archive after another, or wait as long as Retry-After says.")
        // A wrong address is told nothing, as if there were no such export.
        links = SignedLinks(
            key: context.hashes.key(for: "addresses of exports"), publicURL: context.settings.publicURL,
            invalid: .notFound, expired: .exportAddressExpired)
    }

    private var commands: CommandHandler<Exports> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("POST", "/v1/exports", request)
        callers.on("GET", "/v1/exports", list)
        callers.on("GET", "/v1/exports/{id}", read)
        callers.on("DELETE", "/v1/exports/{id}", delete)
        router.on("GET", "/v1/exports/{id}/archive", archive)
    }

    private func request(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow()
        let id = context.hashes.commandID(request, owner: caller.user)
        let hash = context.hashes.hash(body)
        let stream = Exports.stream(caller.user)
        // The export's id follows from the key, so that a repeat finds the same one.
        let export = ExportIdentity(exportId: UUID.v5(namespace: id, name: "export"), ownerId: caller.user)
        if try await context.store.receipt(id: id, requestHash: hash) != nil {
            return try answer(export.exportId, try await commands.load(stream).state, status: 202)
        }
        // A token that somebody else has for some minutes must not become all that there is.
        try await fresh.require(caller)
        let now = Timestamp.now()
        let outcome = try await commands.handle(
            .request(
                export,
                ExportTerms(
                    requestedAt: now, deadline: now + settings.exportDeadline,
                    lifetimeSeconds: settings.exportLifetime.components.seconds)),
            on: stream, id: id, requestHash: hash, metadata: request.metadata(owner: caller.user))
        // Identity tells the owner by mail when it hears of it.
        if !outcome.events.isEmpty { context.security.note(.exportRequested, of: caller.user, request) }
        return try answer(export.exportId, outcome.state, status: 202)
    }

    private func list(_ request: Request, _ caller: Caller) async throws -> Response {
        let state = try await commands.load(Exports.stream(caller.user)).state
        return .json(
            ["items": .array(state.last.reversed().map { .object(json($0)) })],
            headers: ["Cache-Control": "no-store"])
    }

    private func read(_ request: Request, _ caller: Caller) async throws -> Response {
        try answer(request.id("id"), try await commands.load(Exports.stream(caller.user)).state)
    }

    private func delete(_ request: Request, _ caller: Caller) async throws -> Response {
        let export = ExportIdentity(exportId: try request.id("id"), ownerId: caller.user)
        try await commands.put(.delete(export), on: Exports.stream(caller.user), by: caller.user, request)
        return .noContent
    }

    /// For whoever has the address, which only the owner was told.
    private func archive(_ request: Request) async throws -> Response {
        let id = try request.id("id")
        try links.check(request, path: Self.path(id))
        let owner = try await context.store.pool.query(
            "select owner_id from open_exports where export_id = $1", [.uuid(id)]
        ).first?.uuid(0)
        guard let owner, let export = try await commands.load(Exports.stream(owner)).state[id],
            case .ready(let readyAt, let end) = export.standing, .now() < end
        else { throw Problem.notFound }
        let place = try places.place(of: owner, in: request.clientNetworks)
        guard let archive = try await parts.archive(export, readyAt: readyAt) else { throw Problem.notFound }
        let pace = ExportArchive.Pace(
            bytesPerSecond: settings.exportBytesPerSecond, within: min(settings.exportDownloadTime, end - .now()))
        return archive.answer(
            from: objects, name: "mirrormate-\(readyAt.rfc3339.prefix(10)).zip", pace, holding: place)
    }

    // MARK: Answers

    private nonisolated static func path(_ id: UUID) -> String { "/v1/exports/\(id)/archive" }

    private func answer(_ id: UUID, _ state: Exports, status: Int = 200) throws(Problem) -> Response {
        guard let export = state[id] else { throw .notFound }
        var headers: Headers = ["Cache-Control": "no-store"]
        if status == 202 { headers["Location"] = "/v1/exports/\(id)" }
        return .json(.object(json(export)), status: status, headers: headers)
    }

    private func json(_ export: Exports.Export, now: Timestamp = .now()) -> JSONObject {
        let common: JSONObject = [
            "id": .uuid(export.identity.exportId), "state": .string(Self.word(export.standing, now)),
            "requestedAt": .time(export.terms.requestedAt), "deadline": .time(export.terms.deadline),
        ]
        switch export.standing {
        case .open:
            let services = Exports.services.map { service -> JSONValue in
                ["service": .string(service), "state": export.parts[service] == nil ? "open" : "done"]
            }
            return common.adding(["services": .array(services)])
        case .ready(let readyAt, let end):
            guard now < end else { return common }
            let until = min(now + settings.exportAddressLifetime, end)
            let path = Self.path(export.identity.exportId)
            return common.adding([
                "readyAt": .time(readyAt), "expiresAt": .time(end),
                "sizeBytes": .int(export.parts.values.reduce(0) { $0 + $1.sizeBytes }),
                "files": .int(export.parts.values.reduce(0) { $0 + $1.files }),
                "archive": ["url": .string(links.url("GET", path, until: until)), "expiresAt": .time(until)],
            ])
        case .failed(let missing):
            return common.adding([
                "reason": .string(missing.isEmpty ? "too-large" : "parts-missing"),
                "missing": .array(missing.map(JSONValue.string)),
            ])
        case .closed: return common
        }
    }

    /// How an export stands; one whose time is over is so before the clock has looked.
    private static func word(_ standing: Exports.Export.Standing, _ now: Timestamp) -> String {
        switch standing {
        case .open: "open"
        case .ready(_, let end): now < end ? "ready" : "expired"
        case .failed: "failed"
        case .closed(let end): end.rawValue
        }
    }
}
