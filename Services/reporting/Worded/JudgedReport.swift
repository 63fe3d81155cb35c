import Coaching
import Contracts
import EventStore
import JSON
import Primitives
import Providers
import Runtime
import ServiceKit

/// What a provider has made of a report, after its own moderation has seen each sentence that stands.
struct JudgedReport: Sendable {
    /// Nil where the moderation gave no verdict: what nobody has judged nobody reads.
    var report: WordedReport?
    /// What the model has read and written, as its provider counts.
    var inputTokens: Int64?
    var outputTokens: Int64?
    /// How the moderation did; nil where it was not asked.
    var judging: Judging?

    /// How a call to a moderation has ended.
    struct Judging: Sendable {
        /// Nil for a verdict.
        var failure: ProviderFailure?
        var attempts: Int
    }
}

/// Wording a report by a provider that may have moderation beside its model. Its own sentences alone are sent there, so it learns nothing
/// that it was not told with the consent for wording.
extension WordingTools.Candidate {
    private var moderation: ProviderDeclaration.Moderation? { provider.declaration.moderation }

    /// Whether its moderation, where it has one, is not left alone just now, by this instance or after what all have seen: without a verdict its
    /// sentences would be paid for nothing.
    ///
    /// - Throws: `PostgresError`.
    func mayJudge(_ store: EventStore) async throws -> Bool {
        guard let moderation else { return true }
        if case .refuse = provider.verdict(of: moderation.model, at: .now()) { return false }
        if case .refuse = try await verdict(of: moderation, store) { return false }
        return true
    }

    private func verdict(
        of moderation: ProviderDeclaration.Moderation, _ store: EventStore
    ) async throws -> Breaker.Verdict {
        let now = try await WorkerCommands<Report>.now(store)
        return try await store.verdict(of: moderation.model, by: scope.provider, at: now)
    }

    /// The row that tells all instances how its moderation did; none where that says nothing.
    func note(_ judging: JudgedReport.Judging, at moment: Timestamp) -> [RowCall] {
        guard let moderation else { return [] }
        let row = ProviderHealth.note(
            judging.failure, attempts: judging.attempts, of: moderation.model, by: scope.provider, at: moment)
        return [row].compactMap(\.self)
    }

    /// What wording a report costs at most.
    func cost(of question: ModelQuestion) -> Int64 {
        provider.cost(of: question, with: model) + (moderation == nil ? 0 : provider.costOfModeration())
    }

    /// How long it may take.
    var deadline: Duration { model.deadline + (moderation?.deadline ?? .zero) }

    /// Has a report worded, and what stands of that judged.
    ///
    /// - Parameters:
    ///   - content: in the words of the catalogue.
    ///   - store: that knows how the moderation has done lately.
    /// - Throws: `CancellationError`.
    func word(
        _ content: JSONObject, asking question: ModelQuestion, _ store: EventStore
    ) async throws -> Provider.Outcome<JudgedReport> {
        let outcome = try await provider.answer(question, with: model, alone: isTrial)
        var judged = Provider.Outcome<JudgedReport>(
            result: .failure(.cut), costMicros: outcome.costMicros, attempts: outcome.attempts, took: outcome.took)
        let answer: ModelAnswer
        switch outcome.result {
        case .success(let given): answer = given
        case .failure(let failure):
            judged.result = .failure(failure)
            return judged
        }
        var judging: JudgedReport.Judging?
        let engine = "\(provider.declaration.name)/\(model.model)"
        var report: WordedReport? = try await Offload.shared.run {
            WordedReport(content, answer: answer.object, by: engine)
        }
        if let moderation, let sentences = report.map({ Set($0.sentences.values).sorted() }), !sentences.isEmpty {
            // Without its database an instance goes by what it has seen itself.
            let isTrial = (try? await verdict(of: moderation, store)) == .trial
            let verdicts = try await provider.moderate(sentences, with: moderation, alone: isTrial)
            judging = JudgedReport.Judging(attempts: verdicts.attempts)
            judged.costMicros += verdicts.costMicros
            judged.attempts += verdicts.attempts
            judged.took += verdicts.took
            switch verdicts.result {
            case .success(let verdicts):
                let flagged = Set(zip(sentences, verdicts).filter(\.1.isFlagged).map(\.0))
                report = try await Offload.shared.run {
                    WordedReport(content, answer: answer.object, by: engine, without: flagged)
                }
            case .failure(let failure):
                judging?.failure = failure
                report = nil
            }
        }
        judged.result = .success(
            JudgedReport(
                report: report, inputTokens: answer.inputTokens, outputTokens: answer.outputTokens, judging: judging))
        return judged
    }
}
