import Contracts
import EventSourcing
import History
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate state`: an aggregate or a row of a read model, as it is or was.
@Loop struct StateCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        switch (arguments[Operands.place], arguments[Operands.key]) {
        case (.readModel(let name), let key?):
            if arguments[Flags.version] != nil {
                throw Failure.usage("A row has no versions.", advice: "Name a position or a time: --position, --at.")
            }
            return try await row(name, key: try await logs.key(key, of: name))
        case (.stream(let service, let stream), nil):
            if arguments[Flags.position] != nil {
                throw Failure.usage(
                    "An aggregate is as it was at a version, not at a position.", advice: "Use --version.")
            }
            guard logs.store(service).history.aggregate(of: stream) != nil else {
                throw ServiceLogs.noAggregate(service, stream)
            }
            return try await aggregate(service, try await logs.knownStream(stream, of: service))
        case (let place, let key): throw place.misplaced(key)
        }
    }

    private func aggregate(_ service: ServiceName, _ stream: StreamName) async throws -> ExitCode {
        let snapshot = try await StateFold(logs.store(service)).aggregate(
            stream, upTo: arguments[Flags.version] ?? .max, at: arguments[Flags.at])
        guard let snapshot else {
            throw ServiceLogs.noAggregate(service, stream)
        }
        if let wanted = arguments[Flags.version], arguments[Flags.at] == nil, snapshot.version > 0,
            snapshot.version < wanted
        {
            throw Failure.usage("\(service.rawValue)/\(stream) has \(Format.count(Int(snapshot.version), "version")).")
        }
        return show("\(service.rawValue)/\(stream)", snapshot, "at version \(snapshot.version)")
    }

    private func row(_ name: ReadModelName, key: String) async throws -> ExitCode {
        let (store, model) = logs.readModel(name)
        if let wanted = arguments[Flags.position] {
            let head = try await store.head()
            if wanted > head {
                throw Failure.usage("The log of \(store.service.rawValue) ends at position \(head).")
            }
        }
        var position = arguments[Flags.position] ?? .max
        if let moment = arguments[Flags.at] { position = min(position, try await store.position(at: moment)) }
        let snapshot = try await StateFold(store).row(key, of: model, upTo: position)
        return show("\(name) \(key)", snapshot, "as folded by this build")
    }

    private func show(_ name: String, _ snapshot: StateFold.Snapshot, _ how: String) -> ExitCode {
        let last = snapshot.last
        if arguments[Flags.json] {
            let document: JSONValue = [
                "name": .string(name), "version": .int(snapshot.version),
                "position": .optional(last?.position), "recordedAt": .optional(last?.recordedAt),
                "state": snapshot.value ?? .null,
            ]
            console.answer(document)
            return snapshot.value == nil ? .failure : .success
        }
        guard let value = snapshot.value else {
            console.print(
                last.map {
                    "\(name) was removed by \($0.type) at position \($0.position), \(Format.moment($0.recordedAt))"
                }
                    ?? "\(name) does not exist there and then")
            return .failure
        }
        let place = last.map { ", position \($0.position), \(Format.moment($0.recordedAt))" } ?? ""
        console.print("\(name) \(how)\(place)")
        console.print(value.prettyText)
        return .success
    }
}
