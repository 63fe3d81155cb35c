import ContractChecking
import Contracts
import JSON
import Primitives

/// What a service's relay wrote in its story, held against what was released and what consumers need.
struct Publication {
    let service: ServiceName
    /// With fixed values for what differs from run to run.
    let records: [PublishedRecord]
    let tree: ContractTree

    /// Headers whose values are places in this run's log.
    private static let places = [
        MessageHeaders.time, MessageHeaders.position, MessageHeaders.previous, MessageHeaders.epoch,
    ]

    private var messages: [PublishedRecord] { records.filter { $0.type != MessageType.lease(service) } }

    private var released: [PublishedRecord] {
        tree.published.filter { $0.type.service == service.rawValue }.flatMap(\.records)
    }

    func findings() -> [Finding] {
        let now = tree.replacing(records, of: service)
        let contracts = tree.contracts.filter { $0.provider == service.rawValue }
        return regressions() + completeness() + chain()
            + contracts.flatMap { ContractCheck($0, in: now).findings() }
    }

    /// What was released and is published differently now.
    private func regressions() -> [Finding] {
        released.flatMap { old -> [Finding] in
            guard let type = old.type else { return [] }
            if type == MessageType.lease(service) { return leases(old) }
            guard let now = messages.first(where: { $0.id == old.id }) else {
                return [
                    finding(
                        type, "",
                        "The service publishes nothing any more for the same event of its story "
                            + "(about \(old.header(MessageHeaders.subject) ?? "")).")
                ]
            }
            var findings: [Finding] = []
            if now.topic != old.topic {
                findings.append(finding(type, "topic", "It was \(old.topic) and is \(now.topic)."))
            }
            if now.key != old.key {
                findings.append(finding(type, "key", "It was \(old.key ?? "") and is \(now.key ?? "")."))
            }
            if now.partition != old.partition {
                findings.append(finding(type, "partition", "It was \(old.partition) and is \(now.partition)."))
            }
            findings += headers(old, now, type)
            for (path, problem) in now.json["value"]!.changes(from: .object(old.value)) {
                let users = tree.users(of: path, in: type).map { "\($0.consumer) (\($0.meaning))" }
                findings.append(finding(type, "field \(path)", "As released, \(problem). \(relied(users))"))
            }
            return findings
        }
    }

    private func headers(_ old: PublishedRecord, _ now: PublishedRecord, _ type: MessageType) -> [Finding] {
        old.headers.compactMap { name, value in
            let current = now.header(name)
            if current == value || current != nil && Self.places.contains(name) { return nil }
            return finding(
                type, "header \(name)",
                "It was \(value) and is \(current ?? "missing"). "
                    + relied(tree.users(ofHeader: name, from: service.rawValue)))
        }
    }

    private func leases(_ old: PublishedRecord) -> [Finding] {
        guard let now = records.first(where: { $0.type == old.type && $0.partition == old.partition }) else {
            return [finding(MessageType.lease(service), "", "The relay does not begin with a lease record any more.")]
        }
        return headers(old, now, MessageType.lease(service))
    }

    /// Every published type is shown by the story and released, and the story shows no other.
    private func completeness() -> [Finding] {
        let shown = Set(messages.compactMap(\.type))
        var findings: [Finding] = []
        for declared in Catalogue.messages where declared.service == service && !shown.contains(declared.type) {
            findings.append(finding(declared.type, "", "No step of the story makes the service publish it.", Self.step))
        }
        for type in shown.sorted(by: { $0.description < $1.description }) where Catalogue.message(type) == nil {
            findings.append(
                finding(
                    type, "", "It is published and not declared.",
                    "Declare it in Services/mirrormate/Contracts/ContractChecking/Catalogue."))
        }
        for record in messages {
            guard let type = record.type, let declared = Catalogue.message(type) else { continue }
            if !released.contains(where: { $0.id == record.id }) {
                findings.append(
                    finding(
                        type, "",
                        "The story publishes it about \(record.header(MessageHeaders.subject) ?? ""), and no "
                            + "golden file holds the record.", "Run `make contracts-accept`."))
            }
            for (path, problem) in declared.fields.flatMap({ $0.problems(record.value) }) {
                findings.append(finding(type, "field \(path)", "It \(problem), against its declaration."))
            }
            let names = Set(declared.fields.map(\.name))
            for name in record.value.keys where !names.contains(name) {
                findings.append(
                    finding(
                        type, "field \(name)", "It is published and not declared.",
                        "Declare it in Services/mirrormate/Contracts/ContractChecking/Catalogue, as optional."))
            }
        }
        return findings
    }

    /// The chain within each partition has no hole.
    private func chain() -> [Finding] {
        var last: [Int32: Int64] = [:]
        var findings: [Finding] = []
        for record in records where record.type != MessageType.lease(service) {
            let previous = record.header(MessageHeaders.previous).flatMap { Int64($0) }
            if let place = last[record.partition], previous != place, let type = record.type {
                findings.append(
                    finding(
                        type, "header \(MessageHeaders.previous)",
                        "It must be \(place) and is "
                            + "\(previous.map { String($0) } ?? "missing")."))
            }
            last[record.partition] = record.position
        }
        return findings
    }

    private static let keep =
        "Keep it as it was released, or publish a new version beside this one until every consumer reads that: "
        + "docs/contracts.md, \"Changing what is published\"."
    private static let step = "Add one in Tests/Services/ContractPathTests and run `make contracts-accept`."

    private func relied(_ users: [String]) -> String {
        users.isEmpty ? "No consumer here relies on it; others may." : "Relied on by \(users.joined(separator: "; "))."
    }

    private func finding(
        _ type: MessageType, _ place: String, _ problem: String, _ advice: String = keep
    ) -> Finding {
        Finding("\(service.rawValue): \(type.shortName)\(place.isEmpty ? "" : ", \(place)")", problem, advice)
    }
}
