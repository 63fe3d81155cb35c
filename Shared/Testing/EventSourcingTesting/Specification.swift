package import EventSourcing

/// What a decider answered.
package enum Outcome<Event: Equatable & Sendable, Refusal: Equatable & Sendable>: Equatable, Sendable {
    case events([Event])
    case refusal(Refusal)
}

/// A rule as an example: given a history, when a command comes, then these events or this refusal follow.
///
/// ```swift
/// #expect(given(created, admitted).when(.cancel(by: owner)) == .events([cancelled]))
/// ```
package struct Specification<D: Decider>: Sendable where D.Event: Equatable {
    /// Everything that has happened.
    package let history: [D.Event]

    package init(_ history: [D.Event]) { self.history = history }

    /// The state after the history.
    package var state: D.State { D.fold(history) }

    /// What a command is answered with after the history.
    package func when(_ command: D.Command) -> Outcome<D.Event, D.Refusal> {
        do throws(D.Refusal) { return .events(try D.decide(command, state)) } catch { return .refusal(error) }
    }

    /// The history with what a command adds to it; unchanged by a refusal.
    package func after(_ command: D.Command) -> Specification {
        guard case .events(let events) = when(command) else { return self }
        return Specification(history + events)
    }

    /// The history after several commands, one after another.
    package func after(_ commands: [D.Command]) -> Specification {
        commands.reduce(self) { $0.after($1) }
    }
}
