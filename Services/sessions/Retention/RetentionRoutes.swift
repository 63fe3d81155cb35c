import Contracts
import EventStore
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit

/// What clients say about how long recordings are kept (`docs/retention.md`).
///
/// | Route | Answer |
/// |---|---|
/// | `GET /v1/retention` | the choice, and what can be chosen |
/// | `PUT /v1/retention` `{keepMediaDays}` | the same after the choice |
@Loop struct RetentionRoutes {
    private let context: ServiceContext
    private let settings: SessionsSettings

    init(_ context: ServiceContext, _ settings: SessionsSettings) {
        self.context = context
        self.settings = settings
    }

    private var commands: CommandHandler<MediaRetention> { CommandHandler(context.store) }

    func add(to router: Router) {
        let callers = CallerRoutes(router, context.tokens)
        callers.on("GET", "/v1/retention", read)
        callers.on("PUT", "/v1/retention", choose)
    }

    private func read(_: Request, _ caller: Caller) async throws -> Response {
        answer(try await commands.load(MediaRetention.stream(caller.user)).state)
    }

    private func choose(_ request: Request, _ caller: Caller) async throws -> Response {
        let body = try await request.jsonObject()
        try body.allow("keepMediaDays")
        let days = try body.int("keepMediaDays")
        let now = Timestamp.now()
        let stream = MediaRetention.stream(caller.user)
        do {
            let outcome = try await commands.put(
                .choose(ownerId: caller.user, keepMediaDays: days, most: settings.retention.mostDays, at: now),
                on: stream, by: caller.user, request)
            return answer(outcome.loaded.state)
        } catch MediaRetentionRefusal.tooLong {
            throw Problem(.retentionTooLong, members: [("mostMediaDays", .int(settings.retention.mostDays))])
        } catch MediaRetentionRefusal.usedUp {
            let left = try await commands.load(stream).state.opensAt - now
            throw Problem(
                .retentionChangesUsedUp, headers: ["Retry-After": "\(max(1, left.components.seconds))"])
        }
    }

    /// What an owner chose once, and the operator does not allow any more, counts as what the operator allows.
    private func answer(_ state: MediaRetention) -> Response {
        let most = settings.retention.mostDays
        return .json([
            "keepMediaDays": .int(min(state.keepMediaDays, most)), "mostMediaDays": .int(most),
            "kinds": .array(
                settings.kinds.uploaded.map { kind in
                    [
                        "kind": kind.json,
                        "mostMediaDays": .int(min(most, settings.kinds.upload(of: kind)?.keptDays ?? most)),
                    ]
                }),
        ])
    }
}
