import Contracts
import EventConsumer
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
            show(try await Ledger.outages(logs.stores), for: .seconds(86_400))
            return .success
        }
        let patience = arguments[Flags.late]
        while true {
            let line = ProgressBar(console, "comparing")
            let trust = logs.trust
            let findings: Ledger.Findings
            do {
                findings = try await Ledger(
                    logs.stores, kafka: logs.kafka, patience: .seconds(patience),
                    doubt: { try await trust?.doubt($0)?.sentence }
                ) { what, share, records in line.show(what, share, done: records, "records") }.examine()
                line.end()
            } catch let error as KafkaError {
                line.end()
                // Without the broker that much can still be told.
                for outage in try await Ledger.outages(logs.stores) where outage.until == nil {
                    console.note("\(console.style.red("✗")) \(Ledger.fault(outage).description)")
                }
                throw error
            }
            if arguments[Flags.json] {
                console.print(Self.document(findings).prettyText)
            } else {
                console.print(text(findings))
            }
            if !arguments[Flags.watch] { return findings.faults.isEmpty ? .success : .failure }
            try await Loop.sleep(for: .seconds(2))
        }
    }

    /// What did not run within the last span of time.
    private func show(_ outages: [Outage], for span: Duration) {
        let recent = outages.filter { $0.until.map { $0 > .now() - span } ?? true }
        if arguments[Flags.json] {
            console.print((["version": 1, "outages": .array(recent.map(Self.outage))] as JSONValue).prettyText)
            return
        }
        console.print(
            recent.isEmpty
                ? "Every service ran all of the last day, as far back as is known."
                : "In the last day \(Format.count(recent.count, "time")) a service did not run:")
        for outage in recent { console.print("  \(outage.description)") }
    }

    private static func outage(_ outage: Outage) -> JSONValue {
        [
            "service": .string(outage.service.rawValue), "from": .time(outage.from),
            "until": outage.until.map(JSONValue.time) ?? .null, "ending": outage.isClean ? "clean" : "killed",
        ]
    }

    private func text(_ findings: Ledger.Findings) -> String {
        let events = findings.services.reduce(0) { $0 + $1.head }
        let messages = findings.services.reduce(0) { $0 + $1.topicMessages }
        let faults = findings.faults
        let verdict =
            faults.isEmpty
            ? "nothing is lost, doubled or late" : console.style.red(Format.count(faults.count, "fault"))
        var lines = ["\(events) events, \(messages) messages in topics: \(verdict)"]
        var table = Columns(
            ["service", "head", "relay", "topic", "messages", "consumed from", "read models", "parked"],
            right: [1, 2, 3, 4, 7])
        for row in findings.services {
            let consumed = row.consumers.map { consumer in
                "\(consumer.source.rawValue) \(consumer.seen)"
                    + (consumer.behind > 0 ? " (\(consumer.behind) behind, \(Format.length(consumer.late)))" : "")
            }
            let models = row.readModels.map { model in
                "\(model.name) \(model.position)" + (model.late > .zero ? " (\(Format.length(model.late)))" : "")
            }
            table.add([
                row.service.rawValue, "\(row.head)", "\(row.cursor)", "\(row.topicEnd)", "\(row.topicMessages)",
                consumed.joined(separator: ", "), models.joined(separator: ", "), "\(row.parked)",
            ])
        }
        lines.append(table.text(console.style))
        for fault in faults {
            lines.append("\(console.style.red("✗")) \(console.style.bold(fault.kind.rawValue)) at \(fault.place)")
            lines.append("  \(fault.detail)")
        }
        return lines.joined(separator: "\n")
    }

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
