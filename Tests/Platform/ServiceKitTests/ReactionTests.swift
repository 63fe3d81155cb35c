import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import Testing

@Suite struct `Reactions to messages` {
    private let session = SessionIdentity(
        sessionId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001),
        ownerId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002), kind: .mirrormate)

    private let reactions = Reactions<Tale, [String: String]>(
        .on(SessionExpired.self) { .apply(StreamName("job", $0.sessionId), "cancel") },
        .on(
            SessionFailed.self, lookingUp: { failed, found in found[failed.code.rawValue] ?? "unknown" },
            recalling: { _, words in words.first?.text }
        ) { failed, found in .apply(StreamName("job", failed.sessionId), found) },
        .erasure, ignoring: [SessionDeleted.type])

    private func incoming(_ type: MessageType, _ data: JSONObject) -> Incoming {
        Incoming(id: session.sessionId, type: type, time: .epoch, data: data)
    }

    @Test func `answer the types that are listed, and erasures`() throws {
        let expired = SessionExpired(session)
        #expect(
            try reactions.reaction(to: incoming(SessionExpired.type, expired.json))
                == .apply(StreamName("job", session.sessionId), "cancel"))
        let erased = UserErased(userId: session.ownerId)
        #expect(
            try reactions.reaction(to: incoming(UserErased.type, erased.json)) == .erase(subject: session.ownerId))
        #expect(
            try reactions.reaction(to: incoming(UserErasedV2.type, erased.json)) == .erase(subject: session.ownerId))
        #expect(
            reactions.types == [SessionExpired.type, SessionFailed.type, UserErased.type, UserErasedV2.type])
        #expect(reactions.services == [.identity, .sessions])
    }

    @Test func `ignore other types and versions, whatever they hold`() throws {
        #expect(try reactions.reaction(to: incoming(SessionCompleted.type, [:])) == .ignore)
        #expect(try reactions.reaction(to: incoming(MessageType(.sessions, "SessionExpired", 2), [:])) == .ignore)
    }

    @Test func `name what is wrong with a message of a listed type`() {
        #expect(throws: JSONError(.missing, at: "sessionId", "is missing")) {
            try reactions.reaction(to: incoming(SessionExpired.type, [:]))
        }
    }

    @Test func `look up what an entry asks for, and recall it from what was decided`() async throws {
        let failed = SessionFailed(session, code: .processingTimeout, retryable: true)
        let message = incoming(SessionFailed.type, failed.json)
        let stream = StreamName("job", session.sessionId)
        let asked = try await Loop.task { [reactions] in
            try await reactions.reaction(to: message, ["processing-timeout": "late"])
        }.value
        #expect(asked == .apply(stream, "late"))
        #expect(try reactions.reaction(to: message, recalledFrom: [Word(text: "then")]) == .apply(stream, "then"))
        #expect(try reactions.reaction(to: message, recalledFrom: []) == nil)
    }
}

/// An aggregate that takes words as they come.
private enum Tale: Aggregate {
    enum Refusal: Error { case never }

    static let initial: [String] = []
    static func decide(_ command: String, _: [String]) throws(Refusal) -> [Word] { [Word(text: command)] }
    static func evolve(_ state: [String], _ event: Word) -> [String] { state + [event.text] }
    static func rowCalls(for _: String, _: [String], _: [Word]) -> [RowCall] { [] }
}

private struct Word: PrivateEvent {
    let text: String
    var type: EventType { EventType("Word") }
    var data: JSONObject { ["text": .string(text)] }

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> Word {
        try reading(type, data) { (_, data) throws(JSONError) in Word(text: try data.string("text")) }
    }
}
