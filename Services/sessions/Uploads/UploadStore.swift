package import Contracts
import Crypto
package import EventStore
package import HTTPServer
package import ObjectStorage
package import Primitives
package import Runtime
import ServiceKit

/// Keeps the files that owners bring, each announced before its bytes are written, so that none is left behind: whoever
/// wants one puts the calls that it comes with into the append that says so, before the deadline.
@Loop package struct UploadStore {
    private let store: EventStore
    private let objects: any ObjectStore
    /// How long a file may wait for the append that wants it.
    private let patience: Duration

    /// - Parameter patience: how long a file may wait for the append that wants it.
    package init(_ store: EventStore, _ objects: any ObjectStore, patience: Duration) {
        self.store = store
        self.objects = objects
        self.patience = patience
    }

    /// Writes a request's body under a key of its own.
    ///
    /// - Parameters:
    ///   - purpose: what it is for, as operators see it.
    ///   - renew: is called for each piece that has come.
    /// - Throws: the problems `length-required`, `upload-mismatch` and `media-type-mismatch`; what `renew` throws; `ObjectStoreError`;
    ///   `AppendError.erased` for an erased owner.
    package func receive(
        _ body: RequestBody, for session: UUID, of owner: UUID, purpose: String, _ expected: ExpectedUpload,
        renew: () async throws -> Void
    ) async throws -> MediaReference {
        guard let length = body.length else { throw Problem(.lengthRequired) }
        guard length == expected.size else { throw Problem(.uploadMismatch) }
        return try await take(expected, for: session, of: owner, purpose, renew) { try await body.next() }
    }

    /// Brings the parts of a file together under a key of its own, and sees on the way that it is what was announced.
    ///
    /// - Parameters:
    ///   - parts: those in the store, in the order of the file and without a gap.
    ///   - rest: the bytes behind them; at least one byte in all.
    ///   - purpose: what it is for, as operators see it.
    ///   - renew: is called for each piece.
    /// - Throws: the problems `upload-mismatch` and `media-type-mismatch`, and `upload-gone` for parts that are not there any more;
    ///   what `renew` throws; `ObjectStoreError`; `AppendError.erased` for an erased owner.
    package func join(
        _ parts: [UploadPart], _ rest: [UInt8], for session: UUID, of owner: UUID, purpose: String,
        _ expected: ExpectedUpload, renew: () async throws -> Void
    ) async throws -> MediaReference {
        let size = (parts.last?.end ?? 0) + Int64(rest.count)
        guard size == expected.size else { throw Problem(.uploadMismatch) }
        var left = parts[...]
        var offset: Int64 = 0
        do {
            return try await take(expected, for: session, of: owner, purpose, renew) {
                guard let part = left.popFirst() else {
                    defer { offset = size }
                    return offset < size ? rest : nil
                }
                let bytes = try await objects.read(part.key, limit: UploadPart.bytes)
                guard part.start == offset, part.size == bytes.count else { throw Problem(.uploadGone) }
                offset = part.end
                return bytes
            }
        } catch ObjectStoreError.missing {
            throw Problem(.uploadGone)
        }
    }

    /// Writes a copy of a file under another key.
    ///
    /// - Parameters:
    ///   - purpose: what it is for, as operators see it.
    ///   - renew: is called before it is written.
    /// - Throws: the problem `upload-gone` when the file is not there any more; what `renew` throws; `ObjectStoreError`;
    ///   `AppendError.erased` for an erased owner.
    package func duplicate(
        _ media: MediaReference, for session: UUID, of owner: UUID, purpose: String, renew: () async throws -> Void
    ) async throws -> MediaReference {
        let key = Self.newKey(for: session, of: owner)
        let end = try await announce(key, owner, purpose)
        try await renew()
        do {
            _ = try await copy(media, to: key, without: [], until: end)
        } catch ObjectStoreError.missing {
            throw Problem(.uploadGone)
        }
        var copied = media
        copied.key = key
        return copied
    }

    /// A file that no client can write to, and that says nothing of the place where it was recorded.
    package struct Sealed {
        package let key: String
        /// The SHA-256 of its bytes in hexadecimal digits, when they are others than those that came.
        package let sha256: String?
        /// What keeps it and gives up the one that came.
        package let calls: [RowCall]
    }

    /// Brings a file to a key that no client can write to, without what it says of the place where it was recorded.
    ///
    /// Most files say nothing of that: they are moved, inside the store. Others are written anew, piece by piece.
    ///
    /// - Parameter sealed: where it is moved to, or how the key begins that it is written to.
    /// - Returns: nil when the file is not there any more.
    /// - Throws: `ObjectStoreError` or `AppendError`.
    package func seal(
        _ media: MediaReference, as sealed: String, of owner: UUID, purpose: String
    ) async throws -> Sealed? {
        do {
            // What was recognised when it came: one of the two families.
            let type = MediaType(rawValue: media.contentType) ?? .mp4
            let places: [Overwriting]
            do {
                places = try await EmbeddedMetadata.overwritings(in: type, size: media.sizeBytes) { offset, count in
                    try await objects.read(media.key, from: offset, count: count)
                }
            } catch ObjectStoreError.missing {
                // Moved before a crash, or gone: only the move can tell, and it moves nothing that was not looked at.
                places = []
            }
            let (key, sha256) = try await bring(media, to: sealed, without: places, of: owner, purpose)
            CrashPoint.reached("upload.after-seal")
            return Sealed(
                key: key, sha256: sha256, calls: [KitRows.keepObject(key), KitRows.discardObject(media.key)])
        } catch ObjectStoreError.missing {
            return nil
        }
    }

    private func bring(
        _ media: MediaReference, to sealed: String, without places: [Overwriting], of owner: UUID, _ purpose: String
    ) async throws -> (key: String, sha256: String?) {
        guard !places.isEmpty else {
            _ = try await announce(sealed, owner, purpose)
            try await objects.move(media.key, to: sealed)
            return (sealed, nil)
        }
        // Each attempt has a key of its own: one that is given up takes away nothing that another has written.
        let key = "\(sealed)-\(UUID.v4())"
        let end = try await announce(key, owner, purpose)
        return (key, try await copy(media, to: key, without: places, until: end))
    }

    /// Writes a file that somebody brings, in constant memory, and sees on the way that it is what was announced.
    ///
    /// - Parameter next: gives its pieces, then nil.
    private func take(
        _ expected: ExpectedUpload, for session: UUID, of owner: UUID, _ purpose: String,
        _ renew: () async throws -> Void, _ next: () async throws -> [UInt8]?
    ) async throws -> MediaReference {
        let key = Self.newKey(for: session, of: owner)
        let end = try await announce(key, owner, purpose)
        var prefix: [UInt8] = []
        var type: MediaType?
        let digest = try await write(expected.size, as: key, until: end, sha256: expected.sha256) {
            let piece = try await next()
            if type == nil {
                prefix += (piece ?? []).prefix(MediaType.prefixLength - prefix.count)
                if piece == nil || prefix.count == MediaType.prefixLength { type = try expected.type(of: prefix) }
            }
            if piece != nil { try await renew() }
            return piece
        }
        CrashPoint.reached("upload.after-object")
        return MediaReference(
            key: key, sha256: digest, sizeBytes: expected.size, contentType: (type ?? expected.type).rawValue)
    }

    /// - Parameter end: until when it must be there.
    /// - Returns: the SHA-256 of what was written, in hexadecimal digits.
    private func copy(
        _ media: MediaReference, to key: String, without places: [Overwriting], until end: Timestamp
    ) async throws -> String {
        var offset: Int64 = 0
        var left = places[...]
        return try await write(media.sizeBytes, as: key, until: end) {
            guard offset < media.sizeBytes else { return nil }
            let count = Int(min(media.sizeBytes - offset, Self.pieceBytes))
            var piece = try await objects.read(media.key, from: offset, count: count)
            guard piece.count == count else { throw ObjectStoreError.missing(media.key) }
            // There may be very many, in the order of the file.
            left = left.drop { $0.range.upperBound <= offset }
            for place in left.prefix(while: { $0.range.lowerBound < offset + Int64(count) }) {
                place.apply(to: &piece, at: offset)
            }
            offset += Int64(count)
            return piece
        }
    }

    /// Writes an object piece by piece; nothing is left of one that is not finished.
    ///
    /// - Parameters:
    ///   - end: until when it must be there.
    ///   - announced: what its SHA-256 must be, if somebody said so.
    ///   - next: gives its pieces, then nil.
    /// - Returns: its SHA-256 in hexadecimal digits.
    private func write(
        _ size: Int64, as key: String, until end: Timestamp, sha256 announced: String? = nil,
        _ next: () async throws -> [UInt8]?
    ) async throws -> String {
        let writer = try await objects.makeWriter(key, size: size)
        do {
            var hash = SHA256()
            while let piece = try await next() {
                hash.update(piece)
                try await writer.write(piece)
            }
            let digest = Hex.encode(hash.finalize())
            if let announced, announced != digest { throw Problem(.uploadMismatch) }
            try Self.check(end)
            try await writer.commit()
            return digest
        } catch {
            await writer.abandon()
            throw error
        }
    }

    /// A key that nothing else has, for what comes of a session's file.
    static func newKey(for session: UUID, of owner: UUID) -> String {
        ObjectFolder.uploads.key("\(owner)/\(session)/\(UUID.v7())")
    }

    /// How much of a file is in memory at once while it is written anew, in bytes.
    private static let pieceBytes: Int64 = 524_288

    /// How long before its deadline a file is given up: its commit takes a moment, and the database has a clock of its own.
    private static let margin = Duration.seconds(30)

    /// - Returns: until when the file must be there: the margin before its deadline, of a short patience a part of that.
    private func announce(_ key: String, _ owner: UUID, _ purpose: String) async throws -> Timestamp {
        let deadline = Timestamp.now() + patience
        try await store.intendObject(key, of: owner, purpose: purpose, until: deadline)
        return deadline - min(Self.margin, patience / 4)
    }

    /// Once the sweeper has given a file up, its bytes would lie there for ever.
    private static func check(_ end: Timestamp) throws {
        guard .now() < end else {
            throw ObjectStoreError.unavailable("It took the file longer than it may wait for; it is to be sent again.")
        }
    }
}
