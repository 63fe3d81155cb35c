package import Contracts
import JSON

/// All contract files of one source revision.
package struct ContractTree: Sendable {
    package private(set) var contracts: [ConsumerContract] = []
    package private(set) var published: [GoldenMessage] = []
    package private(set) var events: [GoldenEvent] = []
    /// The SHA-256 of released golden files, by path, as in the output of `sha256sum`.
    package private(set) var released: [String: String] = [:]
    /// Golden files by path, for comparison.
    package private(set) var files: [String: [UInt8]] = [:]
    /// Files that cannot be read.
    package private(set) var unreadable: [Finding] = []

    /// The file with the hashes of the released golden files.
    package static let releasedPath = "Tests/Services/ContractPathTests/released.sha256"

    /// Whether a path is a contract file.
    package static func concerns(_ path: String) -> Bool {
        path == releasedPath
            || path.hasSuffix(".json") && path.contains("/Contracts/")
                && (path.hasPrefix("Services/") || path.hasPrefix("Shared/Platform/ServiceKit/"))
    }

    /// Reads the files.
    ///
    /// - Parameter files: contents, by path relative to the repository's root.
    package init(_ files: [String: [UInt8]]) {
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            do throws(JSONError) { try add(path, bytes) } catch {
                unreadable.append(
                    Finding(path, "The file cannot be read: \(error.description).", Advice.contract))
            }
        }
    }

    private mutating func add(_ path: String, _ bytes: [UInt8]) throws(JSONError) {
        if path == Self.releasedPath {
            for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
                let parts = line.split(separator: " ")
                if parts.count == 2 { released[String(parts[1])] = String(parts[0]) }
            }
            return
        }
        let parts = path.split(separator: "/").map(String.init)
        if path.hasSuffix(".contract.json") {
            contracts.append(try ConsumerContract(path: path, bytes))
        } else if parts.count >= 3, parts[parts.count - 2] == "published" {
            published.append(try GoldenMessage(path: path, bytes))
            files[path] = bytes
        } else if parts.count >= 4, parts[parts.count - 2] == "events" {
            events.append(try GoldenEvent(path: path, service: parts[1], bytes))
            files[path] = bytes
        }
    }

    /// The golden records of a type, from all its files.
    package func records(_ type: MessageType) -> [PublishedRecord] {
        published.filter { $0.type == type }.flatMap(\.records)
    }

    /// Who relies on a member of a message, and what for.
    package func users(of path: String, in type: MessageType) -> [(consumer: String, meaning: String)] {
        contracts.compactMap { contract in
            contract.message(type)?.fields.flattened.first { $0.path == path }
                .map { (contract.consumer, $0.rule.meaning) }
        }
    }

    /// Who relies on a header.
    package func users(ofHeader name: String, from provider: String) -> [String] {
        contracts.filter { $0.provider == provider && $0.headers.contains { $0.name == name } }.map(\.consumer)
    }
}

extension ContractTree {
    /// The tree with a service's records replaced, for instance by those that its relay has just written.
    package func replacing(_ records: [PublishedRecord], of service: ServiceName) -> ContractTree {
        var tree = self
        tree.published.removeAll { $0.type.service == service.rawValue }
        for (type, records) in Dictionary(grouping: records, by: \.type) {
            if let type { tree.published.append(GoldenMessage(path: "", type: type, records: records)) }
        }
        return tree
    }
}
