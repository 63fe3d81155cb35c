import Contracts
import JSON
import Primitives

/// Checks one consumer's contract against what its provider declares and against records written by its real relay.
package struct ContractCheck: Sendable {
    private let contract: ConsumerContract
    /// What the provider has released, and what it declares today; declarations of another revision are not available.
    private let tree: ContractTree
    private let declares: Bool

    /// - Parameter declares: whether the tree belongs to the running code, so that declarations count too.
    package init(_ contract: ConsumerContract, in tree: ContractTree, declares: Bool = true) {
        self.contract = contract
        self.tree = tree
        self.declares = declares
    }

    /// All violations.
    package func findings() -> [Finding] {
        guard let provider = ServiceName(rawValue: contract.provider) else {
            return [at("provider", "There is no service \(contract.provider).", Advice.contract)]
        }
        var findings: [Finding] = []
        if declares { findings += topic(provider) }
        let lease = contract.provider.isEmpty ? [] : tree.records(MessageType.lease(provider))
        for record in lease { findings += headers(record, contract.leaseHeaders, "lease record") }
        for message in contract.messages { findings += check(message, provider) }
        for pair in contract.pairs { findings += check(pair) }
        return findings
    }

    private func check(_ message: ConsumerContract.Message, _ provider: ServiceName) -> [Finding] {
        let name = message.type.shortName
        var findings: [Finding] = []
        for (path, problem) in message.fields.flatMap({ $0.flaws(isContract: true) }) {
            findings.append(at("\(name), field \(path)", "The contract's field \(problem).", Advice.contract))
        }
        if declares {
            guard let declared = Catalogue.message(message.type) else {
                return findings + [
                    at(
                        name,
                        "\(contract.provider) does not publish \(message.type), on which \(contract.consumer) "
                            + "relies: \(message.use)", Advice.keep)
                ]
            }
            findings += compare(message, declared)
        }
        let records = tree.records(message.type)
        if records.isEmpty {
            findings.append(
                at(
                    name, "There is no record of it: \(contract.provider) has never been seen to publish it.",
                    declares ? Advice.accept : "Deploy \(contract.provider) first."))
        }
        for record in records { findings += check(record, message) }
        return findings
    }

    /// Compares what the consumer needs with what the provider declares.
    private func compare(_ message: ConsumerContract.Message, _ declared: DeclaredMessage) -> [Finding] {
        let name = message.type.shortName
        let offered = declared.fields.flattened
        var findings: [Finding] = []
        if message.keyField != declared.keyField {
            findings.append(
                at(
                    "\(name), key",
                    "The key is \(declared.keyField ?? "system"), and \(contract.consumer) needs "
                        + "\(message.keyField ?? "system").", Advice.keep))
        }
        for (path, need) in message.fields.flattened {
            guard let offer = offered.first(where: { $0.path == path })?.rule else {
                findings.append(field(name, path, "is no longer published", need))
                continue
            }
            if !offer.form.isWithin(need.form) {
                findings.append(
                    field(name, path, "is of the form \(offer.form.rawValue), not \(need.form.rawValue)", need))
            }
            if offer.unit != need.unit {
                findings.append(
                    field(
                        name, path,
                        "is in \(offer.unit?.rawValue ?? "no unit"), not in "
                            + "\(need.unit?.rawValue ?? "no unit")", need))
            }
            if offer.isOptional && !need.isOptional {
                findings.append(field(name, path, "may be missing", need))
            }
            for code in need.known where !offer.known.contains(code) {
                findings.append(field(name, path, "is never \(code) any longer, which the consumer handles", need))
            }
            if let least = need.minimum, (offer.minimum ?? .min) < least {
                findings.append(field(name, path, "may be below \(least)", need))
            }
            if let most = need.maximum, (offer.maximum ?? .max) > most {
                findings.append(field(name, path, "may be above \(most)", need))
            }
        }
        return findings
    }

    /// Checks a record, as it was in a topic, against what the consumer needs.
    package func check(_ record: PublishedRecord, _ message: ConsumerContract.Message) -> [Finding] {
        let name = message.type.shortName
        var findings = headers(record, contract.headers, name)
        if record.topic != contract.topic {
            findings.append(at("\(name), topic", "It was in \(record.topic).", Advice.keep))
        }
        let type = record.header(MessageHeaders.contentType)
        if type != contract.contentType {
            findings.append(
                at(
                    "\(name), header content-type", "It is \(type ?? "missing"), not \(contract.contentType).",
                    Advice.keep))
        }
        let wanted = message.keyField.map { record.member($0)?.stringValue ?? "" } ?? "system"
        if record.key != wanted {
            findings.append(
                at(
                    "\(name), key",
                    "The key is \(record.key ?? "missing"), not \(message.keyField ?? "system"). "
                        + "\(contract.consumer) relies on: \(contract.order)", Advice.keep))
        }
        let partition = Int32(StableHash.fnv1a64(wanted) % UInt64(max(contract.partitions, 1)))
        if record.partition != partition {
            findings.append(
                at(
                    "\(name), partition", "It was in partition \(record.partition), not in \(partition).",
                    Advice.keep))
        }
        for rule in message.fields {
            for (path, problem) in rule.problems(record.value) {
                let need = rule.flattened().first { $0.path == path }?.rule ?? rule
                findings.append(field(name, path, problem, need))
            }
        }
        return findings
    }

    private func headers(
        _ record: PublishedRecord, _ rules: [(name: String, form: String)], _ what: String
    ) -> [Finding] {
        rules.compactMap { rule in
            DeclaredHeader.problem(record.header(rule.name), rule.form).map { problem in
                at("\(what), header \(rule.name)", "It \(problem). \(contract.consumer) reads it.", Advice.keep)
            }
        }
    }

    private func check(_ pair: ConsumerContract.Pair) -> [Finding] {
        let place = "\(pair.first.shortName) before \(pair.then.shortName)"
        var seen = 0
        for first in tree.records(pair.first) {
            for then in tree.records(pair.then)
            where first.member(pair.firstField) != nil && first.member(pair.firstField) == then.member(pair.thenField) {
                seen += 1
                if first.position >= then.position || first.partition != then.partition {
                    return [
                        at(
                            place, "They came in the opposite order. \(contract.consumer) relies on it: \(pair.why)",
                            Advice.keep)
                    ]
                }
            }
        }
        return seen > 0 ? [] : [at(place, "No story shows the two together.", Advice.accept)]
    }

    private func field(_ name: String, _ path: String, _ problem: String, _ need: FieldRule) -> Finding {
        at(
            "\(name), field \(path)", "The field \(problem). \(contract.consumer) relies on it: \(need.meaning)",
            Advice.keep)
    }

    private func at(_ place: String, _ problem: String, _ advice: String) -> Finding {
        Finding("\(contract.title): \(place)", problem, "\(advice) (\(contract.path))")
    }
}

/// What all messages of a topic have in common.
extension ContractCheck {
    /// Compares topic, partitioning and headers of the contract with the provider's code.
    private func topic(_ provider: ServiceName) -> [Finding] {
        let topic = Topic(provider)
        var findings: [Finding] = []
        if contract.topic != topic.name {
            findings.append(
                at(
                    "topic",
                    "\(contract.provider) publishes on \(topic.name), and \(contract.consumer) reads "
                        + "\(contract.topic).", Advice.keep))
        }
        if contract.partitions != Int64(topic.partitions) || contract.partitionHash != "fnv1a64" {
            findings.append(
                at(
                    "partitioning",
                    "The topic has \(topic.partitions) partitions chosen by fnv1a64, and the "
                        + "contract says \(contract.partitions) by \(contract.partitionHash).",
                    "Another number or hash breaks the order within keys: it needs a new topic."))
        }
        let names = DeclaredHeader.ofMessages.map(\.name)
        for header in contract.headers where !names.contains(header.name) {
            findings.append(
                at(
                    "header \(header.name)",
                    "Today's code no longer has a header of this name. \(contract.consumer) reads it.", Advice.keep))
        }
        return findings
    }
}
