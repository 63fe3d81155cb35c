import Coaching
import Contracts
import EventConsumer
import EventStore
import Observability
import Primitives
import Projections
import Providers
import Runtime
import ServiceKit

/// Takes reports that wait for sentences of a provider, and writes each, with or without them.
///
/// It works without providers, too: reports that waited when the last one was taken out of the settings are written.
@Loop struct WordingWorker {
    /// How many reports are worded at a time by one instance.
    private static let places = 8

    private let tools: WordingTools
    private let queue: any LiveReadModel

    /// - Parameter catchUp: tells when what was said before the start is known.
    init(_ context: ServiceContext, _ providers: [Provider], _ budget: Budget, after catchUp: TopicCatchUp) {
        tools = WordingTools(
            store: context.store, providers: providers, budget: budget,
            isUpToDate: { try await catchUp.wait(while: $0) }, log: Logger(label: "wording"))
        queue = context.live(ReportProjection.self)
    }

    /// Whether there is a provider that an owner lets have what was measured and said, and that is not left alone just now.
    ///
    /// - Throws: `PostgresError`.
    func mayBeAsked(for owner: UUID) async throws -> Bool {
        tools.providers.isEmpty ? false : try await !tools.candidates(owner, asked: []).isEmpty
    }

    /// Works until the task is cancelled; then calls are given up, and their reports written.
    func run() async {
        let pool = WorkerPool(
            queue, size: Self.places, metric: "reporting_worded_reports", log: tools.log,
            runnable: { try await DraftRows.due(without: $0, limit: $1, tools.store.pool) },
            begin: { WordingAttempt(tools, $0) })
        await pool.run()
    }
}

/// What the wording of every report works with.
@Loop struct WordingTools {
    typealias Candidate = ProviderCandidate<ProviderDeclaration.Chat>

    let store: EventStore
    /// Those that word reports, in the order in which they are asked.
    let providers: [Provider]
    let budget: Budget
    /// Waits until the service knows what was said when it did not run, as long as somebody wants that; whether it knows.
    let isUpToDate: @Loop (_ isWanted: () -> Bool) async throws -> Bool
    let log: Logger
    /// How long a report waits for its turn, and from when on in that no other provider is asked: somebody waits for it.
    var patience: Duration = .seconds(90)

    /// Those that may be asked for an owner's report now.
    func candidates(_ owner: UUID, asked: Set<ConsentScope>) async throws -> [Candidate] {
        var found: [Candidate] = []
        for candidate in try await Candidate.all(
            of: providers, for: .wording, owner: owner, asked: asked, store, with: \.chat)
        where try await candidate.mayJudge(store) { found.append(candidate) }
        return found
    }
}
