import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit
import Uploads

/// How the owner of a kept recording looks at it again (`docs/retention.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/sessions/{id}/media-url` | a signed address that holds for a while |
/// | `GET`, `HEAD /v1/media/{id}` | the recording, or one range of its bytes, for whoever has that address |
@Loop struct MediaRoutes {
    private let context: ServiceContext
    private let settings: SessionsSettings
    private let sending: RecordingSending
    private let links: SignedLinks

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ sending: RecordingSending) {
        self.context = context
        self.settings = settings
        self.sending = sending
        links = SignedLinks(
            // Another key than that of upload addresses, of which it says nothing.
            key: HMACSHA256.authenticate(Array("mirrormate/media".utf8), key: settings.uploads.key),
            publicURL: context.settings.publicURL, invalid: .mediaAddressInvalid, expired: .mediaAddressExpired)
    }

    private var commands: CommandHandler<Session> { CommandHandler(context.store) }

    func add(to router: Router) {
        CallerRoutes(router, context.tokens).on("GET", "/v1/sessions/{id}/media-url", address)
        // Whoever has the address may: it is signed.
        router.on("GET", "/v1/media/{id}", media)
    }

    private static func path(_ session: UUID) -> String { "/v1/media/\(session)" }

    private func address(_ request: Request, _ caller: Caller) async throws -> Response {
        let id = try request.id("id")
        let now = Timestamp.now()
        let kept = try await kept(id, of: caller.user, at: now)
        let end = min(now + settings.retention.addressLifetime, kept.until)
        return .json(
            [
                "method": "GET", "url": .string(links.url("GET", Self.path(id), until: end)), "expiresAt": .time(end),
                "contentType": .string(kept.media.contentType), "sizeBytes": .int(kept.media.sizeBytes),
                "until": .time(kept.until),
            ], headers: ["Cache-Control": "no-store"])
    }

    private func media(_ request: Request) async throws -> Response {
        let id = try request.id("id")
        try links.check(request, path: Self.path(id), as: "GET")
        let now = Timestamp.now()
        let kept = try await kept(id, of: nil, at: now)
        return try await sending.answer(request, kept.media, of: kept.owner, for: kept.until - now)
    }

    private struct Kept {
        let owner: UUID
        let media: MediaReference
        let until: Timestamp
    }

    /// The kept recording of a session.
    ///
    /// - Parameter owner: whose it must be; nil for whoever has its address.
    /// - Throws: the problem `not-found` for a session that is not there or a stranger's, `media-not-kept` for one without a
    ///   recording.
    private func kept(_ id: UUID, of owner: UUID?, at now: Timestamp) async throws -> Kept {
        let state = try await commands.load(Session.stream(id)).state
        guard let session = state.identity, owner ?? session.ownerId == session.ownerId else { throw Problem.notFound }
        guard case .ended(_, .completed(_, let kept?)) = state, now < kept.until else { throw Problem(.mediaNotKept) }
        return Kept(owner: session.ownerId, media: kept.media, until: kept.until)
    }
}
