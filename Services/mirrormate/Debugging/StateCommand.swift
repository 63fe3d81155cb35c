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
    private let desk: Desk
    private let console: Console

    init(_ arguments: Arguments, _ desk: Desk, _ console: Console) {
        self.arguments = arguments
        self.desk = desk
        self.console = console
    }

    func run() async throws -> ExitCode {
        switch arguments.operands.count {
        case 1: try await aggregate(arguments.operands[0])
        case 2: try await row(arguments.operands[0], key: arguments.operands[1])
        default: throw Arguments.usage("Name SERVICE/STREAM, or SERVICE/READMODEL and a key.")
        }
    }

    private func aggregate(_ name: String) async throws -> ExitCode {
        let parts = name.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { throw Arguments.usage("\(name) is not of the form SERVICE/STREAM.") }
        let store = try desk.store(parts[0])
        let version = try arguments.position("--version") ?? .max
        let snapshot = try await StateFold(store).aggregate(
            StreamName(rawValue: String(parts[1])), upTo: version, at: try arguments.moment("--at"))
        guard let snapshot else {
            throw Arguments.usage("No aggregate of \(parts[0]) has streams like \(parts[1]).")
        }
        return show(name, snapshot, "at version \(snapshot.version)")
    }

    private func row(_ name: String, key: String) async throws -> ExitCode {
        let (store, model) = try desk.readModel(name)
        var position = try arguments.position("--position") ?? .max
        if let moment = try arguments.moment("--at") { position = min(position, try await store.position(at: moment)) }
        let snapshot = try await StateFold(store).row(key, of: model, upTo: position)
        return show("\(store.service.rawValue)/\(model.name) \(key)", snapshot, "as folded by this build")
    }

    private func show(_ name: String, _ snapshot: StateFold.Snapshot, _ how: String) -> ExitCode {
        let last = snapshot.last
        if arguments.flags.contains("--json") {
            let document: JSONValue = [
                "name": .string(name), "version": .int(snapshot.version),
                "position": .optional(last?.position), "recordedAt": .optional(last?.recordedAt),
                "state": snapshot.value ?? .null,
            ]
            console.print(document.prettyText)
            return snapshot.value == nil ? .failure : .success
        }
        guard let value = snapshot.value else {
            console.print(
                last.map {
                    "\(name) was removed by \($0.type) at position \($0.position), \(Words.moment($0.recordedAt))"
                }
                    ?? "\(name) does not exist there and then")
            return .failure
        }
        let place = last.map { ", position \($0.position), \(Words.moment($0.recordedAt))" } ?? ""
        console.print("\(name) \(how)\(place)")
        console.print(value.prettyText)
        return .success
    }
}
