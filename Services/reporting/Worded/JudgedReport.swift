import Coaching
import JSON
import Primitives
import Providers
import Runtime

/// What a provider has made of a report, after its own moderation has seen each sentence that stands.
struct JudgedReport: Sendable {
    /// Nil where the moderation gave no verdict: what nobody has judged nobody reads.
    var report: WordedReport?
    /// What the model has read and written, as its provider counts.
    var inputTokens: Int64?
    var outputTokens: Int64?
}

/// Wording a report by a provider that may have moderation beside its model. Its own sentences alone are sent there, so it learns nothing
/// that it was not told with the consent for wording.
extension WordingTools.Candidate {
    private var moderation: ProviderDeclaration.Moderation? { provider.declaration.moderation }

    /// Whether its moderation, where it has one, is not left alone just now: without a verdict its sentences would be paid for nothing.
    var mayJudge: Bool {
        guard let moderation, case .refuse = provider.verdict(of: moderation.model, at: .now()) else { return true }
        return false
    }

    /// What wording a report costs at most.
    func cost(of question: ModelQuestion) -> Int64 {
        provider.cost(of: question, with: model) + (moderation == nil ? 0 : provider.costOfModeration())
    }

    /// How long it may take.
    var deadline: Duration { model.deadline + (moderation?.deadline ?? .zero) }

    /// Has a report worded, and what stands of that judged.
    ///
    /// - Parameter content: in the words of the catalogue.
    /// - Throws: `CancellationError`.
    func word(_ content: JSONObject, asking question: ModelQuestion) async throws -> Provider.Outcome<JudgedReport> {
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
        let engine = "\(provider.declaration.name)/\(model.model)"
        var report: WordedReport? = try await Offload.shared.run {
            WordedReport(content, answer: answer.object, by: engine)
        }
        if let moderation, let sentences = report.map({ Set($0.sentences.values).sorted() }), !sentences.isEmpty {
            let verdicts = try await provider.moderate(sentences, with: moderation)
            judged.costMicros += verdicts.costMicros
            judged.attempts += verdicts.attempts
            judged.took += verdicts.took
            switch verdicts.result {
            case .success(let verdicts):
                let flagged = Set(zip(sentences, verdicts).filter(\.1.isFlagged).map(\.0))
                report = try await Offload.shared.run {
                    WordedReport(content, answer: answer.object, by: engine, without: flagged)
                }
            case .failure: report = nil
            }
        }
        judged.result = .success(
            JudgedReport(report: report, inputTokens: answer.inputTokens, outputTokens: answer.outputTokens))
        return judged
    }
}
