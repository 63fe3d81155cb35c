import Contracts
import EventSourcing
import EventSourcingTesting
import JSON
import Primitives
import Testing

@testable import notifications

private typealias f = Fixture

@Suite struct `Private events of notifications` {
    @Test(arguments: f.everyEvent) func `come back from their stored form`(event: NotificationEvent) throws {
        #expect(try storedAndRead(event) == event)
    }

    @Test func `have names that never change, and are published as at most one message`() {
        #expect(
            f.everyEvent.map(\.type.description) == [
                "WebhookEndpointAdded.v1", "WebhookEndpointRemoved.v1", "WebhookEndpointDisabled.v1",
                "WebhookEndpointDisabled.v1", "WebhookSecretRotated.v1", "NoticeRaised.v1", "SubjectErased.v1",
            ])
        let told = f.everyEvent.map { PublishedByNotifications.outgoing(for: $0)?.type.name }
        #expect(told == [nil, nil, nil, nil, nil, nil, "SubjectErased"])
    }

    private static let unknown: [(String, String, JSONValue)] = [
        ("WebhookEndpointDisabled", "reason", "tired"), ("NoticeRaised", "endpointIds", ["x"]),
        ("NoticeRaised", "notice", ["kind": "report.lost"]), ("WebhookEndpointAdded", "endpoint", ["kinds": [1]]),
    ]

    @Test(arguments: unknown)
    func `with something unknown in them are refused`(name: String, member: String, value: JSONValue) throws {
        let event = try #require(f.everyEvent.first { $0.type.name == name })
        var data = event.data
        if let old = data[member]?.objectValue, let new = value.objectValue {
            data[member] = .object(old.adding(membersOf: new))
        } else {
            data[member] = value
        }
        #expect(throws: EventDecodingError.self) { try NotificationEvent.decode(event.type, data) }
    }

    @Test func `are told to people without an address`() {
        #expect(
            f.everyEvent.compactMap(\.words) == [
                "is told of report.ready, session.failed at endpoint \(f.endpointId)",
                "sends endpoint \(f.endpointId) nothing more: it answered that it is gone",
                "sends endpoint \(f.endpointId) nothing more: for days nothing arrived there",
                "tells of report.ready at 1 endpoint",
            ])
    }
}
