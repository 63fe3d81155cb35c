import HTTPServer
import Primitives
import Runtime
import ServiceKit
import Uploads

/// A session's file in pieces, by tus 1.0 (`docs/uploads.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `OPTIONS /v1/uploads/{id}/resumable` | which version and extensions there are |
/// | `POST /v1/uploads/{id}/resumable` | begins an upload to the caller's session: `Location` |
/// | `HEAD` of that address | `Upload-Offset`: how much has come |
/// | `PATCH` of that address | takes a piece |
/// | `DELETE` of that address | gives the upload up |
@Loop struct ResumableRoutes {
    private nonisolated static let beginning = "/v1/uploads/{id}/resumable"
    private nonisolated static let upload = "/v1/uploads/{id}/resumable/{upload}"

    private let context: ServiceContext
    private let settings: SessionsSettings
    private let pieces: ResumableReceiving
    private let links: SignedLinks

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ pieces: ResumableReceiving) {
        self.context = context
        self.settings = settings
        self.pieces = pieces
        // Whoever has an address goes on with it for as long as the session waits, however long that takes with a bad network.
        links = SignedLinks(
            key: settings.uploads.key, publicURL: context.settings.publicURL, invalid: .uploadAddressInvalid,
            expired: .uploadGone)
    }

    func add(to router: Router) {
        let limit = settings.uploads.limit
        router.on("OPTIONS", Self.beginning) { request in
            _ = try request.id("id")
            return Tus.options(limit: limit)
        }
        CallerRoutes(router, context.tokens).on("POST", Self.beginning) { request, caller in
            try await Tus.speaking(request) { try await begin($0, caller) }
        }
        // Whoever has the address may: it is signed.
        router.on("HEAD", Self.upload) { try await Tus.speaking($0) { try await tell($0) } }
        router.on("PATCH", Self.upload) { try await Tus.speaking($0) { try await take($0) } }
        router.on("DELETE", Self.upload) { try await Tus.speaking($0) { try await end($0) } }
    }

    private nonisolated static func path(_ session: UUID, _ upload: UUID) -> String {
        "/v1/uploads/\(session)/resumable/\(upload)"
    }

    private func begin(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let length = try Tus.length(request)
        guard length <= settings.uploads.limit else { throw Problem.bodyTooLarge(limit: settings.uploads.limit) }
        // Clients may send the first piece at once.
        let chunk = request.body.length == 0 ? nil : try TusChunk(request, offset: 0)
        var upload = try await pieces.begin(id, of: caller.user, size: length, request.metadata(owner: caller.user))
        if let chunk {
            upload = try await pieces.receive(request, chunk, to: upload.id, within: upload.expiresAt - .now())
        }
        var headers = Tus.headers(of: upload)
        headers["Location"] = links.url("PATCH", Self.path(id, upload.id), until: upload.expiresAt)
        return Response(status: 201, headers: headers)
    }

    private func tell(_ request: Request) async throws -> Response {
        let (id, _) = try checked(request)
        return Response(headers: Tus.headers(of: try await pieces.find(id)))
    }

    private func take(_ request: Request) async throws -> Response {
        let (id, left) = try checked(request)
        let upload = try await pieces.receive(request, try TusChunk(request), to: id, within: left)
        return Response(status: 204, headers: Tus.headers(of: upload))
    }

    private func end(_ request: Request) async throws -> Response {
        let (id, _) = try checked(request)
        let upload = try await pieces.find(id)
        guard !upload.isStored else { throw Problem(.uploadStored) }
        try await pieces.end(upload, request.metadata(owner: upload.owner))
        return .noContent
    }

    /// - Returns: the upload of the address, and for how long it holds.
    private func checked(_ request: Request) throws -> (UUID, Duration) {
        let (session, upload) = (try request.id("id"), try request.id("upload"))
        return (upload, try links.check(request, path: Self.path(session, upload), as: "PATCH"))
    }
}
