import Contracts
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

/// One attempt at one job, from its claim to its outcome.
///
/// It never trusts that it is the only one: whatever it has to say goes through the decider, which refuses all but the
/// current attempt; what it wrote is then removed.
@Loop final class Attempt: Work {
    /// Why the measuring was stopped from outside.
    enum Interruption { case unwanted, overdue, ending }

    /// Why an attempt came to nothing.
    struct Failure: Equatable {
        let code: FailureCode
        /// Whether another attempt may succeed.
        let retryable: Bool
    }

    /// What an attempt that holds its job knows.
    struct Claim {
        let commands: WorkerCommands<Job>
        let job: SessionReference
        let order: JobOrder
        let number: Int64
        /// The providers that were asked before.
        let calls: [ConsentScope: Job.Call]
        /// Whether the job fails with this attempt.
        let isLast: Bool
        let began = ContinuousClock.now

        /// What was answered in an earlier attempt.
        func answer(for purpose: ConsentPurpose) -> DocumentReference? {
            calls.values.compactMap { $0.call.scope.purpose == purpose ? $0.outcome?.document : nil }.first
        }
    }

    let tools: WorkerTools
    private let sessionId: UUID
    var child: ChildProcess?
    /// Ends the call to a provider that is under way; nil when none is.
    var endCall: (() -> Void)?
    private(set) var interruption: Interruption?
    private var lastStage: Task<Void, any Error>?

    init(_ tools: WorkerTools, _ sessionId: UUID) {
        self.tools = tools
        self.sessionId = sessionId
    }

    /// Stops measuring at once. The first reason counts; a document that is being written already is still handed in.
    func interrupt(_ reason: Interruption) {
        if interruption == nil { interruption = reason }
        child?.killGroup(SIGKILL)
        endCall?()
    }

    func releaseClaim() { interrupt(.ending) }

    /// Does the work. Errors end here: the lease of an attempt that could not say its outcome runs out.
    ///
    /// - Returns: whether the job was this attempt's to its end.
    @discardableResult
    func run() async -> Bool {
        do {
            guard let claim = try await claim() else { return false }
            CrashPoint.reached("analysis.after-claim")
            let trace = claim.commands.metadata.traceparent.flatMap(TraceContext.init(traceparent:))
            try await TraceContext.$current.withValue(trace) { try await self.work(on: claim) }
            return true
        } catch let refusal as JobRefusal {
            tools.log.info("job is not ours", ["session": .uuid(sessionId), "code": .string(refusal.code)])
        } catch AppendError.erased {
            tools.log.info("owner was erased", ["session": .uuid(sessionId)])
        } catch {
            tools.log.warning("attempt is lost", ["session": .uuid(sessionId), "reason": .string("\(error)")])
        }
        return false
    }

    private func claim() async throws -> Claim? {
        let stream = Job.stream(sessionId)
        // The attempt's events belong to the request that ordered it.
        guard let ordered = try await tools.store.read(stream).first else { return nil }
        var metadata = ordered.metadata
        metadata.causation = ordered.id
        metadata.origin = nil
        metadata.actor = "analysis"
        let commands = WorkerCommands<Job>(store: tools.store, stream: stream, metadata: metadata)
        let now = try await WorkerCommands<Job>.now(tools.store)
        let outcome = try await commands.put(
            .startAttempt(worker: tools.name, now: now, leaseEndsAt: now + tools.settings.lease))
        // Perhaps it only found that the last attempt was lost.
        guard case .running = outcome.state.phase, !outcome.events.isEmpty, let job = outcome.state.identity,
            let order = outcome.state.order
        else { return nil }
        return Claim(
            commands: commands, job: job, order: order, number: outcome.state.attempt, calls: outcome.state.calls,
            isLast: outcome.state.attempt >= outcome.state.maxAttempts)
    }

    private func work(on claim: Claim) async throws {
        tools.log.info("attempt begins", ["session": .uuid(sessionId), "attempt": .int(claim.number)])
        let watching = [
            Loop.task { try await self.keepLease(claim) }, Loop.task { try await self.watch(claim) },
        ]
        defer { for task in watching { task.cancel() } }
        let finding = await measure(claim)
        CrashPoint.reached("analysis.after-child")
        try await settle(claim, finding)
    }

    /// Says every third of a lease that the worker is alive, as long as it may. A missed one does no harm: the lease holds
    /// until another worker takes over.
    private func keepLease(_ claim: Claim) async throws {
        let lease = tools.settings.lease
        try await claim.commands.repeating(every: lease / 3, log: tools.log) { now in
            .extendLease(attempt: claim.number, leaseEndsAt: now + lease)
        }
        interrupt(.unwanted)
    }

    /// Stops the work as soon as the job is no longer this attempt's.
    private func watch(_ claim: Claim) async throws {
        try await claim.commands.wait { job in
            if case .running = job.phase { job.attempt == claim.number } else { false }
        }
        interrupt(.unwanted)
    }

    // MARK: Outcome

    private func settle(_ claim: Claim, _ finding: MediaHelper.Finding) async throws {
        switch (finding, interruption) {
        case (.measured(let document), _):
            if let failure = try await handIn(document, claim) {
                try await fail(claim, failure.code, retryable: failure.retryable)
            }
        case (_, .unwanted): tools.log.info("attempt was stopped", ["session": .uuid(sessionId)])
        case (_, .ending): try await claim.commands.insist { .returnAttempt(attempt: claim.number, now: $0) }
        case (_, .overdue): try await fail(claim, .analysisTimeout, retryable: true)
        case (.failed(let code, let retryable), nil): try await fail(claim, code, retryable: retryable)
        }
    }

    private func fail(_ claim: Claim, _ code: FailureCode, retryable: Bool) async throws {
        tools.log.notice(
            "attempt failed", ["session": .uuid(sessionId), "attempt": .int(claim.number), "code": code.json])
        try await claim.commands.insist {
            .failAttempt(attempt: claim.number, code: code, retryable: retryable, now: $0)
        }
    }

    // MARK: Measuring

    /// Runs the helper on the recording, in a folder of its own that is removed afterwards.
    private func measure(_ claim: Claim) async -> MediaHelper.Finding {
        do {
            let folder = try await tools.scratch.makeFolder("\(sessionId)-\(claim.number)")
            let finding: MediaHelper.Finding
            do {
                finding = try await tools.objects.withFile(claim.order.media.key, in: folder) { file in
                    try await self.measure(claim, file, folder)
                }
            } catch {
                await tools.scratch.remove(folder)
                throw error
            }
            await tools.scratch.remove(folder)
            return finding
        } catch ObjectStoreError.missing, ObjectStoreError.badKey {
            return .failed(.mediaMissing, retryable: false)
        } catch let error as ProcessError {
            tools.log.error("media helper cannot be run", ["reason": .string(error.description)])
            return .failed(.helperMissing, retryable: true)
        } catch {
            tools.log.error("attempt has no files to work on", ["reason": .string("\(error)")])
            return .failed(.storageFailed, retryable: true)
        }
    }

    private func measure(_ claim: Claim, _ file: String, _ folder: String) async throws -> MediaHelper.Finding {
        if interruption != nil { return .failed(.analysisCrashed, retryable: true) }
        let longest = tools.settings.maxVideoSeconds
        // Some grace: a recording that was stopped by a timer is a little longer.
        let seconds = min(max((claim.order.maxDurationSeconds ?? longest) + 5, 5), longest)
        let words = try await words(claim, file, folder, seconds)
        if interruption != nil { return .failed(.analysisCrashed, retryable: true) }
        let finding = try await analyze(claim, file, folder, seconds, words)
        guard case .measured(var document) = finding else { return finding }
        // The helper opens hostile files, and nothing on this machine finds emotions.
        document["emotions"] = nil
        if interruption != nil { return .measured(document) }
        let seen = await seeing(document, claim, file, folder, seconds)
        if interruption != nil { return .measured(seen) }
        return .measured(await feeling(seen, claim, file, folder, seconds))
    }

    private func analyze(
        _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64, _ words: String?
    ) async throws -> MediaHelper.Finding {
        let finding = try await tools.helpers.waiting(while: { interruption == nil }) {
            try await analyzeNow(claim, file, folder, seconds, words)
        }
        return finding ?? .failed(.analysisCrashed, retryable: true)
    }

    private func analyzeNow(
        _ claim: Claim, _ file: String, _ folder: String, _ seconds: Int64, _ words: String?
    ) async throws -> MediaHelper.Finding {
        let helper = tools.settings.mediaHelper
        let child = try helper.start(input: file, scratch: folder, maxSeconds: seconds, words: words)
        self.child = child
        defer { self.child = nil }
        let timer = EventLoop.shared.schedule(after: (tools.settings.grace + .seconds(seconds)) * MediaHelper.patience)
        {
            self.interrupt(.overdue)
        }
        defer { EventLoop.shared.cancel(timer) }
        let began = ContinuousClock.now
        let finding = await helper.follow(child) { self.report($0, claim) }
        ProviderCalls.note(finding, took: ContinuousClock.now - began)
        _ = await lastStage?.result
        return finding
    }

    /// Tells of a stage, one after another and without holding the helper back. A lost one is no harm.
    private func report(_ name: String, _ claim: Claim) {
        guard let (stage, percent) = Self.stages[name] else { return }
        let before = lastStage
        lastStage = Loop.task {
            _ = await before?.result
            try await claim.commands.put(
                .reportStage(attempt: claim.number, stage: stage, progressPercent: percent))
        }
    }

    /// The helper's stages as clients see them, with how much is done by then.
    private static let stages: [String: (AnalysisStage, Int64)] = [
        "probe": (.probe, 5), "decode": (.decode, 25), "speech": (.transcribe, 60), "voice": (.voice, 75),
        "picture": (.picture, 90),
    ]

    // MARK: Handing in

    /// Completes the job with a document of what was measured. Of a recording that cannot be used at all there is none.
    ///
    /// - Returns: why the attempt has failed, if so.
    /// - Throws: the refusal of a superseded attempt, after its document was discarded.
    func handIn(_ measured: JSONObject, _ claim: Claim) async throws -> Failure? {
        let job = claim.job
        let brief = claim.order.brief
        let made = try? await Offload.shared.run { try AnalysisDocument(measured, brief: brief) }
        guard let document = made else { return Failure(code: .analysisUnreadable, retryable: true) }
        if let code = document.unusable { return Failure(code: code, retryable: false) }
        let key = ObjectFolder.documents.key("\(job.ownerId)/\(job.sessionId)/\(UUID.v7()).json")
        let took = (ContinuousClock.now - claim.began).milliseconds
        let result = JobResult(
            document: document.reference(key), durationMs: took, engines: document.engines)
        do {
            try await claim.commands.handIn(
                document.bytes, as: key, of: job.ownerId, purpose: "analysis-document", limit: .seconds(120),
                to: tools.objects, log: tools.log, with: .complete(attempt: claim.number, result: result),
                written: { CrashPoint.reached("analysis.after-document") })
        } catch is HandInFailure {
            return Failure(code: .storageFailed, retryable: true)
        }
        tools.log.info(
            "job is complete",
            ["session": .uuid(sessionId), "attempt": .int(claim.number), "durationMs": .int(took)])
        CrashPoint.reached("analysis.after-complete-append")
        return nil
    }
}
