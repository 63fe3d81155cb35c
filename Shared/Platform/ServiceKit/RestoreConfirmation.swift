import Contracts
import EventConsumer
import EventRelay
import EventStore
import JSON
import Kafka
import Observability
import Primitives
import Runtime

/// The command `confirm-restore`: confirms that a service's database was restored to an earlier state on purpose.
///
/// It begins a new incarnation of the store after the last position that log and topic share, and then decides again what
/// must not be undone, from the service's own later messages. It may be repeated at any time, even after half of it.
@Loop struct RestoreConfirmation<S: Service> {
    let settings: ServiceSettings
    let log: Logger

    /// Runs the command; prints what happened after the backup as one JSON object.
    func run() async throws {
        let store = EventStore(settings.database)
        let recovery = Recovery(
            store: store, topic: Topic(S.name), kafka: settings.kafka, publication: S.publication)
        let outcome = try await recovery.confirm()
        var undone: [String: Int64] = [:]
        var again: Int64 = 0
        let owner = TopicOwner(Topic(S.name))
        let trust = AnnouncementTrust(store.pool, settings.announcementKeys)
        if S.name == .identity { await trust.seek(settings.kafka) }
        try await recovery.undone { record in
            // What somebody else wrote into the topic was never decided here.
            let doubt = try await trust.doubt(record)
            guard doubt == nil, owner.foreignness(of: record, ChainRecord(record)) == nil,
                let message = try? ReceivedMessage(record)
            else { return }
            if Announcements.unsigned.contains(message.incoming.type), try await trust.isSigned() { return }
            undone[message.incoming.type.description, default: 0] += 1
            if try await S.decideAgain(message, store) { again += 1 }
        }
        log.notice(
            "restore confirmed",
            [
                "fork": .int(outcome.fork), "incarnation": .string(outcome.incarnation.description),
                "undone": .int(Int64(outcome.undone)), "decidedAgain": .int(again),
            ])
        var types = JSONObject()
        for (type, count) in undone.sorted(by: { $0.key < $1.key }) { types[type] = .int(count) }
        let report: JSONObject = [
            "service": .string(S.name.rawValue), "fork": .int(outcome.fork),
            "incarnation": .uuid(outcome.incarnation), "topicIsEmpty": .bool(outcome.topicIsEmpty),
            "undone": .object(types), "decidedAgain": .int(again),
        ]
        print(JSONValue.object(report).text)
        await store.close()
    }
}
