import ContractChecking
import Contracts
import Crypto
import EventSourcing
import Glibc
import JSON
import Primitives
import ServiceKit

/// Releases what is new: writes golden files that are not there yet. What is there is never touched.
struct Accepting {
    let service: ServiceName
    let tree: ContractTree

    func accept(_ records: [PublishedRecord], _ events: [RecordedEvent]) throws {
        var written: [String] = []
        // Ids are unique within a publisher only: two services may answer one message.
        let known = Set(tree.published.filter { $0.type.service == service.rawValue }.flatMap(\.records).map(\.id))
        let lease = MessageType.lease(service)
        for (type, group) in Dictionary(grouping: records, by: \.type) {
            guard let type else { continue }
            var new = group.filter { !known.contains($0.id) }
            if type == lease { new = tree.records(lease).isEmpty ? Array(group.prefix(1)) : [] }
            if new.isEmpty { continue }
            let path = freePath("Services/\(service.rawValue)/Contracts/published/\(type.shortName)")
            let golden = GoldenMessage(path: path, type: type, records: new.sorted { $0.position < $1.position })
            written.append(try write(golden.text, to: path))
        }
        for (type, group) in Dictionary(grouping: events, by: \.type) {
            let isOfKit =
                ExportPartEvent.isOne(type) || ConsentEvent.isOne(type)
                || LearnedEvent.isOne(type) && service != .identity
            let home = isOfKit ? "Shared/Platform/ServiceKit" : nil
            let folder = home ?? "Services/\(service.rawValue)"
            let isKnown = tree.events.contains {
                $0.name == type.name && $0.version == type.version && $0.path.hasPrefix(folder + "/")
            }
            if isKnown { continue }
            // Two that differ in their members show optional ones with and without.
            var examples: [JSONObject] = []
            for event in group {
                let data = try JSONObject.parse(event.data)
                if !examples.contains(where: { $0.keys == data.keys }) { examples.append(data) }
            }
            let path = "\(folder)/Contracts/events/\(type.name).v\(type.version).json"
            let golden = GoldenEvent(
                path: path, service: service.rawValue, name: type.name, version: type.version, examples: examples)
            written.append(try write(golden.text, to: path))
        }
        try lock(written)
    }

    /// A name that no released file has.
    private func freePath(_ stem: String) -> String {
        var path = "\(stem).json"
        var number = 2
        while tree.files[path] != nil {
            path = "\(stem)-\(number).json"
            number += 1
        }
        return path
    }

    private func write(_ text: String, to path: String) throws -> String {
        var folder = root
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o755)
        }
        guard let file = fopen("\(root)/\(path)", "w") else {
            throw StoryStops(description: "\(path) cannot be written.")
        }
        fputs(text, file)
        fclose(file)
        return "\(Hex.encode(SHA256.digest(Array(text.utf8))))  \(path)\n"
    }

    private func lock(_ lines: [String]) throws {
        if lines.isEmpty { return }
        let path = "\(root)/\(ContractTree.releasedPath)"
        let old = String(decoding: FolderFiles.read(path), as: UTF8.self).split(separator: "\n").map { "\($0)\n" }
        guard let file = fopen(path, "w") else { throw StoryStops(description: "\(path) cannot be written.") }
        for line in (old + lines).sorted(by: { $0.dropFirst(66) < $1.dropFirst(66) }) { fputs(line, file) }
        fclose(file)
    }
}
