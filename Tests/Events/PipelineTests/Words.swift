import Contracts
import EventConsumer
import EventRelay
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime

/// The sender's private events.
enum Word: PrivateEvent {
    /// Published; the padding makes it large.
    case said(owner: UUID, number: Int64, padding: Int64 = 0)
    /// Published as the message that erases its owner.
    case gone(owner: UUID, number: Int64)
    /// Never published.
    case kept
    /// Written by a newer build.
    case unheardOf

    var type: EventType {
        switch self {
        case .said: EventType("Said")
        case .gone: EventType("Gone")
        case .kept: EventType("Kept")
        case .unheardOf: EventType("UnheardOf")
        }
    }

    var data: JSONObject {
        switch self {
        case .said(let owner, let number, let padding):
            [
                "owner": .uuid(owner), "number": .int(number),
                "padding": .string(String(repeating: "x", count: Int(padding))),
            ]
        case .gone(let owner, let number): ["owner": .uuid(owner), "number": .int(number)]
        case .kept, .unheardOf: [:]
        }
    }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Word {
        try reading(type, data, byName: read)
    }

    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> Word? {
        switch name {
        case "Said":
            try .said(
                owner: data.uuid("owner"), number: data.int("number"),
                padding: Int64(data.string("padding").utf8.count))
        case "Gone": try .gone(owner: data.uuid("owner"), number: data.int("number"))
        case "Kept": .kept
        default: nil
        }
    }

    /// What the sender publishes.
    @Sendable static func publication(_ event: RecordedEvent) throws(EventDecodingError) -> Outgoing? {
        switch try event.decoded(as: Word.self) {
        case .said(let owner, _, _), .gone(let owner, _):
            let data: JSONObject
            do throws(JSONError) { data = try JSONObject.parse(event.data) } catch {
                throw .malformed(event.type, error)
            }
            return Outgoing(
                type: MessageType(.sessions, event.type.name), key: .owner(owner), subject: owner.description,
                data: data)
        case .kept, .unheardOf: return nil
        }
    }
}

/// The receiver's private events.
struct Heard: PrivateEvent {
    var owner: UUID
    var number: Int64
    /// Whether it takes back an earlier one.
    var isTakenBack = false
    var type: EventType { EventType(isTakenBack ? "TakenBack" : "Heard") }
    var data: JSONObject { ["owner": .uuid(owner), "number": .int(number)] }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Heard {
        try reading(type, data) { (name, data) throws(JSONError) in
            try Heard(owner: data.uuid("owner"), number: data.int("number"), isTakenBack: name == "TakenBack")
        }
    }
}

/// Appends one private event a message. Its append ids are new each time, so that only the watermark keeps a message from
/// being handled twice; those of erasures derive from the message, because they may come twice by design.
@Loop final class Hearer: MessageHandler {
    let store: EventStore
    /// Numbers that cannot be handled.
    var faults: Set<Int64> = []
    /// Numbers that need no reaction.
    var ignored: Set<Int64> = []
    /// Called before each message is handled.
    var before: @Loop (Int64) async throws -> Void = { _ in }
    /// Called before an effect is taken back.
    var beforeTakingBack: @Loop () async throws -> Void = {}

    init(_ store: EventStore) { self.store = store }

    func handle(_ message: ReceivedMessage, through gate: any AppendGate) async throws {
        let owner = try message.incoming.data.uuid("owner")
        let number = try message.incoming.data.int("number")
        try await before(number)
        if faults.contains(number) { throw MessageFault("bad-number") }
        if ignored.contains(number) { return }
        let stream = StreamName("heard", owner)
        let found = try await store.pool.query(
            "select coalesce(max(version), 0) from events where stream = $1", [.text(stream.description)])
        let version = found.rows[0].int(0)
        try await gate.append(
            Append(
                id: isLastWord(message) ? message.appendID : .v7(), requestHash: [],
                metadata: message.metadata(actor: "hearer"),
                writes: [
                    StreamWrite(
                        stream, expectedVersion: version, events: [NewEvent(Heard(owner: owner, number: number))])
                ]))
    }

    func isLastWord(_ message: ReceivedMessage) -> Bool { message.incoming.type.name == "Gone" }

    func takeBack(_ event: RecordedEvent, through gate: any AppendGate) async throws {
        guard event.type.name == "Heard" else { return }
        try await beforeTakingBack()
        var heard = try event.decoded(as: Heard.self)
        heard.isTakenBack = true
        let stream = StreamName("back", event.id)
        let metadata = EventMetadata(owner: heard.owner, correlation: event.metadata.correlation, actor: "hearer")
        try await gate.append(
            Append(
                id: UUID.v5(namespace: event.id, name: "orphan"), requestHash: [], metadata: metadata,
                writes: [StreamWrite(stream, expectedVersion: 0, events: [NewEvent(heard)])]))
    }
}
