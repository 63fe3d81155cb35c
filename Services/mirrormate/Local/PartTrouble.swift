import Processes
import Runtime

/// A part of a stack that does not run though it should, by what the machine says of its process.
struct PartTrouble: Equatable {
    /// What became of the process.
    enum Kind: String {
        /// Nothing started it, or `down` ended it.
        case notStarted = "not-started"
        /// It was started and is gone: killed, crashed, or ended by itself.
        case gone
        /// It is there, and somebody has stopped it.
        case stopped
    }

    /// The part's name, such as `quota` or `sessions-2`.
    let part: String
    let kind: Kind
    /// The number of the process; nil when there was none.
    let id: Int32?

    /// A sentence without its full stop.
    var sentence: String {
        switch kind {
        case .notStarted: "\(part) does not run: it is not started"
        case .gone: "\(part) does not run: its process \(id ?? 0) has ended, killed or by itself"
        case .stopped: "\(part) stands still: its process \(id ?? 0) is stopped (SIGSTOP, or a debugger)"
        }
    }

    var advice: String {
        switch kind {
        case .notStarted: "`mirrormate up` starts it."
        case .gone: "`mirrormate up` starts it; `mirrormate logs \(Self.withoutNumber(part))` shows its last words."
        case .stopped: "kill -CONT \(id ?? 0) lets it go on."
        }
    }

    /// The name of the part as `logs` takes it: of the second copy of a service, too, the service's.
    private static func withoutNumber(_ part: String) -> String {
        let words = part.split(separator: "-")
        return words.count == 2 && words[1].allSatisfy(\.isNumber) ? String(words[0]) : part
    }
}

extension StackPart {
    /// Why the part does not run; nil when it does.
    var trouble: PartTrouble? {
        guard let identity = noted else { return PartTrouble(part: name, kind: .notStarted, id: nil) }
        guard identity.isRunning else { return PartTrouble(part: name, kind: .gone, id: identity.id) }
        return identity.standsStill ? PartTrouble(part: name, kind: .stopped, id: identity.id) : nil
    }
}

extension Stack {
    /// What of the stack does not run, causes first: each part needs those before it.
    var troubles: [PartTrouble] { engineTroubles + outerParts.compactMap(\.trouble) }

    /// What of PostgreSQL and a Kafka that was started here does not run.
    var engineTroubles: [PartTrouble] {
        let isOwn = record.kafkaKind != Broker.Kind.external.rawValue
        return (isOwn ? ["postgres", "kafka"] : ["postgres"])
            .compactMap { StackPart(name: $0, state: settings.state).trouble }
    }

    /// Why nobody starts anew what dies, where the stack wants that; of one that is down that is no trouble.
    var supervisorTroubles: [PartTrouble] {
        guard record.restarts, !record.isRestoring, let trouble = Supervisor.part(settings.state).trouble else {
            return []
        }
        return trouble.kind == .notStarted && troubles.contains { $0.kind == .notStarted } ? [] : [trouble]
    }

    private var outerParts: [StackPart] {
        // Where the services run as the caller, they themselves start what opens strangers' files.
        let media =
            StackOwner.owner(of: settings.state.path) == 0
            ? MediaService.allCases.map { MediaServer.part($0, settings.state) } : []
        // Only of a stack that was started with one.
        let wayOut = [WayOut.part(settings.state)].filter { $0.noted != nil }
        return media + wayOut + services.map(\.part) + [StackPart(name: "gateway", state: settings.state)]
    }
}
