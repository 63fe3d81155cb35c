/// The pure core of an aggregate: three functions over four types.
///
/// No clock, no randomness and no I/O: times and identifiers arrive inside commands, so that a replay decides the same.
package protocol Decider {
    /// What somebody asks for, in the imperative.
    associatedtype Command: Sendable
    /// What happened, in the past tense; private to the service.
    associatedtype Event: PrivateEvent
    /// What the next decision needs to know of the past.
    associatedtype State: Sendable
    /// The domain's ways of saying no.
    associatedtype Refusal: Error, Sendable, Equatable

    /// The state before the first event.
    static var initial: State { get }

    /// Answers a command with the events that follow from it; no events means that nothing is left to do.
    ///
    /// - Throws: the refusal, when the rules say no.
    static func decide(_ command: Command, _ state: State) throws(Refusal) -> [Event]

    /// The state after one more event. Total: it never refuses, because what happened has happened.
    static func evolve(_ state: State, _ event: Event) -> State
}

extension Decider {
    /// The state after a history.
    package static func fold(_ events: some Sequence<Event>, from state: State = initial) -> State {
        events.reduce(state, evolve)
    }
}
