import Contracts
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import notifications

typealias Group = ServiceUnderTest<NotificationsService>

/// The service's own variables, with receivers on this machine.
let variables = [
    "WEBHOOK_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4), "WEBHOOK_LOCAL_RECEIVERS": "true",
]

/// Runs a test with the service and a receiver.
@Loop func withReceiver(
    _ more: [String: String] = [:], background: Bool = true, _ body: @Loop (Group, Receiver) async throws -> Void
) async throws {
    try await Receiver.run { receiver in
        try await withService(
            NotificationsService.self, variables.merging(more) { $1 }, background: background
        ) { group in try await body(group, receiver) }
    }
}

extension ServiceUnderTest<NotificationsService> {
    /// Adds an endpoint.
    ///
    /// - Returns: its id and its secret.
    func endpoint(
        at url: String, of owner: UUID, _ kinds: [NoticeKind] = NoticeKind.choices
    ) async throws -> (id: UUID, secret: String) {
        let answer = try await send(
            "POST", "/v1/webhooks/endpoints", as: owner,
            json: ["url": .string(url), "kinds": .array(kinds.map { .string($0.rawValue) })])
        try #require(answer.status == 201)
        return (try answer.json.uuid("endpointId"), try answer.json.string("secret"))
    }

    func endpoints(of owner: UUID) async throws -> [JSONValue] {
        try await send("GET", "/v1/webhooks/endpoints", as: owner).json.array("items")
    }

    func deliveries(of endpoint: UUID, _ owner: UUID) async throws -> [JSONValue] {
        try await send("GET", "/v1/webhooks/endpoints/\(endpoint)/deliveries", as: owner).json.array("items")
    }

    /// Lets what waits be due now.
    func hurry() async throws {
        _ = try await administrator.query("update webhook_deliveries set due_at = now() where due_at is not null")
        _ = try await administrator.query(
            """
            update webhook_endpoints e set next_due = (
                select min(due_at) from webhook_deliveries d where d.endpoint_id = e.endpoint_id)
            """)
    }

    func ready(_ session: UUID = .v7(), of owner: UUID) -> ReportReady {
        ReportReady(
            SessionReference(sessionId: session, ownerId: owner), reportId: .v5(namespace: session, name: "report"))
    }
}
