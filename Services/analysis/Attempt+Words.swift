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

/// Having a provider write down what is said: only where the owner lets it, within the limits, and never twice.
///
/// The order is what holds that. The append that begins a call is refused without a consent and beyond a limit, and is there before the
/// first byte goes out; the answer is stored, with the append that ends the call, before anything is made of it. Whoever dies in between has
/// asked, and nobody asks again. Whatever goes wrong, the helper finds the words itself.
extension Attempt {
    /// The file with what a provider has written down, now or before; nil when the helper is to find the words itself.
    ///
    /// - Throws: the refusal of a superseded attempt; `AppendError`, `PostgresError` or `CancellationError`.
    func words(_ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64) async throws -> String? {
        // A stranger's words may be what the attempts before this one have failed of; nobody loses a report over them.
        guard !claim.isLast, let heard = try await heard(claim, file, folder, seconds) else { return nil }
        let path = "\(folder)/words"
        let isWritten = try await Offload.shared.run { write(heard.text, to: path) }
        return isWritten ? path : nil
    }

    private func heard(
        _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> HeardWords? {
        if let known = claim.answer(for: .transcription) {
            return try await stored(known).flatMap { try? HeardWords($0) }
        }
        let candidates = try await candidates(claim)
        guard !candidates.isEmpty, try await isUpToDate() else { return nil }
        let heard = try await tools.outside.ifFree { try await ask(candidates, claim, file, folder, seconds) }
        if heard == nil { tools.log.notice("no provider is asked: as many recordings as may be wait for one") }
        return heard ?? nil
    }

    private func ask(
        _ candidates: [Candidate], _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64
    ) async throws -> HeardWords? {
        guard let sound = try await sound(file, folder, seconds) else { return nil }
        let audio = ProviderAudio(
            bytes: sound.ogg, contentType: "audio/ogg", fileName: "audio.ogg", milliseconds: sound.milliseconds)
        for candidate in candidates {
            if interruption != nil { return nil }
            if let heard = try await ask(candidate, audio, claim) { return heard }
        }
        return nil
    }

    /// An answer of an earlier attempt; nil when it cannot be read, for it is not asked for again.
    func stored(_ document: DocumentReference) async throws -> JSONObject? {
        do {
            let bytes = try await tools.objects.read(document.key, limit: 4 << 20)
            guard Hex.encode(SHA256.digest(bytes)) == document.sha256 else { return nil }
            return try JSONObject.parse(bytes)
        } catch let error as CancellationError {
            throw error
        } catch {
            tools.log.warning("an answer that was paid for cannot be read", ["reason": .string("\(error)")])
            return nil
        }
    }

    // MARK: Whom

    private typealias Candidate = ProviderCandidate<ProviderDeclaration.Transcription>

    /// Those that are not forbidden, were not asked for this job, are not left alone just now, and may have the sound.
    private func candidates(_ claim: Claim) async throws -> [Candidate] {
        try await Candidate.all(
            of: tools.providers, for: .transcription, owner: claim.job.ownerId, asked: Set(claim.calls.keys),
            tools.store, with: \.transcription)
    }

    /// Whether a consent that was withdrawn when nobody listened here is known to be; else nobody is asked.
    func isUpToDate() async throws -> Bool {
        let isKnown = try await tools.isUpToDate { self.interruption == nil }
        if !isKnown, interruption == nil {
            tools.log.notice("no provider is asked: what was said before the start is not read yet")
        }
        return isKnown
    }

    private func sound(_ file: String, _ folder: String, _ seconds: Int64) async throws -> RecordingSound? {
        try await tools.helpers.waiting(while: { interruption == nil }) { await soundNow(file, folder, seconds) } ?? nil
    }

    private func soundNow(_ file: String, _ folder: String, _ seconds: Int64) async -> RecordingSound? {
        let helper = tools.settings.mediaHelper
        let child: ChildProcess
        do throws(ProcessError) {
            child = try helper.startSound(input: file, scratch: folder, maxSeconds: seconds)
        } catch {
            tools.log.error("media helper cannot be run", ["reason": .string(error.description)])
            return nil
        }
        self.child = child
        defer { self.child = nil }
        let patience = (tools.settings.grace + .seconds(seconds)) * MediaHelper.patience
        let timer = EventLoop.shared.schedule(after: patience) { child.killGroup(SIGKILL) }
        defer { EventLoop.shared.cancel(timer) }
        return await helper.sound(of: child)
    }

    // MARK: One call

    private func ask(_ candidate: Candidate, _ audio: ProviderAudio, _ claim: Claim) async throws -> HeardWords? {
        let (provider, model) = (candidate.provider, candidate.model)
        guard Int64(audio.bytes.count) <= model.limitBytes else { return nil }
        let call = ProviderCall(
            scope: candidate.scope, model: model.model, requestSHA256: Hex.encode(SHA256.digest(audio.bytes)),
            mostMicros: provider.cost(of: audio), currency: provider.declaration.currency,
            begunAt: try await WorkerCommands<Job>.now(tools.store))
        guard try await begin(call, claim) else { return nil }
        CrashPoint.reached("analysis.after-call-begun")
        let outcome: Provider.Outcome<Transcript>
        let isWithdrawn: Bool
        do {
            (outcome, isWithdrawn) = try await transcribe(candidate, audio, claim)
        } catch is CancellationError where interruption != nil {
            // What it came to nobody knows, so it stays begun.
            return nil
        }
        CrashPoint.reached("analysis.after-call")
        Provider.note(costMicros: outcome.costMicros, of: call)
        var ended = ProviderCallOutcome(
            scope: call.scope, code: ProviderCallOutcome.answered, durationMs: outcome.took.milliseconds,
            attempts: Int64(outcome.attempts), audioMs: audio.milliseconds, costMicros: outcome.costMicros)
        switch outcome.result {
        case .success(let transcript) where transcript.isEnglish:
            let heard = HeardWords(
                engine: provider.declaration.name, model: model.model,
                words: transcript.words.map { .init(text: $0.text, startMs: $0.startMs, endMs: $0.endMs) })
            return try await keep(heard.json, as: "transcript", ended, claim) ? heard : nil
        case .success: ended.code = "other-language"
        case .failure(let failure):
            ended.code = isWithdrawn ? "withdrawn" : failure.code
            tools.log.notice(
                "a provider gave no words",
                ["provider": .string(call.scope.provider), "code": .string(ended.code)])
        }
        try await claim.commands.insist { _ in .endCall(attempt: claim.number, ended) }
        return nil
    }

    /// Says that a call begins, and reserves what it may cost; false when it must not begin.
    func begin(_ call: ProviderCall, _ claim: Claim) async throws -> Bool {
        let budget = tools.settings.providers.budget
        do {
            try await claim.commands.put(.beginCall(attempt: claim.number, call)) { _ in
                [
                    Spending.reserve(
                        call, of: claim.job.ownerId, ownerDayMicros: budget.ownerDayMicros,
                        dayMicros: budget.dayMicros)
                ]
            }
            return true
        } catch AppendError.guarded(let refusal) {
            tools.log.notice(
                "a provider is not asked",
                ["provider": .string(call.scope.provider), "code": .string(refusal.description)])
            return false
        }
    }

    /// Makes the call, and ends it when its owner withdraws the consent meanwhile.
    private func transcribe(
        _ candidate: Candidate, _ audio: ProviderAudio, _ claim: Claim
    ) async throws -> (Provider.Outcome<Transcript>, isWithdrawn: Bool) {
        let provider = candidate.provider
        let call = ConsentedCall(candidate.scope, of: claim.job.ownerId, tools.store) {
            try await provider.transcribe(audio, with: candidate.model, alone: candidate.isTrial)
        }
        self.call = call
        defer { self.call = nil }
        if interruption != nil { call.cancel() }
        return try await call.outcome(most: provider.cost(of: audio))
    }

    /// Stores an answer and ends the call with it; false when it cannot be stored: then nothing is made of it.
    func keep(
        _ answer: JSONObject, as purpose: String, _ outcome: ProviderCallOutcome, _ claim: Claim
    ) async throws -> Bool {
        let bytes = JSONValue.object(answer).bytes
        let key = ObjectFolder.documents.key("\(claim.job.ownerId)/\(claim.job.sessionId)/\(UUID.v7()).json")
        var answered = outcome
        answered.document = DocumentReference(
            key: key, sha256: Hex.encode(SHA256.digest(bytes)), sizeBytes: Int64(bytes.count))
        do {
            try await claim.commands.handIn(
                bytes, as: key, of: claim.job.ownerId, purpose: purpose, limit: .seconds(120), to: tools.objects,
                log: tools.log, with: .endCall(attempt: claim.number, answered),
                written: { CrashPoint.reached("analysis.after-answer") })
            return true
        } catch is HandInFailure {
            var lost = outcome
            lost.code = "not-stored"
            try await claim.commands.insist { _ in .endCall(attempt: claim.number, lost) }
            return false
        }
    }
}

extension Transcript {
    /// Whether it is in the language that is measured here; providers name it in words or by a tag.
    fileprivate var isEnglish: Bool {
        guard let language else { return true }
        return language == "english" || language == "en" || language.hasPrefix("en-")
    }
}

/// Writes a new file for its owner alone; false when that is impossible.
private nonisolated func write(_ text: String, to path: String) -> Bool {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return false }
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count <= 0 { break }
        rest = rest.dropFirst(count)
    }
    return close(descriptor) == 0 && rest.isEmpty
}
