package import Contracts

/// All checks that need no service to run: contracts, declarations and golden files against each other.
package struct ContractSuite: Sendable {
    private let tree: ContractTree

    package init(_ tree: ContractTree) { self.tree = tree }

    /// All that is wrong.
    ///
    /// - Parameter service: only what this service promises or relies on; everything when absent.
    package func findings(for service: ServiceName? = nil) -> [Finding] {
        var findings = tree.unreadable
        for name in ServiceName.allCases where service == nil || service == name {
            findings += ReleaseCheck(tree).findings(of: name)
        }
        for contract in concerned(service) { findings += ContractCheck(contract, in: tree).findings() }
        return findings
    }

    /// Whether a service, or all of them, can be deployed from here beside what another revision has deployed.
    ///
    /// - Parameter deployed: the revision that is in use.
    package func findings(against deployed: ContractTree, for service: ServiceName? = nil) -> [Finding] {
        var findings: [Finding] = []
        for (path, bytes) in deployed.files.sorted(by: { $0.key < $1.key }) where tree.files[path] != bytes {
            findings.append(
                Finding(
                    path, tree.files[path] == nil ? "It was released and is gone." : "It was released and has changed.",
                    Advice.golden))
        }
        // What runs there must go on with what is published from here.
        for contract in deployed.contracts where service == nil || contract.provider == service?.rawValue {
            findings += ContractCheck(contract, in: tree).findings()
        }
        // What reads here must go on with what is published there.
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

    /// Types, fields and headers on which nobody relies, for people: `quota: QuotaCommitted.v1`.
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
