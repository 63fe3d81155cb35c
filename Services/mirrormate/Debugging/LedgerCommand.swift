import Contracts
import EventConsumer
import Glibc
import JSON
import Kafka
import Primitives
import Replay
import Runtime
import ServiceKit

/// `mirrormate ledger`: whether anything was lost between stores, topics, consumers and read models.
@Loop struct LedgerCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        if arguments[Flags.history] {
            let day = Timestamp.now() - .seconds(86_400)
            var upkeep: [ServiceChange] = []
            var brokers: [BrokerOutage] = []
            var publishing: [ServiceChange] = []
            for store in logs.stores {
                upkeep += try await store.upkeep(since: day)
                brokers += try await store.brokerOutages(since: day)
                publishing += try await store.publishingChanges(since: day)
            }
            show(
                try await Ledger.outages(logs.stores), BrokerOutage.merged(brokers), upkeep.sorted { $0.at < $1.at },
                publishing.sorted { $0.at < $1.at }, since: day)
            return .success
        }
        while arguments[Flags.watch] {
            do {
                show(try await examine())
            } catch let failure as Failure {
                // Whoever watches wants to see it come back, too.
                if arguments[Flags.json] { console.answer(failure) } else { console.show(failure) }
            }
            try await Loop.sleep(for: .seconds(2))
        }
        let findings = try await examine()
        show(findings)
        return findings.faults.isEmpty ? .success : .failure
    }

    /// Who is down is found out at once, whatever else this machine has to do; reading the topics is no hurry.
    private func giveWay() {
        let usual: Int32 = 10
        if getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0) < usual {
            _ = setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, usual)
        }
    }

    private func show(_ findings: Ledger.Findings) {
        if arguments[Flags.json] {
            console.answer(Self.document(findings))
        } else {
            console.print(Self.text(findings, console.style, within: console.room))
        }
    }

    private func examine() async throws -> Ledger.Findings {
        let standing = try logs.standing
        if let broker = try logs.broker {
            // What else does not run can still be told, behind its cause.
            let others = try await Ledger.down(logs.stores, standing: standing).map(\.fault.description)
            throw Failure(
                .configuration, "no-broker", ([broker.sentence] + others).joined(separator: "; ") + ".",
                advice: broker.advice)
        }
        let line = ProgressBar(console, "comparing")
        let trust = logs.trust
        let kafka = logs.kafka.bootstrap
        // Whoever looks learns what does not run, and what is waited for, long before all topics are read or the broker is given up.
        var down: [LedgerFault] = []
        var early: Task<Void, any Error>?
        func tell() {
            for fault in down { console.note("\(console.noteStyle.red("✗")) \(fault.description)") }
            down = []
        }
        let slow = Loop.task {
            try await Loop.sleep(for: .seconds(3))
            console.note("Kafka at \(kafka) has not answered for 3 seconds; it is waited for.")
        }
        defer {
            early?.cancel()
            slow.cancel()
            line.end()
        }
        do {
            return try await Ledger(
                logs.stores, kafka: logs.kafka, patience: .seconds(arguments[Flags.late]), standing: standing,
                doubt: { try await trust?.doubt($0)?.sentence },
                foundDown: { faults in
                    giveWay()
                    if faults.isEmpty { return }
                    down = faults
                    early = Loop.task {
                        try await Loop.sleep(for: .milliseconds(500))
                        tell()
                    }
                }
            ) { what, share, records in
                slow.cancel()
                line.show(what, share, done: records, "records")
            }.examine()
        } catch let error as KafkaError {
            // Without the broker that much can still be told.
            line.end()
            tell()
            throw error
        }
    }

    /// What did not run since a moment, what was done on purpose, and who published.
    private func show(
        _ outages: [Outage], _ brokers: [BrokerOutage], _ upkeep: [ServiceChange], _ publishing: [ServiceChange],
        since moment: Timestamp
    ) {
        let recent = outages.filter { $0.until.map { $0 > moment } ?? true }
        if arguments[Flags.json] {
            console.answer([
                "outages": .array(recent.map(Self.outage)), "broker": .array(brokers.map(Self.broker)),
                "upkeep": .array(upkeep.map(\.document)), "publishing": .array(publishing.map(\.document)),
            ])
            return
        }
        console.print(
            recent.isEmpty
                ? "Every service ran all of the last day, as far back as is known."
                : "In the last day \(Format.count(recent.count, "time")) a service did not run:")
        for outage in recent { console.print("  \(outage.description)") }
        for broker in brokers { console.print("  \(broker.description)") }
        if !upkeep.isEmpty { console.print("What was done to the stores meanwhile:") }
        for one in upkeep { console.print("  \(one.description)") }
        if !publishing.isEmpty { console.print("Who came to publish, and what topics lacked:") }
        for one in publishing { console.print("  \(one.description)") }
    }

    private static func broker(_ one: BrokerOutage) -> JSONValue {
        [
            "from": .time(one.from), "until": .time(one.until),
            "services": .array(one.services.map { .string($0.rawValue) }),
        ]
    }

    private static func outage(_ outage: Outage) -> JSONValue {
        [
            "service": .string(outage.service.rawValue), "from": .time(outage.from),
            "until": outage.until.map(JSONValue.time) ?? .null, "ending": .string(outage.ending.rawValue),
        ]
    }

    /// For people: the verdict first, then the figures, then each fault.
    ///
    /// - Parameter room: how many characters a line may have; where that is too few for all of the table, consumers and read models
    ///   stand below it, those that lag behind. Nil for as many as it takes.
    nonisolated static func text(_ findings: Ledger.Findings, _ style: Style, within room: Int? = nil) -> String {
        let events = findings.services.reduce(0) { $0 + $1.head }
        let messages = findings.services.reduce(0) { $0 + $1.topicMessages }
        let faults = findings.faults
        let size = "\(events) events, \(messages) messages in topics"
        var lines = ["\(size): nothing is lost, doubled or late"]
        // The first line says what is wrong, and what follows from it comes later.
        if let first = faults.first {
            let others = faults.count == 1 ? "" : ", the first of \(faults.count) faults"
            lines = ["\(style.red("✗")) \(first.description)\(others)", size]
        }
        var table = Columns(
            ["service", "head", "relay", "topic", "messages", "consumed from", "read models", "parked"],
            right: [1, 2, 3, 4, 7])
        var narrow = Columns(["service", "head", "relay", "topic", "messages", "parked"], right: [1, 2, 3, 4, 5])
        var behind: [String] = []
        for row in findings.services {
            let consumed = row.consumers.map { consumer in
                "\(consumer.source.rawValue) \(consumer.seen)"
                    + (consumer.behind > 0 ? " (\(consumer.behind) behind, \(Format.length(consumer.late)))" : "")
            }
            let models = row.readModels.map { model in
                "\(model.name) \(model.position)" + (model.late > .zero ? " (\(Format.length(model.late)))" : "")
            }
            let figures = [
                row.service.rawValue, "\(row.head)", "\(row.cursor)", "\(row.topicEnd)", "\(row.topicMessages)",
            ]
            table.add(figures + [consumed.joined(separator: ", "), models.joined(separator: ", "), "\(row.parked)"])
            narrow.add(figures + ["\(row.parked)"])
            behind += zip(row.consumers, consumed).filter { $0.0.behind > 0 }.map {
                "  \(row.service.rawValue) ← \($0.1)"
            }
            behind += zip(row.readModels, models).filter { $0.0.late > .zero }.map {
                "  \(row.service.rawValue)/\($0.1)"
            }
        }
        let isWide = room.map { table.width > $0 } ?? false
        lines.append(isWide ? narrow.text(style) : table.text(style))
        if isWide { lines += behind.isEmpty ? ["  all consumers and read models are at the end"] : behind }
        lines.append(style.dim(legend))
        for fault in faults {
            lines.append("\(style.red("✗")) \(style.bold(fault.kind.rawValue)) at \(fault.place)")
            lines.append("  \(fault.detail)")
        }
        return lines.joined(separator: "\n")
    }

    /// What the figures are of, which need not be the same one although all is well.
    nonisolated static let legend = """
        head: the last event of the log. relay: published up to there, or private. topic, consumed from, read models: the last
        position found there; each lies behind the head by the events that are not published, or not of that topic's readers.
        """

    private static func document(_ findings: Ledger.Findings) -> JSONValue {
        [
            "services": .array(findings.services.map(service)),
            "faults": .array(
                findings.faults.map {
                    ["kind": .string($0.kind.rawValue), "place": .string($0.place), "detail": .string($0.detail)]
                }),
        ]
    }

    private static func service(_ row: ServiceLedger) -> JSONValue {
        [
            "service": .string(row.service.rawValue), "head": .int(row.head), "relayCursor": .int(row.cursor),
            "relayLateMs": .int(row.relayLate.milliseconds), "refused": .optional(row.refused),
            "topicEnd": .int(row.topicEnd), "topicMessages": .int(Int64(row.topicMessages)),
            "parked": .int(row.parked),
            "consumers": .array(
                row.consumers.map { consumer in
                    [
                        "source": .string(consumer.source.rawValue), "seen": .int(consumer.seen),
                        "behind": .int(Int64(consumer.behind)), "lateMs": .int(consumer.late.milliseconds),
                        "cause": .optional(consumer.cause),
                    ]
                }),
            "readModels": .array(
                row.readModels.map { model in
                    [
                        "name": .string(model.name), "position": .int(model.position),
                        "lateMs": .int(model.late.milliseconds),
                    ]
                }),
        ]
    }
}
