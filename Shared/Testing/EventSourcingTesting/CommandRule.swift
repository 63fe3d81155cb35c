package import EventSourcing

/// What one command does in every state of an aggregate, as a row that reads like a sentence.
///
/// ```swift
/// CommandRule<SessionState, Session>(
///     "the owner cancels", .cancel(by: owner),
///     .gives("SessionCancelled", in: .queued, .open), .nothing(in: .cancelled), .refuses(.unknown))
/// ```
///
/// An answer without states is that of all other states, so that no pair of a state and a command is left to chance.
package struct CommandRule<State: CaseIterable & Hashable & Sendable, D: Decider>: Sendable where D.Event: Equatable {
    /// A command's answer and the states in which it is given.
    package struct Answer: Sendable {
        fileprivate let stated: Stated
        fileprivate let states: [State]

        /// Events of these names follow, in this order.
        package static func gives(_ events: String..., in states: State...) -> Answer {
            Answer(stated: .events(events), states: states)
        }

        /// Nothing follows: what the command asks for is so already, or no longer concerns anybody.
        package static func nothing(in states: State...) -> Answer { Answer(stated: .events([]), states: states) }

        /// The command is refused.
        package static func refuses(_ refusal: D.Refusal, in states: State...) -> Answer {
            Answer(stated: .refusal(refusal), states: states)
        }
    }

    fileprivate enum Stated: Equatable, Sendable {
        case events([String])
        case refusal(D.Refusal)
    }

    /// What the command is called in messages.
    package let name: String
    package let command: D.Command
    private let answers: [Answer]

    package init(_ name: String, _ command: D.Command, _ answers: Answer...) {
        self.name = name
        self.command = command
        self.answers = answers
    }

    /// What is not as the rule states, in a sentence for each state; empty when all is.
    ///
    /// - Parameter given: the history that leads to a state.
    package func violations(given: (State) -> Specification<D>) -> [String] {
        State.allCases.compactMap { state in
            let stated = answers.filter { $0.states.contains(state) }
            let others = answers.filter(\.states.isEmpty)
            guard let answer = stated.first ?? others.first, stated.count <= 1, others.count <= 1 else {
                return "\(name), when \(state): the rule has to state one answer, and has \(stated.count)."
            }
            let seen: Stated =
                switch given(state).when(command) {
                case .events(let events): .events(events.map(\.type.name))
                case .refusal(let refusal): .refusal(refusal)
                }
            return seen == answer.stated
                ? nil : "\(name), when \(state): \(seen), and the rule states \(answer.stated)."
        }
    }
}

extension CommandRule: CustomStringConvertible {
    package var description: String { name }
}

extension CommandRule.Stated: CustomStringConvertible {
    var description: String {
        switch self {
        case .events([]): "nothing follows"
        case .events(let names): names.joined(separator: ", then ")
        case .refusal(let refusal): "refused as \(refusal)"
        }
    }
}
