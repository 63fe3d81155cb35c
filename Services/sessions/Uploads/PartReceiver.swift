package import EventStore
import HTTPServer
package import ObjectStorage
import Postgres
import Primitives
package import Runtime
import ServiceKit

/// Takes what one request brings of a file that comes in pieces, and keeps it as parts: in memory is one of them, and what was kept
/// is not lost, whatever dies.
///
/// Parts begin at multiples of their size, whatever the size of the pieces: what a request has left of one is read again by the next
/// and written anew with more behind it, so there are never more of them than a file of that size needs. The last bytes of the file
/// become no part: they stay in memory until all is brought together.
@Loop package final class PartReceiver {
    /// How many parts are announced by one append.
    private static let announced: Int64 = 16
    /// How long a part may still be on its way when nothing more is taken of the upload.
    private static let margin = Duration.seconds(120)

    private let upload: ResumableUpload
    private let store: EventStore
    private let objects: any ObjectStore
    private let purpose: String
    private let expected: ExpectedUpload
    /// Where the request's bytes end.
    private let most: Int64
    /// Whether nothing counts before all of the request is known to be right.
    private let isChecked: Bool

    /// Where in the file the bytes in memory begin.
    package private(set) var start: Int64
    /// The bytes in memory: less than a part, or the last ones of the file.
    package private(set) var bytes: [UInt8] = []
    /// How much of the file has been counted.
    private var counted: Int64
    /// The part that is written anew, if the file did not end with a whole one.
    private var tail: UploadPart?
    /// What lies in the store, and is not counted yet.
    package private(set) var waiting: [UploadPart] = []
    private var keys: [String] = []

    /// - Parameters:
    ///   - purpose: what the parts are for, as operators see it.
    ///   - count: how many bytes the request brings.
    ///   - isChecked: whether nothing counts before ``count()``.
    package init(
        _ upload: ResumableUpload, _ store: EventStore, _ objects: any ObjectStore, purpose: String,
        _ expected: ExpectedUpload, count: Int64, isChecked: Bool
    ) {
        self.upload = upload
        self.store = store
        self.objects = objects
        self.purpose = purpose
        self.expected = expected
        self.isChecked = isChecked
        most = upload.received + count
        start = upload.received
        counted = upload.received
    }

    /// How much of the file is there with what is in memory, in bytes.
    package var end: Int64 { start + Int64(bytes.count) }

    /// Whether all of the file is there.
    package var isWhole: Bool { end == upload.size }

    /// Reads the part again that the request goes on with.
    ///
    /// - Returns: false when it is not there any more: something else has gone on with it.
    /// - Throws: `PostgresError` or `ObjectStoreError`.
    package func begin() async throws -> Bool {
        guard let last = try await ResumableUploads(store.pool).parts(of: upload.id).last else { return counted == 0 }
        guard last.end == counted else { return false }
        guard last.size < UploadPart.bytes else { return true }
        do {
            bytes = try await objects.read(last.key, limit: UploadPart.bytes)
        } catch ObjectStoreError.missing {
            return false
        }
        guard bytes.count == last.size else { return false }
        start = last.start
        tail = last
        return true
    }

    /// Takes a piece of the file.
    ///
    /// - Throws: as ``keep()``.
    package func take(_ piece: [UInt8]) async throws {
        var left = piece[...]
        while !left.isEmpty {
            let room = UploadPart.bytes - bytes.count
            bytes += left.prefix(room)
            left = left.dropFirst(room)
            if bytes.count == UploadPart.bytes, !isWhole { try await keep() }
        }
    }

    /// Keeps what is in memory, but for the last bytes of the file. Being cancelled does not stop it: who hangs up has sent these bytes.
    ///
    /// - Throws: the problem `media-type-mismatch`; as ``count()``; `AppendError` or `ObjectStoreError`.
    package func keep() async throws {
        guard end > (waiting.last?.end ?? counted), !isWhole else { return }
        if start == 0, bytes.count >= MediaType.prefixLength { try expected.type(of: bytes) }
        try await Loop.task { [self] in
            let part = UploadPart(start: start, size: Int64(bytes.count), key: try await makeKey())
            try await objects.write(bytes, to: part.key)
            waiting.append(part)
            if !isChecked { try await count() }
            guard bytes.count == UploadPart.bytes else { return }
            start = part.end
            bytes = []
        }.value
    }

    /// Counts what lies in the store.
    ///
    /// - Throws: the problem `upload-offset-mismatch` when something else was counted meanwhile, or the upload is over;
    ///   `PostgresError`, after which nobody knows whether it was counted.
    package func count() async throws {
        guard let last = waiting.last else { return }
        guard try await ResumableUploads(store.pool).add(waiting, to: upload.id, after: counted) else {
            throw Problem(.uploadOffsetMismatch)
        }
        counted = last.end
        waiting = []
        // What has taken its place is counted.
        if let tail { await drop(tail) }
        tail = last.size < UploadPart.bytes ? last : nil
    }

    /// Removes what must not be counted; what cannot be removed now goes with its deadline.
    package func forget() async {
        for part in waiting { await drop(part) }
        waiting = []
    }

    /// Removes a part, and then what says that it may be there.
    private func drop(_ part: UploadPart) async {
        do {
            try await objects.delete(part.key)
            _ = try await store.pool.query("delete from object_intents where object_key = $1", [.text(part.key)])
        } catch {
            // It goes with its deadline.
        }
    }

    /// A key that was announced.
    private func makeKey() async throws -> String {
        if keys.isEmpty {
            let size = Int64(UploadPart.bytes)
            // The last bytes of the file become none.
            let needed = most >= upload.size ? (upload.size - 1 - start) / size : (most - start + size - 1) / size
            keys = (0..<max(1, min(needed, Self.announced))).map { _ in
                UploadStore.newKey(for: upload.session, of: upload.owner)
            }
            try await store.intendObjects(
                keys, of: upload.owner, purpose: purpose, until: upload.expiresAt + Self.margin)
        }
        return keys.removeFirst()
    }
}
