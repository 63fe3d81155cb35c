package import EventSourcing
package import JSON
package import Primitives

/// An instance of the service started, ended, or went on after it was taken for dead. Told by the instances that run,
/// because who is killed tells nothing.
package enum LifeEvent: PrivateEvent, Equatable {
    /// How an instance ended.
    package enum Ending: String, Sendable {
        /// In order.
        case clean
        /// By a kill, a crash, or with its machine: it has not said a word.
        case killed
        /// Not for good: no heartbeat of it came for a while, because it stood still or could not reach the database. It says so
        /// itself, together with its return.
        case silent
    }

    case started(instance: UUID)
    /// - Parameters:
    ///   - startedAt: when it had started.
    ///   - lastSeenAt: when it ended; of one that was killed the last heartbeat, at most a second earlier while the database was there.
    case ended(instance: UUID, Ending, startedAt: Timestamp, lastSeenAt: Timestamp)
    /// An instance that was silent, or whose end was told, runs: it had stood still, or was cut off from the database.
    case returned(instance: UUID)
    /// The broker answers again, which it had not done for a while: nothing was published and nothing heard meanwhile.
    case brokerReturned(instance: UUID, awaySince: Timestamp, until: Timestamp)
    /// An instance publishes from now on; of one that takes its own lease anew nothing is told.
    ///
    /// - Parameter epoch: counts the holders of the lease.
    case leaseTaken(instance: UUID, epoch: Int64)
    /// An instance publishes no longer, because another one does.
    ///
    /// - Parameter epoch: that of the lease which it had.
    case leaseLost(instance: UUID, epoch: Int64)
    /// The topic was found to lack what had been published, and it is published again.
    ///
    /// - Parameters:
    ///   - epoch: that of the lease at whose beginning this was found.
    ///   - partitions: how many of them lacked something.
    ///   - from: the last position that all of them hold; what lies behind it is published again.
    case topicReset(instance: UUID, epoch: Int64, partitions: Int64, from: Int64)
    /// A new incarnation of the store began: a restore was confirmed, or forged records were disowned.
    ///
    /// - Parameters:
    ///   - fork: the last position that it shares with the incarnation before.
    ///   - begunAt: when that was.
    case incarnationBegun(instance: UUID, incarnation: UUID, fork: Int64, begunAt: Timestamp)
    /// A read model was made anew, or its new table was put in the live one's place, taken back, or given up.
    ///
    /// - Parameters:
    ///   - state: what has come of it, as the row of the rebuild says: `built`, `switched`, `undone`, `dropped`, `abandoned`.
    ///   - events: how many were folded.
    ///   - begunAt: when the rebuild began.
    case readModelRebuilt(instance: UUID, model: String, state: String, events: Int64, begunAt: Timestamp)

    private static let startedType = EventType("ServiceStarted")
    private static let endedType = EventType("ServiceEnded")
    private static let returnedType = EventType("ServiceReturned")
    private static let brokerReturnedType = EventType("BrokerReturned")
    private static let leaseTakenType = EventType("LeaseTaken")
    private static let leaseLostType = EventType("LeaseLost")
    private static let topicResetType = EventType("TopicReset")
    private static let incarnationBegunType = EventType("IncarnationBegun")
    private static let readModelRebuiltType = EventType("ReadModelRebuilt")

    package var type: EventType {
        switch self {
        case .started: Self.startedType
        case .ended: Self.endedType
        case .returned: Self.returnedType
        case .brokerReturned: Self.brokerReturnedType
        case .leaseTaken: Self.leaseTakenType
        case .leaseLost: Self.leaseLostType
        case .topicReset: Self.topicResetType
        case .incarnationBegun: Self.incarnationBegunType
        case .readModelRebuilt: Self.readModelRebuiltType
        }
    }

    package var data: JSONObject {
        switch self {
        case .started(let instance), .returned(let instance): ["instance": .uuid(instance)]
        case .brokerReturned(let instance, let awaySince, let until):
            ["instance": .uuid(instance), "awaySince": .time(awaySince), "until": .time(until)]
        case .leaseTaken(let instance, let epoch), .leaseLost(let instance, let epoch):
            ["instance": .uuid(instance), "epoch": .int(epoch)]
        case .topicReset(let instance, let epoch, let partitions, let from):
            ["instance": .uuid(instance), "epoch": .int(epoch), "partitions": .int(partitions), "from": .int(from)]
        case .incarnationBegun(let instance, let incarnation, let fork, let begunAt):
            [
                "instance": .uuid(instance), "incarnation": .uuid(incarnation), "fork": .int(fork),
                "begunAt": .time(begunAt),
            ]
        case .readModelRebuilt(let instance, let model, let state, let events, let begunAt):
            [
                "instance": .uuid(instance), "model": .string(model), "state": .string(state), "events": .int(events),
                "begunAt": .time(begunAt),
            ]
        case .ended(let instance, let ending, let startedAt, let lastSeenAt):
            [
                "instance": .uuid(instance), "ending": .string(ending.rawValue), "startedAt": .time(startedAt),
                "lastSeenAt": .time(lastSeenAt),
            ]
        }
    }

    package static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> LifeEvent {
        try reading(type, data, byName: read)
    }

    /// The event; nil for an unknown name.
    private static func read(_ name: String, _ data: JSONObject) throws(JSONError) -> LifeEvent? {
        switch name {
        case startedType.name: return try .started(instance: data.uuid("instance"))
        case returnedType.name: return try .returned(instance: data.uuid("instance"))
        case brokerReturnedType.name:
            return try .brokerReturned(
                instance: data.uuid("instance"), awaySince: data.timestamp("awaySince"), until: data.timestamp("until"))
        case leaseTakenType.name: return try .leaseTaken(instance: data.uuid("instance"), epoch: data.int("epoch"))
        case leaseLostType.name: return try .leaseLost(instance: data.uuid("instance"), epoch: data.int("epoch"))
        case topicResetType.name:
            return try .topicReset(
                instance: data.uuid("instance"), epoch: data.int("epoch"), partitions: data.int("partitions"),
                from: data.int("from"))
        case incarnationBegunType.name:
            return try .incarnationBegun(
                instance: data.uuid("instance"), incarnation: data.uuid("incarnation"), fork: data.int("fork"),
                begunAt: data.timestamp("begunAt"))
        case readModelRebuiltType.name:
            return try .readModelRebuilt(
                instance: data.uuid("instance"), model: data.string("model"), state: data.string("state"),
                events: data.int("events"), begunAt: data.timestamp("begunAt"))
        case endedType.name:
            // A word that a later version may add is no clean end.
            return try .ended(
                instance: data.uuid("instance"), Ending(rawValue: data.string("ending")) ?? .killed,
                startedAt: data.timestamp("startedAt"), lastSeenAt: data.timestamp("lastSeenAt"))
        default: return nil
        }
    }

    fileprivate static let types: Set<EventType> = [
        startedType, endedType, returnedType, brokerReturnedType, leaseTakenType, leaseLostType, topicResetType,
        incarnationBegunType, readModelRebuiltType,
    ]

    /// Whether an event type is one of these.
    package static func isOne(_ type: EventType) -> Bool { types.contains(type) }

    /// What it says, for people.
    package var words: String {
        switch self {
        case .started: "an instance starts"
        case .returned: "an instance that had stood still, or was taken for dead, goes on"
        case .brokerReturned(_, let awaySince, let until): "Kafka could not be reached from \(awaySince) to \(until)"
        case .leaseTaken(_, let epoch): "an instance publishes from now on, by lease \(epoch)"
        case .leaseLost(_, let epoch): "an instance publishes no longer: another one has taken the lease after \(epoch)"
        case .topicReset(_, _, let partitions, let from):
            "\(partitions) of the topic's partitions lacked what had been published: all behind position \(from) is published again"
        case .incarnationBegun(_, _, let fork, let begunAt):
            "at \(begunAt) a new incarnation began behind position \(fork): a restore was confirmed, or forged records were disowned"
        case .readModelRebuilt(_, let model, let state, let events, let begunAt):
            "\(model) was made anew from \(events) events, begun at \(begunAt): \(state)"
        case .ended(_, .clean, _, let lastSeenAt): "an instance ended in order at \(lastSeenAt)"
        case .ended(_, .killed, _, let lastSeenAt): "an instance was killed, and was seen last at \(lastSeenAt)"
        case .ended(_, .silent, _, let lastSeenAt):
            "an instance stood still, or could not reach the database, from \(lastSeenAt) until now"
        }
    }
}

/// The events that every service's log may hold besides its own.
package enum KitEvents {
    /// Whether an event type is one of the kit's, which a service's own folds and relay skip.
    package static func isOne(_ type: EventType) -> Bool {
        LearnedEvent.isOne(type) || LifeEvent.isOne(type) || ExportPartEvent.isOne(type) || ConsentEvent.isOne(type)
    }
}
