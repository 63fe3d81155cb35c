package import Contracts
package import EventSourcing
package import JSON
import Primitives

/// How the streams of some categories are folded and decided.
package struct AggregateHistory: Sendable {
    /// The categories of its streams.
    package let categories: Set<String>
    /// Those whose streams each belong to one owner and cover many cases.
    package let owners: Set<String>
    private let make: @Sendable () -> any AggregateReplay

    /// - Parameter command: what was asked, inferred from what followed: the message that was answered, when there was one,
    ///   and the recorded events. Nil when it can no longer be known; then the decision is taken as given.
    package init<D: Decider & SendableMetatype>(
        _: D.Type, categories: Set<String>, owners: Set<String> = [],
        command: @escaping @Sendable (DecisionRecord<D.Event>, D.State) throws -> D.Command?
    ) {
        self.categories = categories
        self.owners = owners
        make = { DeciderReplay<D>(command) }
    }

    /// A fresh fold at the state before the first event.
    package func open() -> any AggregateReplay { make() }
}

/// One decision as recorded.
package struct DecisionRecord<Event: Sendable>: Sendable {
    /// The message of another service that it answered; nil for requests, workers and clocks.
    package let message: Incoming?
    /// What was decided.
    package let events: [Event]
    /// The first event as it is in the log.
    package let recorded: RecordedEvent
}

/// One stream's fold, step by step.
package protocol AggregateReplay: AnyObject {
    /// The state as JSON, with the names of the code.
    var state: JSONValue { get }
    /// Takes the next event of the stream.
    ///
    /// - Throws: `EventDecodingError` when this build cannot read it.
    func apply(_ event: RecordedEvent) throws(EventDecodingError)
    /// What this build would decide in the present state, compared with what was decided then; takes no event.
    ///
    /// - Throws: `EventDecodingError` when this build cannot read the events.
    func judge(_ recorded: [RecordedEvent], answering message: Incoming?) throws(EventDecodingError) -> Judgement
}

/// How a recorded decision compares with what this build decides.
package enum Judgement: Sendable, Equatable {
    /// The same events with the same data.
    case same
    /// Other events: type and data of each.
    case different([JSONObject])
    /// A refusal, with its code.
    case refused(String)
    /// What was asked is not known from the events, so they are taken as given.
    case given
}

private final class DeciderReplay<D: Decider & SendableMetatype>: AggregateReplay {
    private var current = D.initial
    private let command: @Sendable (DecisionRecord<D.Event>, D.State) throws -> D.Command?

    init(_ command: @escaping @Sendable (DecisionRecord<D.Event>, D.State) throws -> D.Command?) {
        self.command = command
    }

    var state: JSONValue { Picture.of(current) }

    func apply(_ event: RecordedEvent) throws(EventDecodingError) {
        current = D.evolve(current, try event.decoded(as: D.Event.self))
    }

    func judge(_ recorded: [RecordedEvent], answering message: Incoming?) throws(EventDecodingError) -> Judgement {
        var events: [D.Event] = []
        for event in recorded { events.append(try event.decoded()) }
        guard let first = recorded.first else { return .given }
        let asked: D.Command?
        do {
            asked = try command(DecisionRecord(message: message, events: events, recorded: first), current)
        } catch {
            return .refused("\(error)")
        }
        guard let asked else { return .given }
        do throws(D.Refusal) {
            let decided = try D.decide(asked, current)
            let same =
                decided.count == events.count
                && zip(decided, events).allSatisfy { $0.type == $1.type && $0.data == $1.data }
            return same ? .same : .different(decided.map { ["type": .string("\($0.type)"), "data": .object($0.data)] })
        } catch {
            return .refused("\(error)")
        }
    }
}
