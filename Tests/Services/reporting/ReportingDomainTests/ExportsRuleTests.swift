import Contracts
import EventSourcing
import EventSourcingTesting
import Primitives
import Testing

@testable import reporting

/// The states of somebody's exports that rules tell apart.
enum ExportsState: CaseIterable {
    case none, open, lacksIdentity, ready, failed, expired, deleted

    var given: Specification<Exports> {
        let f = Fixture.self
        let most = [f.exportRequested] + ["sessions", "quota", "reporting"].map { f.exportReceived($0) }
        return switch self {
        case .none: Specification([])
        case .open: Specification([f.exportRequested])
        case .lacksIdentity: Specification(most)
        case .ready: Specification(most + [f.exportReceived("identity"), f.exportReady])
        case .failed: Specification([f.exportRequested, f.exportFailed])
        case .expired: Specification(most + [f.exportReceived("identity"), f.exportReady, f.exportExpired])
        case .deleted: Specification([f.exportRequested, f.exportDeleted])
        }
    }
}

@Suite("Every state of somebody's exports and every command") struct ExportsRuleTests {
    private static let f = Fixture.self
    private static let soon = f.start.adding(seconds: 60)

    private static func another(after seconds: Int64) -> ExportsCommand {
        let moment = f.start.adding(seconds: seconds)
        return .request(
            ExportIdentity(exportId: UUID.v5(namespace: f.id, name: "export \(seconds)"), ownerId: f.owner),
            ExportTerms(requestedAt: moment, deadline: moment.adding(seconds: 900), lifetimeSeconds: 86_400))
    }

    private static func receive(_ service: String, _ part: ExportPart = f.exportPart) -> ExportsCommand {
        .receive(f.export, service: service, part, at: soon)
    }

    static let rules: [CommandRule<ExportsState, Exports>] = [
        .init("ask for it", .request(f.export, f.exportTerms), .gives("ExportRequested", in: .none), .nothing()),
        .init(
            "ask for another one", another(after: 60), .refuses(.open, in: .open, .lacksIdentity),
            .gives("ExportClosed", "ExportRequested", in: .ready), .gives("ExportRequested")),
        .init(
            "receive a part", receive("identity"), .gives("ExportPartReceived", in: .open),
            .gives("ExportPartReceived", "ExportReady", in: .lacksIdentity), .nothing()),
        .init(
            "receive one that is there already", receive("quota"), .gives("ExportPartReceived", in: .open), .nothing()),
        .init(
            "receive an empty part", receive("identity", ExportPart(index: nil, files: 0, sizeBytes: 0)),
            .gives("ExportPartReceived", in: .open),
            .gives("ExportPartReceived", "ExportReady", in: .lacksIdentity), .nothing()),
        .init(
            "receive more than an archive can have",
            receive("identity", ExportPart(index: f.document, files: 1, sizeBytes: Exports.sizeLimit)),
            .gives("ExportPartReceived", in: .open),
            .gives("ExportPartReceived", "ExportFailed", in: .lacksIdentity), .nothing()),
        .init(
            "receive more files than an archive can have",
            receive("identity", ExportPart(index: f.document, files: Exports.fileLimit, sizeBytes: 1)),
            .gives("ExportPartReceived", in: .open),
            .gives("ExportPartReceived", "ExportFailed", in: .lacksIdentity), .nothing()),
        .init("receive a part of nobody", receive("analysis"), .nothing()),
        .init(
            "receive a part of a stranger's export",
            .receive(
                ExportIdentity(exportId: f.export.exportId, ownerId: f.id), service: "identity", f.exportPart, at: soon),
            .nothing()),
        .init("look at it early", .look(f.export, at: soon), .nothing()),
        .init(
            "look at it at the deadline", .look(f.export, at: f.exportTerms.deadline),
            .gives("ExportFailed", in: .open, .lacksIdentity), .nothing()),
        .init(
            "look at it after a day", .look(f.export, at: f.start.adding(seconds: 86_405)),
            .gives("ExportFailed", in: .open, .lacksIdentity), .gives("ExportClosed", in: .ready), .nothing()),
        .init(
            "delete it", .delete(f.export), .refuses(.unknown, in: .none),
            .gives("ExportClosed", in: .open, .lacksIdentity, .ready), .nothing()),
        .init(
            "delete a stranger's", .delete(ExportIdentity(exportId: f.id, ownerId: f.owner)), .refuses(.unknown)),
    ]

    @Test("has the stated outcome", arguments: rules)
    func outcome(rule: CommandRule<ExportsState, Exports>) { #expect(rule.violations(given: \.given) == []) }

    @Test("names the services whose parts did not come") func missing() throws {
        let history = ExportsState.lacksIdentity.given.after([.look(Self.f.export, at: Self.f.exportTerms.deadline)])
            .history
        #expect(history.last == .export(.failed(Self.f.export, missing: ["identity"])))
    }

    @Test("has room for so many exports a day, also of those that are deleted") func aDay() {
        var commands: [ExportsCommand] = []
        for number in 0..<Int64(Exports.dayLimit) {
            let command = Self.another(after: number)
            commands.append(command)
            if case .request(let export, _) = command { commands.append(.delete(export)) }
        }
        let busy = Specification<Exports>([]).after(commands)
        #expect(busy.history.count == 2 * Exports.dayLimit)
        #expect(busy.when(Self.another(after: 86_399)) == .refusal(.usedUp))
        #expect(busy.after([Self.another(after: 86_400)]).history.count == 2 * Exports.dayLimit + 1)
    }

    @Test("forgets what was written once an export is over, and remembers how it ended") func ending() throws {
        let state = try #require(ExportsState.expired.given.history.reduce(Exports.initial, Exports.evolve).last.first)
        #expect(state.parts == [:] && state.standing == .closed(.expired))
    }
}
