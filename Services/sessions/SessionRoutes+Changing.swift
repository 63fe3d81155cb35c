import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import ServiceKit
import Uploads

/// The requests that change a session: uploading, finalizing, cancelling, removing.
extension SessionRoutes {
    /// Where the file of a session is put, by whoever has the address.
    nonisolated static func uploadPath(_ session: UUID) -> String { "/v1/uploads/\(session)" }

    func upload(_ request: Request) async throws -> Response {
        let id = try request.id("id")
        try links.check(request, path: Self.uploadPath(id))
        let (session, creation, _) = try await commands.load(Session.stream(id)).state.awaitingUpload()
        let key = "uploads/\(session.ownerId)/\(id)/\(UUID.v7())"
        let media = try await uploads.receive(
            request.body, as: key, of: session.ownerId, purpose: "session \(id)",
            ExpectedUpload(
                size: creation.contentLength, contentType: creation.contentType, sha256: creation.sha256))
        try await put(.storeUpload(by: session.ownerId, media), id, request, session.ownerId) { state, events in
            if events.isEmpty { return [] }
            guard case .open(_, _, let earlier?) = state else { return [.keepObject(key)] }
            return [.keepObject(key), .discardObject(earlier.key)]
        }
        return .json(["sha256": .string(media.sha256), "sizeBytes": .int(media.sizeBytes)])
    }

    func finalize(_ request: Request, _ caller: Caller) async throws -> Response {
        let view = try await view(request, caller)
        let (id, owner) = (view.row.id, view.row.ownerId)
        let deadline = Timestamp.now() + settings.processingDeadline
        var uploaded = ""
        var sealed = ""
        var calls: [RowCall] = []
        if case .open(_, _, let upload?) = view.state {
            uploaded = upload.key
            // From the upload's own key, so that a repeat after a crash seals to the same place.
            sealed = "media/\(owner)/\(id)/\(UUID.v5(namespace: id, name: uploaded))"
            guard let seals = try await uploads.seal(uploaded, as: sealed, of: owner, purpose: "session \(id)")
            else { throw SessionRefusal.uploadChanged }
            calls = seals
        }
        let command = SessionCommand.finalize(by: owner, uploaded: uploaded, sealed: sealed, deadline: deadline)
        let isNew = try await put(command, id, request, owner) { _, events in events.isEmpty ? [] : calls }
        return .json(json(try await SessionView.read(context.store, id, of: owner)), status: isNew ? 202 : 200)
    }

    func cancel(_ request: Request, _ caller: Caller) async throws -> Response {
        try await put(.cancel(by: caller.user), try request.id("id"), request, caller.user)
        return .json(json(try await view(request, caller)))
    }

    func delete(_ request: Request, _ caller: Caller) async throws -> Response {
        try await put(.delete(by: caller.user), try request.id("id"), request, caller.user)
        return .noContent
    }

    /// Puts a command of an owner to a session.
    ///
    /// - Returns: whether it changed anything.
    @discardableResult
    private func put(
        _ command: SessionCommand, _ id: UUID, _ request: Request, _ owner: UUID,
        calls: (Session, [SessionEvent]) -> [RowCall] = { _, events in SessionsService.rows(events) }
    ) async throws -> Bool {
        try await !commands.handle(
            command, on: Session.stream(id), id: .v7(), requestHash: [], metadata: request.metadata(owner: owner),
            calls: calls
        ).events.isEmpty
    }
}
