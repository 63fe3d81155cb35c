import Contracts
import EventSourcing
import History
import Primitives

/// What a command that looks at states is asked about.
enum HistoryPlace: Sendable {
    /// An aggregate, by its stream.
    case stream(ServiceName, StreamName)
    /// A read model; which row, another word says.
    case readModel(ReadModelName)
    /// What quota decided about an owner.
    case quota
    /// An owner's streaks.
    case streak
    /// A measure over an owner's reports.
    case progress
    /// A goal.
    case goal
    /// What an owner is told outside.
    case webhooks

    /// The places that are words.
    static let words: [String: HistoryPlace] = [
        "quota": .quota, "streak": .streak, "progress": .progress, "goal": .goal, "webhooks": .webhooks,
    ]

    var description: String {
        switch self {
        case .stream(let service, let stream): "\(service.rawValue)/\(stream)"
        case .readModel(let name): name.description
        case .quota: "quota"
        case .streak: "streak"
        case .progress: "progress"
        case .goal: "goal"
        case .webhooks: "webhooks"
        }
    }

    /// The failure of a place with a key that it does not take, or without the one that it needs.
    func misplaced(_ key: String?) -> Failure {
        switch self {
        case .stream: .usage("“\(key ?? "")” was not expected: \(description) is an aggregate and needs no key.")
        case .readModel: .usage("KEY is missing: which row of \(description)?")
        case .quota, .streak, .webhooks: .usage("The owner is missing: mirrormate explain \(description) OWNER.")
        case .goal: .usage("The goal's id is missing: mirrormate explain goal ID.")
        case .progress: .usage("The owner's id or the measure is missing: mirrormate explain progress USER MEASURE.")
        }
    }
}

/// The name of a read model that is there.
struct ReadModelName: Sendable, Equatable, CustomStringConvertible {
    let service: ServiceName
    let name: String

    /// All that there are.
    static let all = ServiceLogs.histories.flatMap { history in
        history.readModels.map { ReadModelName(service: history.service, name: $0.name) }
    }

    /// A read model by `SERVICE/READMODEL`, or by its name alone; nil when there is none.
    init?(_ text: String) {
        guard let found = Self.all.first(where: { [$0.description, $0.name].contains(text) }) else { return nil }
        self = found
    }

    private init(service: ServiceName, name: String) {
        self.service = service
        self.name = name
    }

    var description: String { "\(service.rawValue)/\(name)" }
}

extension ValueType where Value == ReadModelName {
    /// A read model, by `SERVICE/READMODEL` or by its name alone.
    static var readModel: Self {
        Self("READMODEL", noun: "read model", ReadModelName.all.map(\.description)) { ReadModelName($0) }
    }
}

extension ValueType where Value == HistoryPlace {
    /// A read model or a stream.
    ///
    /// - Parameter words: those of ``HistoryPlace/words`` that are places of their own there.
    static func place(besides words: [String] = []) -> Self {
        let known = ReadModelName.all.map(\.description) + words
        return Self(
            "PLACE", .words(known),
            expected: "SERVICE/STREAM or SERVICE/READMODEL, with one of the services "
                + ServiceName.allCases.map(\.rawValue).joined(separator: ", ")
        ) { text in
            if words.contains(text), let place = HistoryPlace.words[text] { return place }
            if let model = ReadModelName(text) { return .readModel(model) }
            let parts = text.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, let service = ServiceName(rawValue: String(parts[0])) else { return nil }
            return .stream(service, StreamName(rawValue: String(parts[1])))
        }
    }
}
