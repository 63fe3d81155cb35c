import ContractChecking
import Contracts
import ServiceKit
import Testing

/// The types that the kit handles for every service.
private let ofTheKit = LearnedEvent.messages

@Suite struct `The table of reactions` {
    @Test(arguments: ServiceName.allCases)
    func `says of every message that a read service publishes what is done about it`(service: ServiceName) {
        let table = Table(service.declaration)
        for provider in table.reads {
            // Erasures are answered to identity alone, and parts of exports come to reporting.
            let own = Set(Catalogue.messages.map(\.type).filter { $0.service == provider.rawValue })
            var answers: Set<MessageType> = service == .identity ? [] : [SubjectErased.type(of: provider)]
            if service != .reporting { answers.insert(ExportPartWritten.type(of: provider)) }
            let unsaid = own.subtracting(ofTheKit).subtracting(answers).subtracting(table.types)
                .subtracting(table.ignored)
            #expect(
                unsaid.isEmpty,
                "\(service) reads \(provider) and says nothing of \(unsaid): add it to the table, or to `ignoring`.")
        }
    }

    @Test(arguments: ServiceName.allCases)
    func `ignores nothing that it reacts to, and nothing of services that it does not read`(service: ServiceName) {
        let table = Table(service.declaration)
        #expect(table.types.isDisjoint(with: table.ignored))
        #expect(table.ignored.allSatisfy { type in table.reads.contains { $0.rawValue == type.service } })
    }
}

/// A table of reactions without its types.
private struct Table {
    let reads: [ServiceName]
    let types: Set<MessageType>
    let ignored: Set<MessageType>

    init<S: Service>(_: S.Type) {
        reads = S.reads
        types = Set(S.reactions.types)
        ignored = Set(S.reactions.ignored)
    }
}
