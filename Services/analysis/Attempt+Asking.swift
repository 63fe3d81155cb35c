import Contracts
import Crypto
import EventSourcing
import EventStore
import Glibc
import JSON
import Measuring
import ObjectStorage
import Observability
import Primitives
import Processes
import Providers
import Runtime
import ServiceKit

/// Asking providers outside, for whatever a job asks them: only where the owner lets them have it, within the limits, and never twice.
///
/// The order is what holds that. The append that begins a call is refused without a consent and beyond a limit, and is there before the
/// first byte goes out; the answer is stored, with the append that ends the call, before anything is made of it. Whoever dies in between has
/// asked, and nobody asks again.
extension Attempt {
    /// What a provider answers; nil where nobody may be asked, as many recordings as may be wait for each already, or nobody has an answer that
    /// can be used.
    ///
    /// - Parameters:
    ///   - patience: how long all of them have, from the moment at which the first is asked. That one has its own deadline, however long that
    ///     is; whoever cannot have answered by the end is not asked after it.
    ///   - question: makes ready what is sent, once it is clear that somebody may have it; nil when that cannot be made.
    /// - Throws: the refusal of a superseded attempt; `AppendError`, `PostgresError` or `CancellationError`.
    func answer<Question: JobQuestion>(
        _ claim: Claim, within patience: Duration, to question: () async throws -> Question?
    ) async throws -> Question.Finding? {
        let candidates = try await ProviderCandidate.all(
            of: tools.providers, for: Question.purpose, owner: claim.job.ownerId, asked: Set(claim.calls.keys),
            tools.store, with: { Question.model(of: $0) })
        guard !candidates.isEmpty, try await isUpToDate() else { return nil }
        let asking = Asking<Question>()
        for candidate in candidates {
            if let end = asking.end, .now + candidate.model.deadline > end { continue }
            if interruption != nil { return nil }
            let finding = try await tools.outside[candidate.scope.provider]?.ifFree {
                () async throws -> Question.Finding? in
                if !asking.isReady { (asking.question, asking.isReady) = (try await question(), true) }
                guard let question = asking.question, question.fits(candidate.model),
                    // Making it ready, and those who were asked before, have taken their time.
                    let candidate = try await candidate.renewed(tools.store)
                else { return nil }
                if asking.end == nil { asking.end = .now + patience }
                return try await ask(question, candidate, claim)
            }
            switch finding {
            case .some(let finding?): return finding
            case .some(nil): if asking.isReady, asking.question == nil { return nil }
            case nil:
                tools.log.notice(
                    "a provider is not asked: as many recordings as may be wait for it",
                    ["provider": .string(candidate.scope.provider)])
            }
        }
        return nil
    }

    /// What was answered in an earlier attempt; nil when it cannot be read, for it is not asked for again.
    func stored<Finding: JobFinding>(_ document: DocumentReference) async throws -> Finding? {
        do {
            let bytes = try await tools.objects.read(document.key, limit: 4 << 20)
            guard Hex.encode(SHA256.digest(bytes)) == document.sha256 else { return nil }
            return try Finding(try JSONObject.parse(bytes))
        } catch let error as CancellationError {
            throw error
        } catch {
            tools.log.warning("an answer that was paid for cannot be read", ["reason": .string("\(error)")])
            return nil
        }
    }

    /// Has the helper take something out of the recording, in a place of its own; nil when there is none, it fails, or nobody wants it any more.
    ///
    /// - Throws: `CancellationError`.
    func taken<Part>(
        out seconds: Int64, by start: () throws(ProcessError) -> ChildProcess, _ part: (ChildProcess) async -> Part?
    ) async throws -> Part? {
        let part = try await tools.helpers.waiting(while: { interruption == nil }) {
            await takenNow(out: seconds, by: start, part)
        }
        return part ?? nil
    }

    private func takenNow<Part>(
        out seconds: Int64, by start: () throws(ProcessError) -> ChildProcess, _ part: (ChildProcess) async -> Part?
    ) async -> Part? {
        let child: ChildProcess
        do throws(ProcessError) { child = try start() } catch {
            tools.log.error("media helper cannot be run", ["reason": .string(error.description)])
            return nil
        }
        self.child = child
        defer { self.child = nil }
        let patience = (tools.settings.grace + .seconds(seconds)) * MediaHelper.patience
        let timer = EventLoop.shared.schedule(after: patience) { child.killGroup(SIGKILL) }
        defer { EventLoop.shared.cancel(timer) }
        return await part(child)
    }

    /// Whether a consent that was withdrawn when nobody listened here is known to be; else nobody is asked.
    private func isUpToDate() async throws -> Bool {
        let isKnown = try await tools.isUpToDate { self.interruption == nil }
        if !isKnown, interruption == nil {
            tools.log.notice("no provider is asked: what was said before the start is not read yet")
        }
        return isKnown
    }

    // MARK: One call

    private func ask<Question: JobQuestion>(
        _ question: Question, _ candidate: ProviderCandidate<Question.Model>, _ claim: Claim
    ) async throws -> Question.Finding? {
        let call = ProviderCall(
            scope: candidate.scope, model: candidate.model.model, requestSHA256: question.sha256,
            mostMicros: question.mostMicros(candidate), currency: candidate.provider.declaration.currency,
            begunAt: try await WorkerCommands<Job>.now(tools.store))
        guard try await begin(call, question.rowCalls(with: call, candidate), claim) else { return nil }
        CrashPoint.reached("analysis.after-call-begun")
        let outcome: Provider.Outcome<Question.Answer>
        let isWithdrawn: Bool
        do {
            (outcome, isWithdrawn) = try await make(call, of: claim.job.ownerId) {
                try await question.send(to: candidate)
            }
        } catch is CancellationError where interruption != nil {
            // What it came to nobody knows, so it stays begun.
            return nil
        }
        CrashPoint.reached("analysis.after-call")
        Provider.note(costMicros: outcome.costMicros, of: call)
        var ended = ProviderCallOutcome(
            scope: call.scope, code: ProviderCallOutcome.answered, durationMs: outcome.took.milliseconds,
            attempts: Int64(outcome.attempts), costMicros: outcome.costMicros)
        question.count(try? outcome.result.get(), in: &ended)
        switch outcome.result {
        case .success(let answer):
            switch question.read(answer, of: call) {
            case .success(let finding): return try await keep(finding, as: Question.document, ended, claim)
            case .failure(let unfit): ended.code = unfit.code
            }
        case .failure(let failure): ended.code = isWithdrawn ? "withdrawn" : failure.code
        }
        tools.log.notice(
            "a provider gave no answer that can be used",
            [
                "provider": .string(call.scope.provider), "purpose": call.scope.purpose.json,
                "code": .string(ended.code),
            ])
        try await claim.commands.insist { [ended] _ in .endCall(attempt: claim.number, ended) }
        return nil
    }

    /// Says that a call begins, and reserves what it may cost; false when it must not begin.
    private func begin(_ call: ProviderCall, _ rows: [RowCall], _ claim: Claim) async throws -> Bool {
        let budget = tools.settings.providers.budget
        do {
            try await claim.commands.put(.beginCall(attempt: claim.number, call)) { _ in
                [
                    Spending.reserve(
                        call, of: claim.job.ownerId, ownerDayMicros: budget.ownerDayMicros,
                        dayMicros: budget.dayMicros)
                ] + rows
            }
            return true
        } catch AppendError.guarded(let refusal) {
            tools.log.notice(
                "a provider is not asked",
                ["provider": .string(call.scope.provider), "code": .string(refusal.description)])
            return false
        }
    }

    /// Makes a call, and ends it when its owner withdraws the consent meanwhile.
    private func make<Answer>(
        _ call: ProviderCall, of owner: UUID, _ send: @escaping @Loop () async throws -> Provider.Outcome<Answer>
    ) async throws -> (Provider.Outcome<Answer>, isWithdrawn: Bool) {
        let made = ConsentedCall(call.scope, of: owner, tools.store, send)
        endCall = { made.cancel() }
        defer { endCall = nil }
        if interruption != nil { made.cancel() }
        return try await made.outcome(most: call.mostMicros)
    }

    /// Stores what is made of an answer, and ends the call with it; nil when it cannot be stored: then it is not used.
    private func keep<Finding: JobFinding>(
        _ finding: Finding, as purpose: String, _ outcome: ProviderCallOutcome, _ claim: Claim
    ) async throws -> Finding? {
        let bytes = JSONValue.object(finding.json).bytes
        let key = ObjectFolder.documents.key("\(claim.job.ownerId)/\(claim.job.sessionId)/\(UUID.v7()).json")
        var answered = outcome
        answered.document = DocumentReference(
            key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count))
        do {
            try await claim.commands.handIn(
                bytes, as: key, of: claim.job.ownerId, purpose: purpose, limit: .seconds(120), to: tools.objects,
                log: tools.log, with: .endCall(attempt: claim.number, answered),
                written: { CrashPoint.reached("analysis.after-answer") })
            return finding
        } catch is HandInFailure {
            var lost = outcome
            lost.code = "not-stored"
            try await claim.commands.insist { _ in .endCall(attempt: claim.number, lost) }
            return nil
        }
    }
}

/// What is the same for all who are asked one question.
@Loop private final class Asking<Question: JobQuestion> {
    /// Nil before it is ready, and when it cannot be made.
    var question: Question?
    var isReady = false
    /// By when all must have answered; nil before somebody is asked.
    var end: ContinuousClock.Instant?
}
