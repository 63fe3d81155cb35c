import Contracts
package import EventSourcing
package import EventStore
package import History
package import Primitives
package import Projections

extension ReadModelHistory {
    /// A read model in which each row belongs to one stream.
    ///
    /// - Parameter category: the streams' category; a key is what follows it in their names.
    package static func readModel<Model: ReadModel>(
        _ model: Model.Type, of category: String
    ) -> ReadModelHistory where Model.Key == UUID {
        ReadModelHistory(model, of: category, foreign: KitEvents.isOne)
    }

    /// A read model.
    ///
    /// - Parameter streams: the streams whose events can change the row of a key.
    package static func readModel<Model: ReadModel>(
        _ model: Model.Type, streams: @escaping @Sendable (_ key: String) -> [StreamName]
    ) -> ReadModelHistory {
        ReadModelHistory(model, foreign: KitEvents.isOne, streams: streams)
    }
}

extension AggregateHistory {
    /// The aggregate that handles messages.
    ///
    /// - Parameter command: what was asked without a message, inferred from what followed; nil when it cannot be known.
    package init<A: Aggregate, Resources>(
        _ aggregate: A.Type, categories: Set<String>, owners: Set<String> = [], reactions: Reactions<A, Resources>,
        command: @escaping @Sendable (DecisionRecord<A.Event>, A.State) throws -> A.Command?
    ) {
        self.init(aggregate, categories: categories, owners: owners) { record, state in
            let reaction = try record.message.flatMap { try reactions.reaction(to: $0, recalledFrom: record.events) }
            switch reaction {
            case .apply(_, let asked)?: return asked
            case .ignore?: return nil
            // No message of another service, or what the kit itself does about one.
            case .erase?, .handOver?, .writeExportPart?, .removeExportPart?, .noteExportPart?, .learnConsent?,
                .learnWithdrawal?, nil:
                return try command(record, state)
            }
        }
    }
}
