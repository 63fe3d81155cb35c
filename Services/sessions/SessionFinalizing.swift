import Contracts
import EventSourcing
import EventStore
import Primitives
import Runtime
import ServiceKit
import Uploads

/// Brings the upload of a session to where no client can reach it, and has the work on it begin.
@Loop struct SessionFinalizing {
    private let commands: CommandHandler<Session>
    private let uploads: UploadStore
    /// For how long the work may go on.
    private let patience: Duration

    init(_ store: EventStore, _ uploads: UploadStore, patience: Duration) {
        commands = CommandHandler(store)
        self.uploads = uploads
        self.patience = patience
    }

    /// Finalizes the upload of a session as it was read.
    ///
    /// - Returns: what came of it, without events when another call was quicker.
    /// - Throws: `SessionRefusal`; as ``UploadStore/seal(_:as:of:purpose:)``.
    func finalize(
        _ id: UUID, of owner: UUID, from loaded: CommandHandler<Session>.Loaded, _ metadata: EventMetadata
    ) async throws -> CommandHandler<Session>.Outcome {
        var loaded = loaded
        let deadline = Timestamp.now() + patience
        var uploaded = ""
        var sealed: UploadStore.Sealed?
        if case .open(_, _, let upload?, _) = loaded.state {
            // From the upload's own key, so that a repeat after a crash seals to the same place.
            let key = ObjectFolder.media.key("\(owner)/\(id)/\(UUID.v5(namespace: id, name: upload.key))")
            sealed = try await uploads.seal(upload, as: key, of: owner, purpose: SessionObjects.purpose(id))
            // Another call was quicker, which this one is answered like, or a newer upload took its place.
            if sealed == nil { loaded = try await commands.load(Session.stream(id)) } else { uploaded = upload.key }
        }
        let calls = sealed?.calls ?? []
        // Nothing is finalized under the name of no upload.
        let command = SessionCommand.finalize(
            by: owner, uploaded: uploaded, sealed: sealed?.key ?? "", sha256: sealed?.sha256, deadline: deadline)
        return try await commands.handle(
            command, on: Session.stream(id), from: loaded, id: .v7(), requestHash: [], metadata: metadata
        ) { _, events in events.isEmpty ? [] : calls }
    }
}
