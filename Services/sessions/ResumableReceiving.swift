import Contracts
import Crypto
import EventSourcing
import EventStore
import HTTPServer
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit
import Uploads

/// How the file of a session comes in pieces, whatever surface it comes to: the same session, the same decisions and the same file in
/// the end as with one request.
@Loop struct ResumableReceiving {
    private let store: EventStore
    private let settings: SessionsSettings
    private let uploads: UploadStore
    private let objects: any ObjectStore
    private let leases: UploadLeases
    private let table: ResumableUploads

    init(_ store: EventStore, _ settings: SessionsSettings, _ uploads: UploadStore, _ objects: any ObjectStore) {
        self.store = store
        self.settings = settings
        self.uploads = uploads
        self.objects = objects
        leases = UploadLeases(store.pool, mostBytes: settings.uploads.bytesAtOnce)
        table = ResumableUploads(store.pool)
    }

    private var commands: CommandHandler<Session> { CommandHandler(store) }

    /// Begins an upload to a session of an owner, in the place of one that was begun before.
    ///
    /// - Throws: the problems `not-found`, and `upload-mismatch` for another size than was announced; `SessionRefusal`;
    ///   `AppendError`, `EventDecodingError` or `PostgresError`.
    func begin(_ id: UUID, of owner: UUID, size: Int64, _ metadata: EventMetadata) async throws -> ResumableUpload {
        let state = try await commands.load(Session.stream(id)).state
        guard state.identity?.ownerId == owner else { throw Problem.notFound }
        let (session, creation) = try state.awaitingUpload()
        guard creation.takes(size) else { throw Problem(.uploadMismatch) }
        let upload = ResumableUpload(
            id: .v4(), session: session.sessionId, owner: owner, size: size, expiresAt: creation.expiresAt)
        try await store.append(
            Append(id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: [ResumableRows.begin(upload)]))
        return upload
    }

    /// An upload as far as it has come.
    ///
    /// - Throws: the problem `upload-gone`; `SessionRefusal` for a session that takes no file any more; `EventDecodingError` or
    ///   `PostgresError`.
    func find(_ id: UUID) async throws -> ResumableUpload {
        guard let upload = try await table.find(id) else { throw Problem(.uploadGone) }
        // What is stored stays so, whatever its session has come to.
        if !upload.isStored { _ = try await commands.load(Session.stream(upload.session)).state.awaitingUpload() }
        return upload
    }

    /// Takes a piece of a file, and the whole when it is the last one. What had come when its client hangs up is kept.
    ///
    /// - Parameter left: how long the client may take.
    /// - Returns: the upload with it.
    /// - Throws: a problem 4xx; `SessionRefusal`; `AppendError`, `EventDecodingError`, `PostgresError` or `ObjectStoreError`.
    func receive(
        _ request: Request, _ chunk: TusChunk, to id: UUID, within left: Duration
    ) async throws -> ResumableUpload {
        guard let count = request.body.length else { throw Problem(.lengthRequired) }
        guard let upload = try await table.find(id) else { throw Problem(.uploadGone) }
        do {
            return try await leases.holding(of: upload.owner, for: upload.session, size: max(1, count)) { lease in
                // Another request may have gone on with it before this one got the lease.
                guard var upload = try await table.find(id) else { throw Problem(.uploadGone) }
                guard chunk.offset == upload.received else { throw Self.elsewhere(upload) }
                guard count <= upload.size - upload.received else {
                    throw Problem.bodyTooLarge(limit: upload.size - upload.received)
                }
                if upload.isStored { return upload }
                request.body.demand(
                    bytesPerSecond: settings.uploads.bytesPerSecond, within: left, orElse: Problem(.uploadGone))
                upload.received = try await receive(request, chunk, count, upload, lease)
                upload.isStored = upload.received == upload.size
                return upload
            }
        } catch let problem as Problem where problem.code == .uploadInProgress {
            throw Problem(.uploadLocked, headers: problem.headers)
        }
    }

    /// - Returns: how much has come with it.
    private func receive(
        _ request: Request, _ chunk: TusChunk, _ count: Int64, _ upload: ResumableUpload, _ lease: UploadLease
    ) async throws -> Int64 {
        let (_, creation) = try await commands.load(Session.stream(upload.session)).state.awaitingUpload()
        var expected = try ExpectedUpload(
            size: upload.size, contentType: creation.contentType, sha256: creation.sha256)
        expected.isAnnounced = creation.isAnnounced
        let parts = PartReceiver(
            upload, store, objects, purpose: SessionObjects.purpose(upload.session), expected, count: count,
            isChecked: chunk.checksum != nil)
        guard try await parts.begin() else {
            if let other = try await table.find(upload.id), other.received != upload.received {
                throw Self.elsewhere(other)
            }
            // The store has lost what the table tells of, as after a restore: nobody can go on with it.
            try await end(upload, request.metadata(owner: upload.owner))
            throw Problem(.uploadGone)
        }
        let checksum = chunk.checksum.map { Checksum($0.algorithm) }
        do {
            while let piece = try await request.body.next() {
                try await lease.renew()
                checksum?.update(piece)
                try await parts.take(piece)
            }
        } catch {
            if checksum == nil {
                // As much as there is: whoever goes on begins behind it.
                try? await parts.keep()
            } else {
                // Nobody knows whether it is what it should be.
                await parts.forget()
            }
            throw error
        }
        if let checksum, let right = chunk.checksum?.hash, checksum.finish() != right {
            await parts.forget()
            throw Problem(.uploadChecksumMismatch)
        }
        try await parts.keep()
        try await parts.count()
        if parts.isWhole {
            // A client that hangs up now has sent all: it finds the whole when it asks again.
            try await Loop.task { try await bringTogether(upload, parts, expected, request, lease) }.value
        }
        return parts.end
    }

    private func bringTogether(
        _ upload: ResumableUpload, _ parts: PartReceiver, _ expected: ExpectedUpload, _ request: Request,
        _ lease: UploadLease
    ) async throws {
        let (owner, session) = (upload.owner, upload.session)
        let media: MediaReference
        // Of those in the store the last one may be in memory with more behind it.
        let kept = try await table.parts(of: upload.id).filter { $0.start < parts.start }
        do {
            media = try await uploads.join(
                kept, parts.bytes, for: session, of: owner, purpose: SessionObjects.purpose(session), expected,
                renew: lease.renew)
        } catch let problem as Problem where [.uploadMismatch, .mediaTypeMismatch, .uploadGone].contains(problem.code) {
            // Nothing that comes later makes it what was announced.
            try await end(upload, request.metadata(owner: owner))
            throw problem
        }
        try await commands.storeUpload(media, of: session, by: owner, request, with: [ResumableRows.store(upload.id)])
    }

    /// Gives an upload up that is not stored, with what has come of it.
    ///
    /// - Throws: `AppendError`.
    func end(_ upload: ResumableUpload, _ metadata: EventMetadata) async throws {
        try await store.append(
            Append(id: .v7(), requestHash: [], metadata: metadata, writes: [], calls: [ResumableRows.end(upload.id)]))
    }

    private nonisolated static func elsewhere(_ upload: ResumableUpload) -> Problem {
        Problem(.uploadOffsetMismatch, headers: ["Upload-Offset": "\(upload.received)"])
    }
}
