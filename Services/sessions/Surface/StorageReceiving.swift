import CompatibleSurface
import Contracts
import EventSourcing
import EventStore
import HTTPServer
import ObjectStorage
import Primitives
import Runtime
import ServiceKit
import Uploads

/// Takes the file of a session as clients of storage send it: bare or in a form, and perhaps without having said before how large it
/// would be. The same lease, limits and decision as with an upload address.
@Loop struct StorageReceiving {
    private let store: EventStore
    private let settings: SessionsSettings
    private let uploads: UploadStore
    private let objects: any ObjectStore
    private let leases: UploadLeases

    init(_ store: EventStore, _ settings: SessionsSettings, _ uploads: UploadStore, _ objects: any ObjectStore) {
        self.store = store
        self.settings = settings
        self.uploads = uploads
        self.objects = objects
        leases = UploadLeases(store.pool, mostBytes: settings.uploads.bytesAtOnce)
    }

    private var commands: CommandHandler<Session> { CommandHandler(store) }

    /// Stores what a request brings as the file of a session.
    ///
    /// - Parameters:
    ///   - owner: whose session it must be; nil for whoever has a token of it.
    ///   - replaces: whether it may take the place of another file.
    ///   - left: for how long the client may send; by default as long as the session waits.
    /// - Throws: `CompatibleError`, a problem 4xx or `SessionRefusal`; `AppendError`, `EventDecodingError`, `PostgresError` or
    ///   `ObjectStoreError`.
    func receive(
        _ request: Request, as id: UUID, of owner: UUID?, replaces: Bool, within left: Duration? = nil
    ) async throws {
        let (session, creation) = try await awaiting(id, of: owner, replaces: replaces)
        let most = min(creation.contentLength, settings.uploads.limit)
        if request.body.length == 0 { throw CompatibleError.invalidRequest("The body is empty: send the file.") }
        // A form has a little besides the file.
        if let length = request.body.length, length > most + 65_536 { throw Problem.bodyTooLarge(limit: most) }
        request.body.demand(
            bytesPerSecond: settings.uploads.bytesPerSecond, within: left ?? creation.expiresAt - .now(),
            orElse: Problem(.uploadAddressExpired))
        let media = try await leases.holding(
            of: session.ownerId, for: id, size: request.body.length ?? most
        ) { lease in
            try await take(request, session, creation, atMost: most, lease)
        }
        try await commands.storeUpload(media, of: id, by: session.ownerId, request)
    }

    /// How much comes is known at its end, so it comes in parts that nobody goes on with.
    private func take(
        _ request: Request, _ session: SessionIdentity, _ creation: SessionCreation, atMost most: Int64,
        _ lease: UploadLease
    ) async throws -> MediaReference {
        let (owner, id) = (session.ownerId, session.sessionId)
        let purpose = SessionObjects.purpose(id)
        let form = try MultipartFile(request)
        var expected = try ExpectedUpload(size: most, contentType: creation.contentType, sha256: creation.sha256)
        expected.isAnnounced = creation.isAnnounced
        let upload = ResumableUpload(
            id: .v4(), session: id, owner: owner, size: most + 1, expiresAt: creation.expiresAt)
        let parts = PartReceiver(
            upload, store, objects, purpose: purpose, expected, count: most, isChecked: true)
        let result: Result<MediaReference, any Error>
        do {
            while let piece = try await Self.next(form, request.body) {
                guard parts.end + Int64(piece.count) <= most else { throw Problem.bodyTooLarge(limit: most) }
                try await lease.renew()
                try await parts.take(piece)
            }
            guard parts.end > 0 else { throw Problem(.uploadMismatch) }
            if !creation.isAnnounced { expected.size = parts.end }
            let media = try await uploads.join(
                parts.waiting, parts.bytes, for: id, of: owner, purpose: purpose, expected, renew: lease.renew)
            result = .success(media)
        } catch {
            result = .failure(error)
        }
        // In a task of its own, because that of the request is cancelled when its client hangs up.
        _ = await Loop.task { await parts.forget() }.result
        return try result.get()
    }

    private static func next(_ form: MultipartFile?, _ body: RequestBody) async throws -> [UInt8]? {
        if let form { try await form.next() } else { try await body.next() }
    }

    /// Stores a copy of a recording as the file of another session of the same owner.
    ///
    /// - Throws: as ``receive(_:as:of:replaces:within:)``.
    func copy(_ object: StoredObject, to id: UUID, _ request: Request) async throws {
        let owner = object.session.ownerId
        let (_, creation) = try await awaiting(id, of: owner, replaces: false)
        guard creation.takes(object.media.sizeBytes) else { throw Problem(.uploadMismatch) }
        let media = try await leases.holding(of: owner, for: id, size: object.media.sizeBytes) { lease in
            try await uploads.duplicate(
                object.media, for: id, of: owner, purpose: SessionObjects.purpose(id), renew: lease.renew)
        }
        try await commands.storeUpload(media, of: id, by: owner, request)
    }

    private func awaiting(
        _ id: UUID, of owner: UUID?, replaces: Bool
    ) async throws -> (SessionIdentity, SessionCreation) {
        // Clients send at once what they have recorded; quota may still be deciding.
        let state = try await commands.loadDecided(id, within: settings.quotaWait).state
        guard let session = state.identity, owner ?? session.ownerId == session.ownerId else {
            throw CompatibleError.notAllowed
        }
        if case .open(_, _, .some, _) = state, !replaces { throw CompatibleError.objectExists }
        return try state.awaitingUpload()
    }
}
