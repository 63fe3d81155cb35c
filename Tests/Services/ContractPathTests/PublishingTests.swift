import ContractChecking
import Contracts
import EventSourcing
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

/// Runs something for the story of a service.
protocol StoryVisitor {
    @Loop func visit<T: Story>(_: T.Type) async throws
}

extension StoryVisitor {
    /// Visits the story of a service.
    @Loop func run(_ service: ServiceName) async throws {
        switch service {
        case .identity: try await visit(IdentityStory.self)
        case .sessions: try await visit(SessionsStory.self)
        case .quota: try await visit(QuotaStory.self)
        case .analysis: try await visit(AnalysisStory.self)
        case .reporting: try await visit(ReportingStory.self)
        case .notifications: try await visit(NotificationsStory.self)
        }
    }
}

/// Command, decision, append, relay, record; and messages of others through the real decoder and handler into the store.
private struct Path: StoryVisitor {
    let service: ServiceName

    @Loop func visit<T: Story>(_: T.Type) async throws {
        let tree = ContractTree(FolderFiles.contracts(under: root))
        let folder = TemporaryFolder()
        try await withService(T.S.self, T.variables(folder.path)) { group in
            let stage = try await Stage(group, folder, tree)
            do { try await T.tell(stage) } catch let stop as StoryStops where isAccepting {
                print("\(self.service.rawValue): \(stop) Accept again.")
            }
            let records = try await stage.publish().filter { record in
                record.type == MessageType.lease(T.S.name) || stage.told.contains { $0.description == record.id }
            }.map { $0.settled(T.S.name) }
            if isAccepting {
                try Accepting(service: T.S.name, tree: tree).accept(records, stage.events)
            } else {
                report(Publication(service: T.S.name, records: records, tree: tree).findings())
                try Self.isReleased(stage.events, of: T.S.name, tree)
                let unheard = T.S.reactions.types.filter { !stage.heard.contains($0) }
                #expect(unheard.isEmpty, "The story of \(service) receives none of these, to which the service reacts.")
            }
        }
    }

    /// Every event that the story wrote is of a type and version that golden files show.
    static func isReleased(_ events: [RecordedEvent], of service: ServiceName, _ tree: ContractTree) throws {
        for type in Set(events.map(\.type)) {
            let isKnown = tree.events.contains { $0.name == type.name && $0.version == type.version }
            #expect(isKnown, "\(service.rawValue) writes \(type), which no golden file shows: `make contracts-accept`.")
        }
    }
}

@Suite("On the bytes of its real relay,") struct PublishingTests {
    @Test("a service publishes what was released and what its consumers rely on", arguments: selectedServices)
    @Loop func path(service: ServiceName) async throws { try await Path(service: service).run(service) }

    @Test("every published message in the sources is declared, and no other")
    func declarations() {
        let own = durableMessageTypes()
        let declared = Set(Catalogue.messages.map(\.type))
        let erased = Set(
            [ServiceName.sessions, .quota, .analysis, .reporting, .notifications].map(SubjectErased.type(of:)))
        let parts = Set([ServiceName.identity, .sessions, .quota].map(ExportPartWritten.type(of:)))
        #expect(own.union(erased).union(parts) == declared)
    }

    @Test("contracts, declarations and golden files agree", arguments: selectedServices)
    func suite(service: ServiceName) {
        report(ContractSuite(ContractTree(FolderFiles.contracts(under: root))).findings(for: service))
    }
}
