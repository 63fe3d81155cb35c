import Contracts
import EventSourcing
import EventStore
import HTTPServer
import JSON
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit

/// The plans as the log has them: this instance's own, recorded at its start, and what other instances recorded since.
@Loop final class PlansInForce {
    /// One plan.
    struct Entry: Sendable {
        let plan: PlanRecord
        /// When this definition was recorded.
        let since: Timestamp
        /// Whether this instance's settings have the plan. One that they do not have any more stays in force for those who
        /// have it, and nobody is put on it.
        let isOffered: Bool
    }

    /// How soon a definition of another instance is heard of.
    private static let interval = Duration.seconds(5)

    private let store: EventStore
    private let settings: QuotaSettings
    private let log: Logger
    /// In the order of their codes.
    private(set) var entries: [Entry] = []
    /// The definitions, for decisions.
    private(set) var now = Plans([PlanDefinition]())

    /// Records the settings' plans where they differ from the newest definitions, and reads all there are.
    ///
    /// - Throws: `AppendError` or `PostgresError`.
    init(_ store: EventStore, _ settings: QuotaSettings, log: Logger) async throws {
        self.store = store
        self.settings = settings
        self.log = log
        for definition in settings.plans { try await record(definition) }
        try await read()
        for entry in entries where !entry.isOffered {
            log.warning(
                "a plan is not in the settings any more; it stays in force for those who have it",
                ["plan": entry.plan.definition.code.json])
        }
    }

    /// Reads what other instances recorded until the task is cancelled.
    func run() async {
        try? await Loop.sleep(for: Self.interval)
        await RepeatedWork(log, orElse: "plans could not be read").run(every: Self.interval) { try await read() }
    }

    /// - Throws: `planUnknown` for a plan that is not on offer.
    func check(_ plan: PlanCode) throws(Problem) {
        let offered = entries.filter(\.isOffered).map(\.plan.definition.code)
        guard !offered.contains(plan) else { return }
        let known = offered.map(\.rawValue).joined(separator: ", ")
        throw Problem(
            .planUnknown, detail: "The plans on offer are \(known); mirrormate plan list says what they allow.")
    }

    /// - Throws: `kindUnknown` for a kind of which no plan says anything.
    func check(_ kind: SessionKind) throws(Problem) {
        guard !now.kinds.contains(kind) else { return }
        let known = now.kinds.map(\.rawValue).joined(separator: ", ")
        throw Problem(.kindUnknown, detail: "The kinds that plans know are \(known).")
    }

    private func record(_ definition: PlanDefinition) async throws {
        let stream = PlanRecord.stream(definition.code)
        let id = UUID.v7()
        let outcome = try await CommandHandler<PlanRecord>(store).handle(
            .define(definition, settings.source), on: stream, id: id, requestHash: id.bytes,
            metadata: EventMetadata(owner: nil, correlation: id, actor: ServiceName.quota.rawValue))
        for case .planDefined(let definition, let number, let source) in outcome.events {
            log.info(
                "plan defined",
                [
                    "plan": definition.code.json, "number": .int(number), "source": .string(source.rawValue),
                    "kinds": .object(definition.json),
                ])
        }
    }

    private func read() async throws {
        let offered = Set(settings.plans.map(\.code))
        var entries: [Entry] = []
        for row in try await store.pool.query("select stream from defined_plans order by plan").rows {
            let events = try await store.read(StreamName(rawValue: row.text(0)))
            let plan = PlanRecord.fold(try events.map { try $0.decoded(as: QuotaEvent.self) })
            guard let plan, let last = events.last else { continue }
            entries.append(
                Entry(plan: plan, since: last.recordedAt, isOffered: offered.contains(plan.definition.code)))
        }
        self.entries = entries
        now = Plans(entries.map { PlanVersion($0.plan.definition, number: $0.plan.number) })
    }
}
