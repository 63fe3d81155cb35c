import Contracts
import EventSourcing
import Primitives

/// A service reduced to its log, streams and topic, with the real deciders.
struct SimulatedService<D: Decider> {
    let name: ServiceName
    let outgoing: (D.Event) -> Outgoing?

    private(set) var states: [StreamName: D.State] = [:]
    /// The streams, in the order in which they began.
    private(set) var order: [StreamName] = []
    private(set) var log: [(stream: StreamName, event: D.Event)] = []
    /// What was published, in order, for each owner.
    private(set) var topic: [UUID: [Incoming]] = [:]
    /// The owners whose appends are refused from now on.
    private(set) var erased: Set<UUID> = []

    init(_ name: ServiceName, _ outgoing: @escaping (D.Event) -> Outgoing?) {
        self.name = name
        self.outgoing = outgoing
    }

    func state(_ stream: StreamName) -> D.State { states[stream] ?? D.initial }

    /// Decides and appends. Like the store's guard, appends nothing for an erased owner.
    mutating func handle(
        _ stream: StreamName, _ command: D.Command, owner: UUID, at moment: Timestamp
    ) throws(D.Refusal) {
        guard !erased.contains(owner) else { return }
        append(try D.decide(command, state(stream)), to: stream, at: moment)
    }

    /// Appends what was decided elsewhere.
    mutating func append(_ events: [D.Event], to stream: StreamName, at moment: Timestamp) {
        for event in events {
            if states[stream] == nil { order.append(stream) }
            states[stream] = D.evolve(state(stream), event)
            log.append((stream, event))
            guard let message = outgoing(event), let owner = message.key.owner else { continue }
            let id = UUID.v7(at: moment, random: UInt64(log.count))
            topic[owner, default: []].append(
                Incoming(id: id, type: message.type, time: moment, data: message.data))
        }
    }

    mutating func guardAgainst(_ owner: UUID) { erased.insert(owner) }
}
