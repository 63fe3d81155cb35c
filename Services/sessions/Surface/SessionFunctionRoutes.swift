import CompatibleSurface
import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Primitives
import Projections
import RestTables
import Runtime
import ServiceKit
import Uploads

/// What the app calls as functions, over what the native routes do.
///
/// | Route | Body | Answer |
/// |---|---|---|
/// | `POST /functions/v1/init-session` | `maxDurationSec`, `deviceId` | where to put the video |
/// | `POST /functions/v1/finalize-session` | `sessionId` | `{"status": "queued"}`; a repeat the status by then |
@Loop struct SessionFunctionRoutes {
    private nonisolated static let kind = SessionKind.mirrormate
    /// The longest recording, in seconds, where a client does not say.
    private nonisolated static let maxDuration: Int64 = 60

    private let context: ServiceContext
    private let settings: SessionsSettings
    private let uploads: UploadStore
    private let newSessions: NewSessions
    private let leases: UploadLeases

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ uploads: UploadStore, _ newSessions: NewSessions) {
        self.context = context
        self.settings = settings
        self.uploads = uploads
        self.newSessions = newSessions
        leases = UploadLeases(context.store.pool, mostBytes: settings.uploads.bytesAtOnce)
    }

    private var commands: CommandHandler<Session> { CommandHandler(context.store) }

    func add(to routes: CompatibleRoutes) {
        routes.on("POST", "/init-session", begin)
        routes.on("POST", "/finalize-session", finalize)
    }

    // MARK: Beginning

    private func begin(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let body = try await request.compatibleObject(orElse: "bad_request")
        let (owner, user) = try owner(caller, body)
        let creation = try creation(body, timeZone: user?.timeZone)
        var view = try await create(request, owner, creation, calls: [InitLimit.taking(owner)])
        if let held = view.row.refusal?.heldBy?.sessionId, try await isAbandoned(held) {
            // Its client cannot go on with it, so the new one takes its place. It is asked for once, and counted once.
            var instead = creation
            instead.replaces = held
            view = try await create(request, owner, instead, calls: [])
        }
        if let refusal = view.row.refusal { throw refusal.compatibleError }
        return .json(offer(view), headers: ["Cache-Control": "no-store"])
    }

    /// Who asks: a user, or the device of somebody who is none.
    private func owner(_ caller: CompatibleCaller, _ body: JSONObject) throws(CompatibleError) -> (UUID, Caller?) {
        switch caller {
        case .user(let user): return (user.user, user)
        case .service:
            throw CompatibleError(403, "user_needed", "Send the access token of a user: a session is somebody's.")
        case .anon:
            guard context.settings.hasAnonymousReads else {
                throw CompatibleError(401, "sign_in_needed", "Sign in first: this server analyses nothing for nobody.")
            }
            guard let device = body["deviceId"]?.stringValue, !device.isEmpty,
                device.utf8.count <= AnonymousOwner.longestDevice
            else {
                throw CompatibleError(
                    400, "bad_request",
                    "Send deviceId, a text of at most \(AnonymousOwner.longestDevice) bytes, or sign in.")
            }
            return (AnonymousOwner.of(device: device, context.hashes), nil)
        }
    }

    private func creation(_ body: JSONObject, timeZone: String?) throws -> SessionCreation {
        guard let rules = settings.kinds.upload(of: Self.kind) else { throw Problem(.kindUnknown) }
        let most = rules.maxDurationSeconds ?? .max
        var duration = min(Self.maxDuration, most)
        if let told = body["maxDurationSec"] {
            guard let seconds = told.intValue, (1...most).contains(seconds) else {
                throw CompatibleError(400, "bad_request", "maxDurationSec must be a whole number from 1 to \(most).")
            }
            duration = seconds
        }
        let now = Timestamp.now()
        var creation = SessionCreation(
            timeZone: timeZone ?? "UTC", createdAt: now, expiresAt: now + settings.sessionLifetime,
            contentType: MediaType.mp4.rawValue, contentLength: min(settings.uploads.limit, rules.limitBytes ?? .max),
            maxDurationSeconds: rules.maxDurationSeconds == nil ? nil : duration)
        creation.isAnnounced = false
        return creation
    }

    private func create(
        _ request: Request, _ owner: UUID, _ creation: SessionCreation, calls: [RowCall]
    ) async throws -> SessionView {
        // The id opens the session to whoever knows it, so nobody may be able to work it out.
        let session = SessionIdentity(sessionId: .v4(), ownerId: owner, kind: Self.kind)
        do {
            return try await newSessions.create(
                NewSessions.Wish(
                    session: session, creation: creation, command: session.sessionId, requestHash: [],
                    // The shipped app has no screen for it; its accounts are held by what a network may begin, like its devices.
                    isEmailVerified: nil, networks: request.clientNetworks,
                    metadata: request.metadata(owner: owner), calls: calls))
        } catch AppendError.guarded(.initsUsedUp) {
            throw CompatibleError(
                429, "rate_limited", "Rate limit exceeded. Please try again in a few minutes.",
                members: ["remaining": 0])
        }
    }

    /// Whether a session that holds its owner's unit was begun here and its video is not on its way: somebody who only knows the name
    /// of a device, or has a second one, takes no place of somebody who is just sending.
    private func isAbandoned(_ id: UUID) async throws -> Bool {
        guard SessionCapability.isCompatible(id) else { return false }
        let loaded = try await commands.load(Session.stream(id))
        guard let since = loaded.history.last?.recordedAt,
            CompatibleSession.givesWay(loaded.state, unchangedFor: .now() - since)
        else { return false }
        return try await !leases.isHeld(for: id)
    }

    /// Where the video of a session is put. Everything is text.
    private func offer(_ view: SessionView) -> JSONValue {
        let id = view.row.id
        let path = CompatibleObject.uploadPath(id)
        let end = min(.now() + settings.uploads.addressLifetime, view.row.expiresAt)
        let links = SignedLinks.uploads(key: settings.uploads.key, publicURL: context.settings.publicURL)
        let token = UploadToken.text(for: id, replaces: false, until: end, links)
        return [
            "sessionId": .uuid(id), "uploadUrl": .string("\(context.settings.publicURL)\(path)?token=\(token)"),
            "uploadPath": .string(CompatibleObject.name(id)), "uploadToken": .string(token),
            "expiresAt": CompatibleValue.time(end),
        ]
    }

    // MARK: Finalizing

    private func finalize(_ request: Request, _ caller: CompatibleCaller) async throws -> Response {
        let body = try await request.compatibleObject(orElse: "bad_request")
        guard let id = body["sessionId"]?.stringValue.flatMap(CompatibleValue.uuid) else {
            throw CompatibleError(400, "bad_request", "Send sessionId, as init-session gave it.")
        }
        let loaded = try await commands.load(Session.stream(id))
        let row = SessionProjection.row(id, after: loaded.history)
        guard let owner = CompatibleAccess.owner(of: loaded.state, row, for: caller, context.settings) else {
            throw CompatibleError(404, "session_not_found", "There is no such session.")
        }
        let outcome = try await SessionFinalizing(context.store, uploads, patience: settings.processingDeadline)
            .finalize(
                id, of: owner, from: loaded, request.metadata(owner: owner, actor: caller == .anon ? "anon" : nil))
        guard outcome.events.isEmpty else { return .json(["status": "queued"]) }
        let view = try SessionView(id, outcome.loaded, of: owner)
        return .json(["status": .string(CompatibleSession.status(view.row.status))])
    }
}

extension QuotaDenial {
    /// What `init-session` says of a refusal: clients tell it from the limit of an hour by the code.
    fileprivate var compatibleError: CompatibleError {
        let problem = problem
        var error = CompatibleError(
            429, code == .sessionOpen ? "session_open" : "quota_exceeded", "\(problem.code.title). \(problem.detail)",
            members: ["remaining": 0, "resetsAt": CompatibleValue.time(resetsAt)], headers: problem.headers)
        if error.headers["Retry-After"] == nil {
            error.headers["Retry-After"] = String(max(1, (resetsAt - .now()).components.seconds))
        }
        return error
    }
}
