import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import ObjectStorage
import Primitives
import Runtime
import ServiceKit

/// The requests that change a session: finalizing, cancelling, removing.
extension SessionRoutes {
    func finalize(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let id = try id(request)
        let view = try await SessionView.read(context.store, id, of: caller.user)
        let deadline = Timestamp.now() + settings.processingDeadline
        var uploaded = ""
        var sealed = ""
        var calls: [RowCall] = []
        if case .open(_, _, let upload?) = view.state {
            uploaded = upload.key
            // From the upload's own key, so that a repeat after a crash seals to the same place.
            sealed = "media/\(caller.user)/\(id)/\(UUID.v5(namespace: id, name: upload.key))"
            try await context.store.intendObject(
                sealed, of: caller.user, purpose: "session \(id)", until: .now() + settings.sessionLifetime)
            do {
                try await objects.move(uploaded, to: sealed)
            } catch ObjectStoreError.missing {
                throw SessionRefusal.uploadChanged
            }
            calls = [.keepObject(sealed), .discardObject(uploaded)]
        }
        let outcome = try await commands.handle(
            .finalize(by: caller.user, uploaded: uploaded, sealed: sealed, deadline: deadline),
            on: Session.stream(id), id: .v7(), requestHash: [], metadata: metadata(request, caller)
        ) { _, events in events.isEmpty ? [] : calls }
        let now = try await SessionView.read(context.store, id, of: caller.user)
        return .json(json(now), status: outcome.events.isEmpty ? 200 : 202)
    }

    func cancel(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        let id = try id(request)
        try await end(.cancel(by: caller.user), id, request, caller)
        return .json(json(try await SessionView.read(context.store, id, of: caller.user)))
    }

    func delete(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        try await end(.delete(by: caller.user), try id(request), request, caller)
        return .noContent
    }

    private func end(_ command: SessionCommand, _ id: UUID, _ request: Request, _ caller: Caller) async throws {
        _ = try await commands.handle(
            command, on: Session.stream(id), id: .v7(), requestHash: [], metadata: metadata(request, caller)
        ) { _, events in SessionsService.rows(events) }
    }
}
