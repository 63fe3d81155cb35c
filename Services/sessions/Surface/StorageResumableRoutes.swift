import CompatibleSurface
import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit
import Uploads

/// `/storage/v1/upload/resumable`: a recording in pieces by tus 1.0, as at `/v1/uploads/{id}/resumable`, of an object that
/// `Upload-Metadata` names. Each request shows who sends it: by a bearer, or at `/sign` by an upload token in `x-signature`.
@Loop struct StorageResumableRoutes {
    /// Refuses a request that may not send the file of a session; says whether it may take another one's place.
    private typealias Check = @Loop (_ request: Request, _ session: UUID, _ owner: UUID) throws -> Bool

    private let context: ServiceContext
    private let settings: SessionsSettings
    private let pieces: ResumableReceiving
    private let links: SignedLinks

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ pieces: ResumableReceiving) {
        self.context = context
        self.settings = settings
        self.pieces = pieces
        links = .uploads(key: settings.uploads.key, publicURL: context.settings.publicURL)
    }

    func add(to routes: CompatibleRoutes) {
        let limit = settings.uploads.limit
        let place = "/upload/resumable"
        for path in [place, "\(place)/sign"] {
            routes.open("OPTIONS", path, withKey: false) { _ in Tus.options(limit: limit) }
        }
        routes.on("POST", place) { [self] in try await begin($0, place, by(caller: $1)) }
        routes.on("HEAD", "\(place)/{upload}") { [self] in try await tell($0, by(caller: $1)) }
        routes.on("PATCH", "\(place)/{upload}") { [self] in try await take($0, by(caller: $1)) }
        routes.on("DELETE", "\(place)/{upload}") { [self] in try await end($0, by(caller: $1)) }
        let signed = "\(place)/sign"
        routes.open("POST", signed, withKey: false) { [self] in try await begin($0, signed, signature) }
        routes.open("HEAD", "\(signed)/{upload}", withKey: false) { [self] in try await tell($0, signature) }
        routes.open("PATCH", "\(signed)/{upload}", withKey: false) { [self] in try await take($0, signature) }
        routes.open("DELETE", "\(signed)/{upload}", withKey: false) { [self] in try await end($0, signature) }
    }

    private func by(caller: CompatibleCaller) -> Check {
        { request, _, owner in
            guard caller.user?.user == owner else { throw CompatibleError.notAllowed }
            return request.replacesObjects
        }
    }

    /// By the token alone, whatever the request says besides.
    private func signature(_ request: Request, _ session: UUID, _: UUID) throws -> Bool {
        guard let token = request.headers["x-signature"] else { throw CompatibleError.invalidToken }
        return try UploadToken(token, of: session, links).replaces
    }

    private func begin(_ request: Request, _ place: String, _ check: @escaping Check) async throws -> Response {
        try await Tus.speaking(request) { request in
            let metadata = Tus.metadata(request)
            try CompatibleObject.check(bucket: metadata["bucketName"])
            guard let id = metadata["objectName"].flatMap({ CompatibleObject.session(of: $0) }) else {
                throw CompatibleError.notAllowed
            }
            let length = try Tus.length(request)
            guard length <= settings.uploads.limit else { throw Problem.bodyTooLarge(limit: settings.uploads.limit) }
            let chunk = request.body.length == 0 ? nil : try TusChunk(request, offset: 0)
            // As with an upload in one piece: quota may still be deciding.
            let commands = CommandHandler<Session>(context.store)
            let state = try await commands.loadDecided(id, within: settings.quotaWait).state
            guard let session = state.identity else { throw CompatibleError.notAllowed }
            let replaces = try check(request, id, session.ownerId)
            if case .open(_, _, .some, _) = state, !replaces { throw CompatibleError.objectExists }
            var upload = try await pieces.begin(
                id, of: session.ownerId, size: length, request.metadata(owner: session.ownerId))
            if let chunk {
                upload = try await pieces.receive(request, chunk, to: upload.id, within: upload.expiresAt - .now())
            }
            var headers = Tus.headers(of: upload)
            headers["Location"] = "\(context.settings.publicURL)/storage/v1\(place)/\(upload.id)"
            return Response(status: 201, headers: headers)
        }
    }

    private func tell(_ request: Request, _ check: @escaping Check) async throws -> Response {
        try await Tus.speaking(request) { request in
            Response(headers: Tus.headers(of: try await find(request, check)))
        }
    }

    private func take(_ request: Request, _ check: @escaping Check) async throws -> Response {
        try await Tus.speaking(request) { request in
            let upload = try await find(request, check)
            let taken = try await pieces.receive(
                request, try TusChunk(request), to: upload.id, within: upload.expiresAt - .now())
            return Response(status: 204, headers: Tus.headers(of: taken))
        }
    }

    private func end(_ request: Request, _ check: @escaping Check) async throws -> Response {
        try await Tus.speaking(request) { request in
            let upload = try await find(request, check)
            guard !upload.isStored else { throw Problem(.uploadStored) }
            try await pieces.end(upload, request.metadata(owner: upload.owner))
            return .noContent
        }
    }

    private func find(_ request: Request, _ check: Check) async throws -> ResumableUpload {
        let upload = try await pieces.find(try request.id("upload"))
        _ = try check(request, upload.session, upload.owner)
        return upload
    }
}
