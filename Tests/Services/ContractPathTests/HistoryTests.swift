import ContractChecking
import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

/// An event as bytes of any version, for histories that today's code would not write.
struct StoredEvent: PrivateEvent {
    let type: EventType
    let data: JSONObject

    static func decode(_ type: EventType, _ data: JSONObject) throws(EventDecodingError) -> StoredEvent {
        StoredEvent(type: type, data: data)
    }
}

/// Reads all that was ever released of a service's private events.
private struct Histories: StoryVisitor {
    private let tree = ContractTree(FolderFiles.contracts(under: root))

    @Loop func visit<T: Story>(_: T.Type) async throws {
        let service = T.S.name
        let folder = "Services/\(service.rawValue)"
        let golden = tree.events.filter {
            $0.path.hasPrefix(folder + "/") || service != .identity && $0.path.hasPrefix("Shared/Platform/ServiceKit/")
        }
        let released = Set(golden.map { EventType($0.name, $0.version) })
        var written = durableEventTypes(in: folder)
        if service != .identity { written.formUnion(durableEventTypes(in: "Shared/Platform/ServiceKit")) }
        for type in written.subtracting(released) {
            Issue.record(
                "\(service.rawValue): \(type) has no golden file: let the story show it and run `make contracts-accept`."
            )
        }
        for event in golden { read(T.self, event) }
        try await rebuild(T.self, golden)
    }

    private func read<T: Story>(_: T.Type, _ golden: GoldenEvent) {
        let type = EventType(golden.name, golden.version)
        let place = "\(T.S.name.rawValue): \(type) (\(golden.path))"
        for example in golden.examples {
            do {
                // From the bytes, as they lie in the log.
                let data = try JSONObject.parse(JSONValue.object(example.stored).bytes)
                let (now, reads) = try T.rewrite(type, data)
                #expect(now.name == golden.name, "\(place) is read as another event.")
                let changes = JSONValue.object(reads).changes(from: .object(example.reads))
                for (path, problem) in changes {
                    Issue.record(
                        "\(place), field \(path): released bytes are read as another value: \(problem). Bring old versions to the new form in the event's decode: docs/contracts.md, \"A new version of a private event\"."
                    )
                }
            } catch {
                Issue.record(
                    "\(place) cannot be read any more: \(error). Histories hold it forever: docs/contracts.md, \"A new version of a private event\"."
                )
            }
        }
    }

    /// A history that mixes all of them is read, folded and published.
    @Loop private func rebuild<T: Story>(_: T.Type, _ golden: [GoldenEvent]) async throws {
        let folder = TemporaryFolder()
        try await withService(T.S.self, T.variables(folder.path)) { group in
            let stage = try await Stage(group, folder, tree)
            for (index, event) in golden.enumerated() {
                for example in event.examples {
                    let stored = StoredEvent(type: EventType(event.name, event.version), data: example.stored)
                    try await stage.append(
                        [
                            StreamWrite(
                                StreamName(
                                    "golden", .v5(namespace: World.namespace, name: "\(index)/\(example.stored)")),
                                expectedVersion: 0, events: [NewEvent(stored)])
                        ], of: World.grace)
                }
            }
            #expect(stage.events.count == golden.map(\.examples.count).reduce(0, +))
            for event in stage.events { _ = try T.S.publication(event) }
            try await stage.group.foldAll()
        }
    }
}

@Suite("Every private event that was ever released") struct HistoryTests {
    @Test("is read to the value it stood for, and a mixed history is folded", arguments: selectedServices)
    @Loop func golden(service: ServiceName) async throws { try await Histories().run(service) }
}
