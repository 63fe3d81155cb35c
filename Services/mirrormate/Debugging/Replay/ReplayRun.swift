package import Contracts
package import EventSourcing
package import History
package import JSON
import Primitives

/// Runs a captured history through today's deciders and folds, decision by decision, in memory.
package final class ReplayRun {
    /// One decision.
    package struct Step: Sendable {
        package let service: ServiceName
        /// The events of the decision.
        package let events: [RecordedEvent]
        /// The event behind the message that was answered, if it is part of the history.
        package let cause: EventPlace?
        package let judgement: Judgement
        /// The state of the stream after it; nil for streams of the platform.
        package let state: JSONValue?
        /// Where that state differs from the one of the build that captured the history.
        package var changes: [(name: String, before: JSONValue, after: JSONValue)] = []

        /// Whether today's code decides as history did.
        package var isAsBefore: Bool { (judgement == .same || judgement == .given) && changes.isEmpty }
    }

    private let capture: Capture
    private let histories: [ServiceName: ServiceHistory]
    private let groups: [[Capture.Entry]]
    private let byPlace: [EventPlace: RecordedEvent]
    private var folds: [String: any AggregateReplay] = [:]
    private var next = 0

    package init(_ capture: Capture, _ histories: [ServiceHistory]) {
        self.capture = capture
        self.histories = Dictionary(uniqueKeysWithValues: histories.map { ($0.service, $0) })
        byPlace = Dictionary(
            capture.entries.map { (EventPlace($0.service, $0.event.position), $0.event) },
            uniquingKeysWith: { first, _ in first })
        var groups: [[Capture.Entry]] = []
        var open: [String: Int] = [:]
        for entry in capture.entries {
            // Events of other services may lie between those of one append.
            let stream = "\(entry.service.rawValue)/\(entry.event.stream)"
            if let index = open[stream], let last = groups[index].last, last.isFollowed(by: entry) {
                groups[index].append(entry)
            } else {
                open[stream] = groups.count
                groups.append([entry])
            }
        }
        self.groups = groups
    }

    /// How many decisions there are.
    package var count: Int { groups.count }

    /// Judges the next decision, then applies what history has; nil at the end.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read an event.
    package func step() throws(EventDecodingError) -> Step? {
        guard next < groups.count, let first = groups[next].first, let history = histories[first.service] else {
            return nil
        }
        let events = groups[next].map(\.event)
        next += 1
        let stream = first.event.stream
        guard let fold = fold(stream, history) else {
            return Step(service: first.service, events: events, cause: first.cause, judgement: .given, state: nil)
        }
        var message: Incoming?
        if first.event.metadata.origin != nil, let cause = first.cause, let source = byPlace[cause],
            let outgoing = try histories[cause.service]?.publication(source)
        {
            message = Incoming(id: source.id, type: outgoing.type, time: source.recordedAt, data: outgoing.data)
        }
        // An answer to a message that is not available cannot be decided again.
        let isAnswerable = first.event.metadata.origin == nil || message != nil
        let judgement = isAnswerable ? try fold.judge(events, answering: message) : .given
        for event in events { try fold.apply(event) }
        var step = Step(
            service: first.service, events: events, cause: first.cause, judgement: judgement, state: fold.state)
        if let then = groups[next - 1].last?.state { step.changes = Difference.fields(then, fold.state) }
        return step
    }

    /// The rows of all read models, folded from the history's events by today's code.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read an event.
    package func rows() throws(EventDecodingError) -> [Capture.Row] {
        var rows: [Capture.Row] = []
        for service in ServiceName.allCases {
            let own = capture.entries.filter { $0.service == service }.map(\.event).sorted { $0.position < $1.position }
            for model in histories[service]?.readModels ?? [] {
                let fold = model.open()
                do throws(FoldError) {
                    let steps = try model.steps(of: own.map { LogEntry($0) })
                    fold.fold(steps, only: nil)
                    for key in steps.keys.sorted() {
                        rows.append(
                            Capture.Row(service: service, model: model.name, key: key, columns: fold.row(key)))
                    }
                } catch {
                    throw error.reason
                }
            }
        }
        return rows
    }

    /// The rows that differ from those of the build that captured the history.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read an event.
    package func changedRows() throws(EventDecodingError) -> [(then: Capture.Row, now: Capture.Row?)] {
        let now = try rows()
        return capture.rows.compactMap { then in
            let same = now.first { $0.service == then.service && $0.model == then.model && $0.key == then.key }
            return same == then ? nil : (then, same)
        }
    }

    private func fold(_ stream: StreamName, _ history: ServiceHistory) -> (any AggregateReplay)? {
        let name = "\(history.service.rawValue)/\(stream)"
        if let known = folds[name] { return known }
        let made = history.aggregate(of: stream)?.open()
        folds[name] = made
        return made
    }
}

extension Capture.Entry {
    /// Whether the other event was appended together with this one.
    fileprivate func isFollowed(by other: Capture.Entry) -> Bool {
        event.stream == other.event.stream && event.version + 1 == other.event.version
            && event.position + 1 == other.event.position && event.recordedAt == other.event.recordedAt
            && event.metadata == other.event.metadata
    }
}
