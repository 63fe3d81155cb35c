import Contracts
import Crypto
import Glibc
import JSON
import Measuring
import Observability
import Primitives
import Processes
import Providers
import Runtime
import ServiceKit

/// Having a provider look at some pictures of what was measured: posture, gestures and expression, which nothing here judges.
///
/// It is asked as for words (`Attempt+Words`), after the measuring: nobody is shown pictures of a recording that cannot be used. Of what comes
/// back three numbers are believed, so whatever the pictures say, nothing else changes; and whatever goes wrong, what was measured stands.
extension Attempt {
    /// How long providers are asked, all together.
    private static let patience: Duration = .seconds(90)
    /// The percentage of the time from which another face is in the picture.
    private static let shared = 10.0

    /// What was measured, with what a provider sees, now or before; as it was where no provider is there for that.
    func seeing(
        _ measured: JSONObject, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async -> JSONObject {
        let isOffered = tools.providers.contains { $0.declaration.vision != nil && !$0.declaration.isOff }
        guard isOffered || claim.answer(for: .vision) != nil,
            let found = try? await Offload.shared.run({ try Measurements(measured) }), found.unusable == nil
        else { return measured }
        do {
            return try await seen(found, claim, file, folder, seconds).added(to: measured)
        } catch {
            tools.log.warning("nobody has looked at pictures", ["reason": .string("\(error)")])
            return SeenMeasures.none(.noAnswer).added(to: measured)
        }
    }

    private func seen(
        _ found: Measurements, _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> SeenMeasures {
        if claim.isLast { return .none(.noAnswer) }
        if let known = claim.answer(for: .vision) {
            return try await stored(known).flatMap { try? SeenMeasures($0) } ?? .none(.noAnswer)
        }
        // Whoever else is in the picture has agreed to nothing.
        let others = found.quantity("severalFacesPct")
        guard let share = others?.number else {
            return .none(others?.reason == "no-face" ? .notInPictures : .picturesUnclear)
        }
        if share >= Self.shared { return .none(.secondFace) }
        guard try await isConsented(claim) else { return .none(.consentRequired) }
        let candidates = try await Candidate.all(
            of: tools.providers, for: .vision, owner: claim.job.ownerId, asked: Set(claim.calls.keys), tools.store,
            with: \.vision)
        guard !candidates.isEmpty, try await isUpToDate() else { return .none(.noAnswer) }
        let seen = try await tools.outside.ifFree { try await look(candidates, claim, file, folder, seconds) }
        if seen == nil { tools.log.notice("no provider is asked: as many recordings as may be wait for one") }
        return seen ?? .none(.noAnswer)
    }

    private func look(
        _ candidates: [Candidate], _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> SeenMeasures {
        guard let pictures = try await pictures(file, folder, seconds) else { return .none(.noAnswer) }
        let question = PictureQuestion.about(pictures)
        let end = ContinuousClock.now + Self.patience
        for candidate in candidates where interruption == nil && .now < end {
            if let seen = try await look(question, candidate, claim) { return seen }
        }
        return .none(.noAnswer)
    }

    private typealias Candidate = ProviderCandidate<ProviderDeclaration.Vision>

    /// Whether any of the providers may have pictures of the owner's.
    private func isConsented(_ claim: Claim) async throws -> Bool {
        for provider in tools.providers where provider.declaration.vision != nil && !provider.declaration.isOff {
            let scope = ConsentScope(provider: provider.declaration.name, purpose: .vision)
            if try await Consented.isAllowed(scope, claim.job.ownerId, tools.store) { return true }
        }
        return false
    }

    private func pictures(_ file: String, _ folder: String, _ seconds: Int64) async throws -> [RecordingPicture]? {
        try await tools.helpers.waiting(while: { interruption == nil }) {
            await picturesNow(file, folder, seconds)
        } ?? nil
    }

    private func picturesNow(_ file: String, _ folder: String, _ seconds: Int64) async -> [RecordingPicture]? {
        let helper = tools.settings.mediaHelper
        let child: ChildProcess
        do throws(ProcessError) {
            child = try helper.startPictures(input: file, scratch: folder, maxSeconds: seconds)
        } catch {
            tools.log.error("media helper cannot be run", ["reason": .string(error.description)])
            return nil
        }
        self.child = child
        defer { self.child = nil }
        let patience = (tools.settings.grace + .seconds(seconds)) * MediaHelper.patience
        let timer = EventLoop.shared.schedule(after: patience) { child.killGroup(SIGKILL) }
        defer { EventLoop.shared.cancel(timer) }
        return await helper.pictures(of: child)
    }

    // MARK: One call

    private func look(
        _ question: ModelQuestion, _ candidate: Candidate, _ claim: Claim
    ) async throws -> SeenMeasures? {
        let (provider, model) = (candidate.provider, candidate.model)
        let most = provider.cost(of: question, with: model)
        let call = ProviderCall(
            scope: candidate.scope, model: model.model, requestSHA256: question.sha256, mostMicros: most,
            currency: provider.declaration.currency, begunAt: try await WorkerCommands<Job>.now(tools.store))
        guard try await begin(call, claim) else { return nil }
        CrashPoint.reached("analysis.after-call-begun")
        let outcome: Provider.Outcome<ModelAnswer>
        let isWithdrawn: Bool
        do {
            (outcome, isWithdrawn) = try await answer(question, candidate, most, claim)
        } catch is CancellationError where interruption != nil {
            // What it came to nobody knows, so it stays begun.
            return nil
        }
        CrashPoint.reached("analysis.after-call")
        Provider.note(costMicros: outcome.costMicros, of: call)
        var ended = ProviderCallOutcome(
            scope: call.scope, code: ProviderCallOutcome.answered, durationMs: outcome.took.milliseconds,
            attempts: Int64(outcome.attempts), costMicros: outcome.costMicros)
        switch outcome.result {
        case .success(let answer):
            (ended.inputTokens, ended.outputTokens) = (answer.inputTokens, answer.outputTokens)
            switch PictureQuestion.seen(in: answer.object, engine: "\(call.scope.provider)/\(call.model)") {
            case .success(let seen): return try await keep(seen.json, as: "seen", ended, claim) ? seen : nil
            // The provider has done its work; what its model was led to say is no trouble of the provider's.
            case .failure(let fault): ended.code = "unfit-\(fault.rawValue)"
            }
        case .failure(let failure): ended.code = isWithdrawn ? "withdrawn" : failure.code
        }
        tools.log.notice(
            "a provider has seen nothing", ["provider": .string(call.scope.provider), "code": .string(ended.code)])
        try await claim.commands.insist { [ended] _ in .endCall(attempt: claim.number, ended) }
        return nil
    }

    /// Makes the call, and ends it when its owner withdraws the consent meanwhile.
    private func answer(
        _ question: ModelQuestion, _ candidate: Candidate, _ most: Int64, _ claim: Claim
    ) async throws -> (Provider.Outcome<ModelAnswer>, isWithdrawn: Bool) {
        let call = ConsentedCall(candidate.scope, of: claim.job.ownerId, tools.store) {
            try await candidate.provider.answer(question, with: candidate.model, alone: candidate.isTrial)
        }
        looking = call
        defer { looking = nil }
        if interruption != nil { call.cancel() }
        return try await call.outcome(most: most)
    }
}

extension ModelQuestion {
    /// SHA-256 of what is sent, 64 hexadecimal digits.
    fileprivate var sha256: String {
        let said = [instructions, material, JSONValue.object(schema).text].map { Array($0.utf8) }
        return Hex.encode(SHA256.digest((said + pictures.map(\.jpeg)).flatMap { $0 }))
    }
}
