import Access
import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Mail
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The erasure of the caller, and its receipt.
@Loop struct ErasureRoutes {
    private let store: EventStore
    private let states: KeptStates<User>
    private let security: SecurityLog
    private let outbox: MailOutbox
    private let wait: Duration
    private let links: SignedLinks
    private let receiptLifetime: Duration
    private let credentials: Credentials
    private let fresh: FreshSignIn

    init(
        _ context: ServiceContext, _ settings: IdentitySettings, _ credentials: Credentials, _ outbox: MailOutbox,
        _ states: KeptStates<User>
    ) {
        store = context.store
        self.states = states
        security = context.security
        self.credentials = credentials
        fresh = FreshSignIn(context.settings)
        self.outbox = outbox
        wait = settings.erasureWait
        let receipts = settings.access.secrets.receipts
        links = SignedLinks(
            keys: { receipts.all }, publicURL: context.settings.publicURL,
            invalid: .receiptAddressInvalid, expired: .receiptAddressExpired)
        receiptLifetime = settings.receiptLifetime
    }

    private var users: CommandHandler<User> { CommandHandler(store) }

    /// Erases the caller here; everyone else follows the message. Answers the receipt: 200 when every service has
    /// confirmed, else 202; asking again changes nothing, needs no fresh sign-in and answers it as it is then.
    func erase(_ request: Request, _ caller: Caller) async throws -> Response {
        let user = caller.user
        guard try await states.state(of: User.stream(user)).phase != .erased else {
            return try await receipt(user, waiting: wait)
        }
        try await fresh.require(caller) { try await credentials.proofs(of: user).map(\.rawValue) }
        try await erase(user, request.metadata(owner: user), if: [caller.stands])
        security.note(.userErased, of: user, request)
        outbox.wake()
        return try await receipt(user, waiting: wait)
    }

    /// Erases a user whom whoever runs this server wants gone, here; everyone else follows the message.
    ///
    /// - Parameter actor: who it is, for the events.
    /// - Throws: `UserRefusal.unknown`, `AppendError` or `PostgresError`.
    func erase(_ user: UUID, actor: String, _ request: Request) async throws {
        try await erase(user, request.metadata(owner: user, actor: actor), if: [])
        security.note(.userErased, of: user, request, ["actor": .string(actor)])
        outbox.wake()
    }

    private func erase(_ user: UUID, _ metadata: EventMetadata, if proven: [RowCall]) async throws {
        try await store.append {
            let loaded = try await users.load(User.stream(user))
            let removed = try await IdentityRows.removed(with: user, store.pool)
            // Before the decision's own rows, with which all login sessions go; somebody who is erased has none any more.
            return Append(
                id: .v7(), requestHash: user.bytes, metadata: metadata,
                decisions: [try loaded.decide(.erase(here: removed))], thoughErased: true
            ).adding(first: loaded.state.phase == .erased ? [] : proven)
        }
    }

    /// The receipt of an erasure, as long as the access token is valid.
    func read(_ request: Request, _ caller: Caller) async throws -> Response {
        try await receipt(caller.user, waiting: .zero)
    }

    /// The receipt for whoever has its address, which the erasure gave; it says nothing of a person, and no new address.
    func readByAddress(_ request: Request) async throws -> Response {
        let user = try request.id("user")
        try links.check(request, path: path(user))
        return try await receipt(user, waiting: .zero, hasAddress: true)
    }

    /// When a user was erased; the address follows from it, so that it is the same however often somebody asks.
    private func erasure(of user: UUID) async throws -> Timestamp {
        let row = try await store.pool.query(
            "select erased_at from erased_subjects where subject = $1", [.uuid(user)]
        ).first
        return row?.time(0) ?? .now()
    }

    private func path(_ user: UUID) -> String { "/v1/erasures/\(user)" }

    private func receipt(_ id: UUID, waiting: Duration, hasAddress: Bool = false) async throws -> Response {
        let user = try await states.state(of: User.stream(id), waiting: waiting) {
            // Without an erasure there is nothing to wait for.
            $0.phase != .erased || $0.isFullyErased
        }
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
        var receipt: JSONObject = [
            "userId": .uuid(id), "complete": .bool(user.isFullyErased), "services": .array(services),
        ]
        if !hasAddress {
            let end = try await erasure(of: id) + receiptLifetime
            receipt["receipt"] = ["url": .string(links.url("GET", path(id), until: end)), "expiresAt": .time(end)]
        }
        return .personal(["erasure": .object(receipt)], status: user.isFullyErased ? 200 : 202)
    }
}
