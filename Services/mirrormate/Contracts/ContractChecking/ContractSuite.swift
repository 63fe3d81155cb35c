package import Contracts

/// All checks that need no running service: contracts, declarations and golden files against each other.
package struct ContractSuite: Sendable {
    private let tree: ContractTree

    package init(_ tree: ContractTree) { self.tree = tree }

    /// All violations.
    ///
    /// - Parameter service: limits them to what this service promises or relies on; nil for all.
    package func findings(for service: ServiceName? = nil) -> [Finding] {
        var findings = tree.unreadable
        for name in ServiceName.allCases where service == nil || service == name {
            findings += ReleaseCheck(tree).findings(of: name)
        }
        for contract in concerned(service) { findings += ContractCheck(contract, in: tree).findings() }
        return findings
    }

    /// What prevents deploying a service, or all of them, from here beside another deployed revision.
    ///
    /// - Parameter deployed: the deployed revision.
    package func findings(against deployed: ContractTree, for service: ServiceName? = nil) -> [Finding] {
        var findings: [Finding] = []
        for (path, bytes) in deployed.files.sorted(by: { $0.key < $1.key }) where tree.files[path] != bytes {
            findings.append(
                Finding(
                    path, tree.files[path] == nil ? "It was released and is gone." : "It was released and has changed.",
                    Advice.golden))
        }
        // What is deployed must be able to read what is published from here.
        for contract in deployed.contracts where service == nil || contract.provider == service?.rawValue {
            findings += ContractCheck(contract, in: tree).findings()
        }
        // What is here must be able to read what the deployed revision publishes.
        for contract in concerned(service) where service == nil || contract.consumer == service?.rawValue {
            findings += ContractCheck(contract, in: deployed, declares: false).findings()
        }
        return findings
    }

    private func concerned(_ service: ServiceName?) -> [ConsumerContract] {
        tree.contracts.filter {
            service == nil || $0.consumer == service?.rawValue || $0.provider == service?.rawValue
        }
    }

    /// Types, fields and headers that nobody relies on, for people: `quota: QuotaCommitted.v1`.
    package func unused() -> [String] {
        var lines: [String] = []
        for service in ServiceName.allCases {
            let readers = tree.contracts.filter { $0.provider == service.rawValue }
            for message in Catalogue.messages where message.service == service {
                if !readers.contains(where: { $0.message(message.type) != nil }) {
                    lines.append("\(service.rawValue): \(message.shortName), by nobody")
                    continue
                }
                for (path, _) in message.fields.flattened where tree.users(of: path, in: message.type).isEmpty {
                    lines.append("\(service.rawValue): \(message.shortName), field \(path)")
                }
            }
        }
        for header in DeclaredHeader.ofMessages
        where !tree.contracts.contains(where: { $0.headers.contains { $0.name == header.name } }) {
            lines.append("header \(header.name)")
        }
        return lines
    }
}
