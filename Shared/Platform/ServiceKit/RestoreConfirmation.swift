import Configuration
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
/// must not be undone, from the service's own later messages, and gives up what must not go on. It may be repeated at any
/// time, even after half of it.
@Loop struct RestoreConfirmation<S: Service> {
    let settings: ServiceSettings
    let log: Logger
    /// What the service itself reads of it.
    var environment = Environment()

    /// Runs the command; prints what happened after the backup as one JSON object.
    func run() async throws {
        let store = EventStore(settings.database)
        print(JSONValue.object(try await confirm(store)).text)
        await store.close()
    }

    /// Confirms; gives what happened after the backup.
    ///
    /// - Throws: `ConfigurationError`, `KafkaError`, `PostgresError`, `EventDecodingError`, or what the service throws that decides
    ///   again.
    func confirm(_ store: EventStore) async throws -> JSONObject {
        let decideAgain = try S.decidingAgain(store, environment)
        let recovery = Recovery(
            store: store, topic: Topic(S.name), kafka: settings.kafka, publication: S.publication)
        let outcome = try await recovery.confirm()
        var undone: [String: Int64] = [:]
        var doubted: [String: Int64] = [:]
        var again: Int64 = 0
        let owner = TopicOwner(Topic(S.name))
        let trust = AnnouncementTrust(store.pool, settings.announcementKeys)
        if S.name == .identity { await trust.seek(settings.kafka) }
        try await recovery.undone { record in
            // What somebody else wrote into the topic was never decided here; but so looks, too, what was signed with a key whose
            // public half was dropped since.
            if owner.foreignness(of: record, ChainRecord(record)) != nil {
                return doubted[RecordDoubt.foreign.rawValue, default: 0] += 1
            }
            if let doubt = try await trust.doubt(record) { return doubted[doubt.rawValue, default: 0] += 1 }
            guard let message = try? ReceivedMessage(record) else { return }
            if Announcements.unsigned.contains(message.incoming.type), try await trust.isSigned() { return }
            undone[message.incoming.type.description, default: 0] += 1
            if try await decideAgain(message) { again += 1 }
        }
        let givenUp = try await S.giveUpAfterRestore(store)
        log.notice(
            "restore confirmed",
            [
                "fork": .int(outcome.fork), "incarnation": .string(outcome.incarnation.description),
                "undone": .int(Int64(outcome.undone)), "decidedAgain": .int(again),
                "givenUp": .int(Int64(givenUp)),
            ])
        var report: JSONObject = [
            "service": .string(S.name.rawValue), "fork": .int(outcome.fork),
            "incarnation": .uuid(outcome.incarnation), "topicIsEmpty": .bool(outcome.topicIsEmpty),
            "undone": counts(undone), "decidedAgain": .int(again), "doubted": counts(doubted),
            "givenUp": .int(Int64(givenUp)),
        ]
        if doubted[RecordDoubt.forged.rawValue] != nil {
            log.warning("announcements were passed by that no known key has signed", ["doubted": counts(doubted)])
            report["advice"] = """
                Announcements that no known key has signed were passed by. Was the public half of a key dropped since? Add it to \
                ANNOUNCEMENT_KEYS and run confirm-restore once more. If not, somebody else wrote them.
                """
        }
        return report
    }

    private func counts(_ found: [String: Int64]) -> JSONValue {
        var object = JSONObject()
        for (name, count) in found.sorted(by: { $0.key < $1.key }) { object[name] = .int(count) }
        return .object(object)
    }
}
