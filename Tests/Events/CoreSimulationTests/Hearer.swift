import Contracts
import CoreSimulation
import EventConsumer
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime

/// Which messages of a run cannot be handled, and which kill.
@Loop final class Poison {
    /// Numbers that no build can handle yet.
    var faults: Set<Int64> = []
    /// Numbers that kill the process which handles them.
    var killers: Set<Int64> = []
    /// How often each killer has killed.
    var deaths: [Int64: Int] = [:]
}

/// The receiver: appends one private event a message. Its append ids are new each time, so that only the watermark keeps a
/// message from being heard twice; those of erasures derive from the message, because they may come twice by design.
@Loop final class Hearer: MessageHandler {
    private let process: SimulatedProcess
    private let store: SimulatedStore
    private let poison: Poison

    init(_ process: SimulatedProcess, _ store: SimulatedStore, _ poison: Poison) {
        self.process = process
        self.store = store
        self.poison = poison
    }

    func handle(_ message: ReceivedMessage, through gate: any AppendGate) async throws {
        let owner = try message.incoming.data.uuid("owner")
        let number = try message.incoming.data.int("number")
        if poison.faults.contains(number) { throw MessageFault("bad-number") }
        if poison.killers.contains(number) {
            poison.deaths[number, default: 0] += 1
            process.surroundings.reached("a message killed a process")
            process.die("message \(number)")
            throw CancellationError()
        }
        if process.surroundings.happens(process.surroundings.odds.brokenConnection) {
            throw RetriableFailure("provider-down", "Wait for it.")
        }
        let stream = StreamName("heard", owner)
        let version = try await store.version(of: stream)
        let erases = isLastWord(message)
        try await gate.append(
            Append(
                id: erases ? message.appendID : .v7(), requestHash: [], metadata: message.metadata(actor: "hearer"),
                writes: [
                    StreamWrite(
                        stream, expectedVersion: version,
                        events: [NewEvent(Heard(kind: erases ? .erased : .heard, owner: owner, number: number))])
                ], calls: erases ? [EventStoreRows.eraseSubject(owner)] : [], thoughErased: erases))
    }

    func isLastWord(_ message: ReceivedMessage) -> Bool { message.incoming.type.name == "Gone" }

    func takeBack(_ event: RecordedEvent, through gate: any AppendGate) async throws {
        guard event.type.name == Heard.Kind.heard.rawValue else { return }
        var heard = try event.decoded(as: Heard.self)
        heard.kind = .takenBack
        process.surroundings.reached("an effect was taken back")
        let metadata = EventMetadata(owner: nil, correlation: event.metadata.correlation, actor: "hearer")
        try await gate.append(
            Append(
                id: UUID.v5(namespace: event.id, name: "orphan"), requestHash: [], metadata: metadata,
                writes: [StreamWrite(StreamName("back", event.id), expectedVersion: 0, events: [NewEvent(heard)])]))
    }
}
