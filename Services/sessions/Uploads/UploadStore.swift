package import Contracts
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

    /// Writes a request's body under a key.
    ///
    /// - Parameters:
    ///   - purpose: what it is for, as operators see it.
    ///   - renew: is called for each piece that has come.
    /// - Throws: as ``UploadReceiver/receive(_:as:_:renew:)``; `AppendError.erased` for an erased owner.
    package func receive(
        _ body: RequestBody, as key: String, of owner: UUID, purpose: String, _ expected: ExpectedUpload,
        renew: () async throws -> Void
    ) async throws -> MediaReference {
        try await announce(key, owner, purpose)
        let hash = try await UploadReceiver(objects).receive(body, as: key, expected, renew: renew)
        CrashPoint.reached("upload.after-object")
        return MediaReference(
            key: key, sha256: hash, sizeBytes: expected.size, contentType: expected.type.rawValue)
    }

    /// Moves a file to a key that no client can write to.
    ///
    /// - Returns: the calls that keep the one and give up the other; nil when the file is not there any more.
    /// - Throws: `ObjectStoreError` or `AppendError`.
    package func seal(_ key: String, as sealed: String, of owner: UUID, purpose: String) async throws -> [RowCall]? {
        try await announce(sealed, owner, purpose)
        do {
            try await objects.move(key, to: sealed)
        } catch ObjectStoreError.missing {
            return nil
        }
        CrashPoint.reached("upload.after-seal")
        return [KitRows.keepObject(sealed), KitRows.discardObject(key)]
    }

    private func announce(_ key: String, _ owner: UUID, _ purpose: String) async throws {
        try await store.intendObject(key, of: owner, purpose: purpose, until: .now() + patience)
    }
}
