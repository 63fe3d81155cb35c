import Coaching
import Contracts
import Crypto
import EventSourcing
import EventStore
import JSON
import Observability
import Primitives
import Providers
import Runtime
import ServiceKit

/// Having a provider word one report, and writing it with what stands of that.
///
/// The order is what holds that nobody pays twice. The append that begins a call is refused without a consent and beyond a limit, and is
/// there before the first byte goes out; the append that ends it holds the report with its sentences. Whoever dies in between has asked, and
/// nobody asks again: when the time of the call is over, the report is written in the words of the catalogue.
@Loop final class WordingAttempt: Work {
    /// How much longer than the provider's deadline nobody else touches the report.
    private static let grace: Duration = .seconds(15)
    private static let sentences = Metrics.shared.counter(
        "report_sentences_total", help: "Sentences of providers for reports: kept, or why not.",
        labels: ["provider", "outcome"])

    private let tools: WordingTools
    private let sessionId: UUID
    private var call: ConsentedCall<JudgedReport>?
    private var isEnding = false

    init(_ tools: WordingTools, _ sessionId: UUID) {
        self.tools = tools
        self.sessionId = sessionId
    }

    func releaseClaim() {
        isEnding = true
        call?.cancel()
    }

    /// Does the work. Errors end here: the report is looked at again.
    ///
    /// - Returns: whether it is written, or somebody else is at it.
    @discardableResult
    func run() async -> Bool {
        do {
            return try await work()
        } catch AppendError.erased {
            tools.log.info("owner was erased", ["session": .uuid(sessionId)])
        } catch {
            tools.log.warning("a report still waits", ["session": .uuid(sessionId), "reason": .string("\(error)")])
        }
        return false
    }

    private func work() async throws -> Bool {
        let stream = Report.stream(sessionId)
        guard let content = try await DraftRows.content(of: sessionId, tools.store.pool),
            let drafted = try await tools.store.read(stream).last(where: { $0.type.name == "ReportDrafted" }),
            case .waiting(let waiting) = try await CommandHandler<Report>(tools.store).load(stream).state
        else { return false }
        // What follows belongs to the request that the report was made for.
        var metadata = drafted.metadata
        metadata.causation = drafted.id
        metadata.origin = nil
        metadata.actor = ServiceName.reporting.rawValue
        let commands = WorkerCommands<Report>(store: tools.store, stream: stream, metadata: metadata)
        // Where more reports come than a slow provider words, waiting their turn must not cost anybody the report.
        let waited = try await WorkerCommands<Report>.now(tools.store) - drafted.recordedAt
        let trace = metadata.traceparent.flatMap(TraceContext.init(traceparent:))
        try await TraceContext.$current.withValue(trace) {
            if waited < tools.patience, try await self.word(waiting, content, commands) { return }
            let report = waiting.report
            try await commands.insist(on: { .wording(.giveUp(report, now: $0, content: content)) })
        }
        return true
    }

    /// Asks who may be asked, one after another; true when the report is written, or somebody else is at it.
    private func word(
        _ waiting: WaitingReport, _ content: JSONObject, _ commands: WorkerCommands<Report>
    ) async throws -> Bool {
        // Of a call of somebody who died nobody knows what became of it: nobody is asked any more.
        guard waiting.pending == nil, waiting.mayAsk, let question = WordingQuestion(content) else { return false }
        let candidates = try await tools.candidates(waiting.report.ownerId, asked: Set(waiting.calls.keys))
        guard !candidates.isEmpty, try await isUpToDate() else { return false }
        let began = ContinuousClock.now
        for candidate in candidates where !isEnding && ContinuousClock.now - began < tools.patience {
            switch try await ask(candidate, question, waiting.report, content, commands) {
            case .written, .taken: return true
            case .nothing(let mayAsk): if !mayAsk { return false }
            }
        }
        return false
    }

    /// Whether a consent that was withdrawn when nobody listened here is known to be; else nobody is asked.
    private func isUpToDate() async throws -> Bool {
        let isKnown = try await tools.isUpToDate { !self.isEnding }
        if !isKnown, !isEnding {
            tools.log.notice("no provider is asked: what was said before the start is not read yet")
        }
        return isKnown
    }

    // MARK: One call

    private enum Came {
        /// The report is written.
        case written
        /// Another worker was faster, or nobody wants the report any more.
        case taken
        /// There is nothing that can be used; whether another provider may be asked.
        case nothing(mayAsk: Bool)
    }

    private func ask(
        _ candidate: WordingTools.Candidate, _ question: WordingQuestion, _ report: ReportIdentity,
        _ content: JSONObject, _ commands: WorkerCommands<Report>
    ) async throws -> Came {
        let asked = ModelQuestion(
            instructions: question.instructions, material: question.material,
            schemaName: WordingQuestion.schemaName, schema: question.schema)
        let most = candidate.cost(of: asked)
        let call: ProviderCall
        switch try await begin(candidate, asked, most, report, commands) {
        case .begun(let begun): call = begun
        case .refused: return .nothing(mayAsk: true)
        case .taken: return .taken
        }
        CrashPoint.reached("reporting.after-call-begun")
        let (outcome, code) = try await answer(candidate, asked, content, report, most)
        CrashPoint.reached("reporting.after-call")
        Provider.note(costMicros: outcome.costMicros, of: call)
        var ended = ProviderCallOutcome(
            scope: call.scope, code: code, durationMs: outcome.took.milliseconds, attempts: Int64(outcome.attempts),
            costMicros: outcome.costMicros)
        var rows: [RowCall] = []
        if case .success(let judged) = outcome.result {
            rows = judged.judging.map { candidate.note($0, at: call.begunAt + outcome.took) } ?? []
            ended.inputTokens = judged.inputTokens
            ended.outputTokens = judged.outputTokens
            if let worded = judged.report {
                note(worded, candidate.provider)
                if !worded.kept.isEmpty {
                    try await adopt(worded, ended, rows, report, commands)
                    CrashPoint.reached("reporting.after-adopted")
                    return .written
                }
            }
            ended.code = judged.report == nil ? "not-moderated" : "nothing-usable"
        }
        tools.log.notice(
            "a provider worded nothing of a report",
            ["provider": .string(call.scope.provider), "code": .string(ended.code)])
        try await commands.insist(on: { _ in .wording(.end(report, ended)) }, calls: { $0.isEmpty ? [] : rows })
        return .nothing(mayAsk: ended.costMicros == 0)
    }

    private enum Beginning {
        case begun(ProviderCall)
        case refused, taken
    }

    /// Says that a call begins, and reserves what it may cost.
    private func begin(
        _ candidate: WordingTools.Candidate, _ question: ModelQuestion, _ most: Int64, _ report: ReportIdentity,
        _ commands: WorkerCommands<Report>
    ) async throws -> Beginning {
        let sent = question.instructions + "\n" + question.material
        let now = try await WorkerCommands<Report>.now(tools.store)
        let call = ProviderCall(
            scope: candidate.scope, model: candidate.model.model,
            requestSHA256: Hex.encode(SHA256.digest(Array(sent.utf8))), mostMicros: most,
            currency: candidate.provider.declaration.currency, begunAt: now)
        let giveUpAt = now + candidate.deadline + Self.grace
        let budget = tools.budget
        do {
            let begun = try await commands.put(.wording(.begin(report, call, giveUpAt: giveUpAt))) { events in
                guard !events.isEmpty else { return [] }
                return [
                    Spending.reserve(
                        call, of: report.ownerId, ownerDayMicros: budget.ownerDayMicros, dayMicros: budget.dayMicros)
                ]
            }
            return begun.events.isEmpty ? .taken : .begun(call)
        } catch AppendError.guarded(let refusal) {
            tools.log.notice(
                "a provider is not asked",
                ["provider": .string(call.scope.provider), "code": .string(refusal.description)])
            return .refused
        }
    }

    /// Makes the call; one that is given up because this process ends may be charged in full.
    private func answer(
        _ candidate: WordingTools.Candidate, _ question: ModelQuestion, _ content: JSONObject,
        _ report: ReportIdentity, _ most: Int64
    ) async throws -> (Provider.Outcome<JudgedReport>, code: String) {
        let call = ConsentedCall(candidate.scope, of: report.ownerId, tools.store) {
            try await candidate.word(content, asking: question, self.tools.store)
        }
        self.call = call
        defer { self.call = nil }
        if isEnding { call.cancel() }
        do {
            let (outcome, isWithdrawn) = try await call.outcome(most: most)
            if isWithdrawn { return (outcome, "withdrawn") }
            if case .failure(let failure) = outcome.result { return (outcome, failure.code) }
            return (outcome, ProviderCallOutcome.answered)
        } catch is CancellationError where isEnding {
            let given = Provider.Outcome<JudgedReport>(
                result: .failure(.cut), costMicros: most, attempts: 0, took: .zero)
            return (given, "interrupted")
        }
    }

    /// Writes the report with what stands of an answer, in one append.
    private func adopt(
        _ worded: WordedReport, _ ended: ProviderCallOutcome, _ rows: [RowCall], _ report: ReportIdentity,
        _ commands: WorkerCommands<Report>
    ) async throws {
        let basis = ReportBasis(report: worded.report)
        try await commands.insist(
            on: { _ in .wording(.adopt(report, ended, basis, content: worded.report)) },
            calls: { $0.isEmpty ? [] : rows })
        tools.log.info(
            "a provider has worded a report",
            [
                "session": .uuid(sessionId), "provider": .string(ended.scope.provider),
                "sentences": .int(Int64(worded.kept.count)),
            ])
    }

    private func note(_ worded: WordedReport, _ provider: Provider) {
        let name = provider.declaration.name
        Self.sentences.increment(by: Double(worded.kept.count), [name, "kept"])
        for (fault, count) in worded.dropped { Self.sentences.increment(by: Double(count), [name, fault.rawValue]) }
    }
}
