import Contracts
import EventRelay
import EventStore
import JSON
import Observability
import Primitives
import Runtime

/// The command `disown-forged`: leaves behind what somebody else wrote into the service's topic.
///
/// Without `--confirm` it only lists what it would disown. With it, a new incarnation begins; consumers take back what
/// followed from the forged records, and everything after the last position at which topic and log agree is published again.
@Loop struct Disowning<S: Service> {
    let settings: ServiceSettings
    let log: Logger

    /// Runs the command; gives what it prints.
    ///
    /// - Throws: ``UsageError``, `KafkaError`, `PostgresError` or `EventDecodingError`.
    func run(_ words: [String]) async throws -> JSONObject {
        guard words.isEmpty || words == ["--confirm"] else {
            throw UsageError("usage: \(S.name.rawValue) disown-forged [--confirm]")
        }
        let store = EventStore(settings.database)
        do {
            let report = try await run(store, isConfirmed: !words.isEmpty)
            await store.close()
            return report
        } catch {
            await store.close()
            throw error
        }
    }

    private func run(_ store: EventStore, isConfirmed: Bool) async throws -> JSONObject {
        let recovery = Recovery(
            store: store, topic: Topic(S.name), kafka: settings.kafka, publication: S.publication)
        let strangers = try await recovery.strangers()
        var report: JSONObject = [
            "service": .string(S.name.rawValue),
            "forged": .array(
                strangers.map { stranger in
                    [
                        "partition": .int(Int64(stranger.partition)), "offset": .int(stranger.offset),
                        "position": .int(stranger.position), "type": .string(stranger.type),
                    ]
                }),
        ]
        if !strangers.isEmpty, isConfirmed {
            let (outcome, _) = try await recovery.disown()
            log.notice(
                "forged records disowned",
                ["count": .int(Int64(strangers.count)), "fork": .int(outcome.fork)])
            report["fork"] = .int(outcome.fork)
            report["incarnation"] = .uuid(outcome.incarnation)
        } else if !strangers.isEmpty {
            report["advice"] =
                "Was this database restored? Then run confirm-restore. If not, somebody else wrote these: disown-forged --confirm."
        }
        return report
    }
}
