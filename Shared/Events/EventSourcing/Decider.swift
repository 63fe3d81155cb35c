/// The pure core of an aggregate: three functions over four types.
///
/// No clock, no randomness and no I/O: times and identifiers arrive inside commands, so that a replay decides the same.
package protocol Decider {
    /// A request, in the imperative.
    associatedtype Command: Sendable
    /// What happened, in the past tense; private to the service.
    associatedtype Event: PrivateEvent
    /// What the next decision needs to know about the past.
    associatedtype State: Sendable
    /// The domain's reasons to refuse a command.
    associatedtype Refusal: Error, Sendable, Equatable

    /// The state before the first event.
    static var initial: State { get }

    /// The events that follow from a command; none if there is nothing left to do.
    ///
    /// - Throws: the refusal, if the rules do not allow the command.
    static func decide(_ command: Command, _ state: State) throws(Refusal) -> [Event]

    /// The state after one more event. Total: it never fails, because the event has already happened.
    static func evolve(_ state: State, _ event: Event) -> State
}

extension Decider {
    /// The state after a history.
    package static func fold(_ events: some Sequence<Event>, from state: State = initial) -> State {
        events.reduce(state, evolve)
    }
}
