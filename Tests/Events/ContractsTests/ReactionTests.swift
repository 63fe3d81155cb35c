import Contracts
import EventSourcing
import JSON
import Primitives
import Testing

@Suite struct `Reactions to messages` {
    private let session = SessionIdentity(
        sessionId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0001),
        ownerId: UUID(high: 0x019A_9C60_0000_7000, low: 0x8000_0000_0000_0002), kind: .mirrormate)

    private let reactions = Reactions<String>(
        .on(SessionExpired.self) { .apply(StreamName("job", $0.sessionId), "cancel") }, .erasure)

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
        #expect(reactions.types == [SessionExpired.type, UserErased.type])
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
}
