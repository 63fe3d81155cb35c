import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// The erasure of the caller, and its receipt.
extension IdentityRoutes {
    /// Erases the caller here and everywhere. Answers the receipt: 200 when every service has confirmed, else 202; asking
    /// again changes nothing and answers it as it is then.
    func eraseMe(_ request: Request) async throws -> Response {
        let caller = try await context.tokens.caller(of: request)
        try await IdentityService.erase(caller.user, context.store, metadata(caller.user, request))
        outbox.wake()
        return try await receipt(caller.user, waiting: settings.erasureWait)
    }

    /// The receipt of an erasure, as long as the access token is valid.
    func erasure(_ request: Request) async throws -> Response {
        try await receipt(context.tokens.caller(of: request).user, waiting: .zero)
    }

    private func receipt(_ id: UUID, waiting: Duration) async throws -> Response {
        let user = try await CommandHandler<User>(context.store).load(User.stream(id), waiting: waiting) {
            // Without an erasure there is nothing to wait for.
            $0.state.phase != .erased || $0.state.isFullyErased
        }.state
        guard user.phase == .erased else {
            throw Problem(.notFound, detail: "There is no erasure; DELETE /v1/me erases the user.")
        }
        let services = ServiceName.allCases.map { service -> JSONValue in
            let removed = user.confirmations[service.rawValue]
            return [
                "service": .string(service.rawValue), "state": removed == nil ? "open" : "done",
                "removed": removed.map { .object($0.json) } ?? .null,
            ]
        }
        let receipt: JSONValue = [
            "userId": .uuid(id), "complete": .bool(user.isFullyErased), "services": .array(services),
        ]
        return answer(["erasure": receipt], status: user.isFullyErased ? 200 : 202)
    }
}
