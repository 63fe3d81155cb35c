import ContractChecking
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import quota

/// An event that has had three forms: the mechanism alone, besides the events of quota that use it.
private enum Booking: PrivateEvent, Equatable {
    /// How many units of which kind.
    case booked(kind: String, units: Int64)

    static let upcasters = Upcasters([
        // The number was a text.
        EventType("Booked", 1): { (data) throws(JSONError) in
            guard let units = Int64(try data.string("amount")) else {
                throw JSONError(.type, at: "amount", "must be a number in a text")
            }
            return ["units": .int(units)]
        },
        // There was one kind only.
        EventType("Booked", 2): { (data) throws(JSONError) in
            ["kind": "mirrormate", "units": .int(try data.int("units"))]
        },
    ])

    var type: EventType { EventType("Booked", 3) }

    var data: JSONObject {
        guard case .booked(let kind, let units) = self else { return [:] }
        return ["kind": .string(kind), "units": .int(units)]
    }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Booking {
        try reading(type, data, upcasting: upcasters) { (name, data) throws(JSONError) in
            name == "Booked" ? try .booked(kind: data.string("kind"), units: data.int("units")) : nil
        }
    }
}

@Suite("An event with older versions") struct UpcastingTests {
    /// As golden files hold them: what was stored, and what it stands for today.
    private static let golden = [
        (version: 1, stored: #"{"amount":"3"}"#, reads: #"{"kind":"mirrormate","units":3}"#),
        (version: 2, stored: #"{"units":4}"#, reads: #"{"kind":"mirrormate","units":4}"#),
        (version: 3, stored: #"{"kind":"dance","units":5}"#, reads: #"{"kind":"dance","units":5}"#),
    ]

    @Test("is read to the value that it stood for", arguments: golden)
    func upcast(version: Int, stored: String, reads: String) throws {
        let event = try Booking.decode(EventType("Booked", version), JSONObject.parse(Array(stored.utf8)))
        #expect(JSONValue.object(event.data).text == reads)
    }

    @Test("names the version whose data cannot be read, and stops at versions to come")
    func refusals() throws {
        #expect(
            throws: EventDecodingError.malformed(
                EventType("Booked", 1), JSONError(.type, at: "amount", "must be a number in a text"))
        ) { try Booking.decode(EventType("Booked", 1), ["amount": "three"]) }
        #expect(throws: EventDecodingError.unknownType(EventType("Booked", 4))) {
            try Booking.decode(EventType("Booked", 4), ["kind": "dance", "units": 1])
        }
    }

    @Test("is folded from a log that mixes all versions") @Loop func mixed() async throws {
        try await withService(QuotaService.self) { group in
            let store = group.first.store
            for (index, round) in (0..<9).map({ ($0, Self.golden[$0 * 7 % 3]) }) {
                let event = StoredEvent(
                    type: EventType("Booked", round.version), data: try JSONObject.parse(Array(round.stored.utf8)))
                try await store.append(
                    Append(
                        id: .v5(namespace: World.namespace, name: "mixed/\(index)"), requestHash: [],
                        metadata: EventMetadata(owner: nil, correlation: World.namespace, actor: "test"),
                        writes: [
                            StreamWrite(
                                StreamName("booking", World.namespace), expectedVersion: Int64(index),
                                events: [NewEvent(event)])
                        ]))
            }
            var units: [String: Int64] = [:]
            for recorded in try await store.read(StreamName("booking", World.namespace)) {
                guard case .booked(let kind, let count) = try recorded.decoded(as: Booking.self) else { continue }
                units[kind, default: 0] += count
            }
            #expect(units == ["mirrormate": 21, "dance": 15])
        }
    }
}
