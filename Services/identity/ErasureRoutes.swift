import Contracts
import EventStore
import HTTPServer
import JSON
import Mail
import Primitives
import Runtime
import ServiceKit

/// The erasure of the caller, and its receipt.
@Loop struct ErasureRoutes {
    private let store: EventStore
    private let outbox: MailOutbox
    private let wait: Duration

    /// - Parameter wait: how long the answer to an erasure waits for the other services.
    init(_ context: ServiceContext, _ outbox: MailOutbox, wait: Duration) {
        store = context.store
        self.outbox = outbox
        self.wait = wait
    }

    private var users: CommandHandler<User> { CommandHandler(store) }

    /// Erases the caller here; everyone else follows the message. Answers the receipt: 200 when every service has
    /// confirmed, else 202; asking again changes nothing and answers it as it is then.
    func erase(_ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        _ = try await users.handle(
            .erase(here: IdentityRows.removed(with: user, store.pool)), on: User.stream(user), id: .v7(),
            requestHash: user.bytes, metadata: request.metadata(owner: user), thoughErased: true)
        outbox.wake()
        return try await receipt(user, waiting: wait)
    }

    /// The receipt of an erasure, as long as the access token is valid.
    func read(_ request: Request, _ caller: Caller) async throws -> Response {
        try await receipt(caller.user, waiting: .zero)
    }

    private func receipt(_ id: UUID, waiting: Duration) async throws -> Response {
        let user = try await users.load(User.stream(id), waiting: waiting) {
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
        return .personal(["erasure": receipt], status: user.isFullyErased ? 200 : 202)
    }
}
