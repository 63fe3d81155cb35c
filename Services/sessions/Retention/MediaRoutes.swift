import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import ObjectStorage
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
    /// How much of a recording is in memory at once, in bytes.
    private static let pieceBytes: Int64 = 524_288

    private let context: ServiceContext
    private let settings: SessionsSettings
    private let objects: any ObjectStore
    /// Of those who fetch a recording: each holds a connection and a piece of a file for as long as it takes.
    private let places: ClientPlaces
    private let links: SignedLinks

    init(_ context: ServiceContext, _ settings: SessionsSettings, _ objects: any ObjectStore) {
        self.context = context
        self.settings = settings
        self.objects = objects
        let (all, perUser, perAddress) = settings.retention.downloads
        places = ClientPlaces(
            all: all, perUser: perUser, perAddress: perAddress, share: 4, refusal: .tooManyDownloads)
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
        let (key, size) = (kept.media.key, kept.media.sizeBytes)
        let tag = "\"\(kept.media.sha256)\""
        var headers: Headers = [
            "Content-Type": kept.media.contentType, "Content-Disposition": "inline",
            "Cache-Control": "private, no-store",
            "X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes", "ETag": tag,
        ]
        var range: Range<Int64> = 0..<size
        var status = 200
        switch request.byteRange(of: size, tag: tag) {
        case .whole: break
        case .part(let part):
            range = part
            status = 206
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        case .unsatisfiable:
            throw Problem(.rangeNotSatisfiable, headers: ["Content-Range": "bytes */\(size)"])
        }
        let place = try places.place(of: kept.owner, in: request.clientNetworks)
        // Now, while it can still be said that it is gone.
        let first = try await read(key, range.lowerBound..<min(range.upperBound, range.lowerBound + Self.pieceBytes))
        let objects = objects
        let type = kept.media.contentType
        let time = min(settings.retention.downloadTime, kept.until - now)
        return .stream(contentType: type, length: Int64(range.count), status: status, headers: headers) { writer in
            // Held until the last byte is written, or the client is gone.
            defer { withExtendedLifetime(place) {} }
            // Whatever its pace. A player that is cut off asks for the rest when it needs it, by a range of its own.
            writer.demand(within: time)
            try await writer.write(first)
            var next = range.lowerBound + Int64(first.count)
            while next < range.upperBound {
                let count = Int(min(range.upperBound - next, Self.pieceBytes))
                let piece = try await objects.read(key, from: next, count: count)
                // It was removed meanwhile; what is missing breaks the connection off.
                guard piece.count == count else { throw ObjectStoreError.missing(key) }
                try await writer.write(piece)
                next += Int64(count)
            }
        }
    }

    private func read(_ key: String, _ range: Range<Int64>) async throws -> [UInt8] {
        do {
            let bytes = try await objects.read(key, from: range.lowerBound, count: range.count)
            guard bytes.count == range.count else { throw Problem(.mediaNotKept) }
            return bytes
        } catch ObjectStoreError.missing {
            throw Problem(.mediaNotKept)
        } catch is ObjectStoreError {
            throw Problem.unavailable
        }
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
