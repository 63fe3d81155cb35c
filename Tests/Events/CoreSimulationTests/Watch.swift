import CoreSimulation
import EventSourcing
import JSON
import Primitives
import Runtime

/// Looks at both logs after every commit, for what must never be.
@Loop final class Watch {
    /// What a receiver knows of one owner.
    private struct Known {
        /// What was heard and not taken back, in order.
        var heard: [(number: Int64, event: UUID)] = []
        var isErased = false
    }

    private(set) var violations: [String] = []
    private let surroundings: Surroundings
    // Every word that stood in the sender's log at some time.
    private var said: Set<Int64> = []
    private var sentCount = 0
    private var receivedCount = 0
    private var lastReceived: UUID?
    private var lastSent: UUID?
    private var known: [UUID: Known] = [:]

    init(_ surroundings: Surroundings) { self.surroundings = surroundings }

    /// The sender's log has changed.
    func sent(_ state: DatabaseState) {
        if !continues(state, sentCount, lastSent) { sentCount = 0 }
        for event in state.events[sentCount...] {
            check(event, sentCount, "sender")
            sentCount += 1
            if let word: Word = try? event.decoded() { said.insert(word.number) }
        }
        lastSent = state.events.last?.id
    }

    /// The receiver's log has changed.
    func received(_ state: DatabaseState) {
        if !continues(state, receivedCount, lastReceived) {
            receivedCount = 0
            known = [:]
        }
        for event in state.events[receivedCount...] {
            check(event, receivedCount, "receiver")
            receivedCount += 1
            guard let heard: Heard = try? event.decoded() else { continue }
            if let violation = Self.apply(heard, event.id, event.stream, &known) { fail(violation) }
            if !said.contains(heard.number) { fail("number \(heard.number) was heard and never said") }
        }
        lastReceived = state.events.last?.id
    }

    /// What a receiver lacks or has too much of; nil when it has heard all that the sender's log says.
    func difference(_ sender: DatabaseState, _ receiver: DatabaseState, _ dropped: Set<Int64>) -> String? {
        var known: [UUID: Known] = [:]
        for event in receiver.events {
            if let heard: Heard = try? event.decoded() { _ = Self.apply(heard, event.id, event.stream, &known) }
        }
        var wanted: [UUID: [Int64]] = [:]
        var gone: Set<UUID> = []
        for event in sender.events {
            guard let word: Word = try? event.decoded(), let owner = word.owner else { continue }
            if case .gone = word { gone.insert(owner) } else { wanted[owner, default: []].append(word.number) }
        }
        for (owner, wanted) in wanted.sorted(by: { $0.value[0] < $1.value[0] }) {
            let known = known[owner] ?? Known()
            if known.isErased { continue }
            if gone.contains(owner) { return "an erasure was not heard" }
            let numbers = known.heard.map(\.number)
            let expected = wanted.filter { !dropped.contains($0) || numbers.contains($0) }
            if numbers != expected { return "heard \(numbers), said \(expected)" }
        }
        return nil
    }

    private func continues(_ state: DatabaseState, _ count: Int, _ last: UUID?) -> Bool {
        count == 0 || state.events.count >= count && state.events[count - 1].id == last
    }

    private func check(_ event: RecordedEvent, _ count: Int, _ log: String) {
        if event.position != Int64(count) + 1 { fail("position \(event.position) stands at \(count + 1) of \(log)") }
    }

    /// Takes note of what was heard; what is wrong about it.
    private static func apply(
        _ heard: Heard, _ event: UUID, _ stream: StreamName, _ known: inout [UUID: Known]
    ) -> String? {
        var own = known[heard.owner] ?? Known()
        defer { known[heard.owner] = own }
        switch heard.kind {
        case .erased: own.isErased = true
        case .takenBack:
            guard let index = own.heard.firstIndex(where: { $0.event == stream.id }) else {
                return "number \(heard.number) was taken back and not heard before"
            }
            own.heard.remove(at: index)
        case .heard:
            if own.isErased { return "number \(heard.number) was heard after its owner's erasure" }
            if let last = own.heard.last, last.number >= heard.number {
                return "number \(heard.number) was heard after number \(last.number)"
            }
            own.heard.append((heard.number, event))
        }
        return nil
    }

    func fail(_ violation: String) {
        if violations.isEmpty { violations.append(violation) }
        surroundings.note("VIOLATION: \(violation)")
    }
}

/// The number of a word in the value of its message.
enum JSONNumber {
    static func number(_ value: [UInt8]) throws(JSONError) -> Int64? {
        try JSONObject.parse(value).optionalInt("number")
    }
}
