import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import Measuring
import Observability
import Primitives
import Processes
import Runtime
import ServiceKit

/// Where a worker puts its commands to a job.
typealias JobDesk = CommandDesk<Job>

/// One attempt at one job, from its claim to its outcome.
///
/// It never trusts that it is the only one: whatever it has to say goes through the decider, which refuses all but the
/// current attempt; what it wrote is then removed.
@Loop final class Attempt: Work {
    /// Why the measuring was stopped from outside.
    enum Interruption { case unwanted, overdue, ending }

    /// What an attempt that holds its job knows.
    struct Claim {
        let desk: JobDesk
        let job: SessionReference
        let order: JobOrder
        let number: Int64
        /// By PostgreSQL's clock.
        let claimedAt: Timestamp
        let began = ContinuousClock.now
    }

    let tools: WorkerTools
    let sessionId: UUID
    var child: ChildProcess?
    private(set) var interruption: Interruption?
    var lastStage: Task<Void, any Error>?

    init(_ tools: WorkerTools, _ sessionId: UUID) {
        self.tools = tools
        self.sessionId = sessionId
    }

    /// Stops measuring at once. The first reason counts; a document that is being written already is still handed in.
    func interrupt(_ reason: Interruption) {
        if interruption == nil { interruption = reason }
        child?.killGroup(SIGKILL)
    }

    func giveBack() { interrupt(.ending) }

    /// Does the work. Errors end here: the lease of an attempt that could not say its outcome runs out.
    func run() async {
        do {
            guard let claim = try await claim() else { return }
            CrashPoint.reached("analysis.after-claim")
            let trace = claim.desk.metadata.traceparent.flatMap(TraceContext.init(traceparent:))
            try await TraceContext.$current.withValue(trace) { try await self.work(on: claim) }
        } catch let refusal as JobRefusal {
            tools.log.info("job is not ours", ["session": .uuid(sessionId), "code": .string(refusal.code)])
        } catch AppendError.erased {
            tools.log.info("owner was erased", ["session": .uuid(sessionId)])
        } catch {
            tools.log.warning("attempt is lost", ["session": .uuid(sessionId), "reason": .string("\(error)")])
        }
    }

    private func claim() async throws -> Claim? {
        let stream = Job.stream(sessionId)
        // The attempt's events belong to the request that ordered it.
        guard let ordered = try await tools.store.read(stream).first else { return nil }
        var metadata = ordered.metadata
        metadata.causation = ordered.id
        metadata.origin = nil
        metadata.actor = "analysis"
        let desk = JobDesk(store: tools.store, stream: stream, metadata: metadata)
        let now = try await JobDesk.now(tools.store)
        let outcome = try await desk.put(
            .startAttempt(worker: tools.name, now: now, leaseEndsAt: now + tools.settings.lease))
        // Perhaps it only found that the last attempt was lost.
        guard case .running = outcome.state.phase, !outcome.events.isEmpty, let job = outcome.state.identity,
            let order = outcome.state.order
        else { return nil }
        return Claim(desk: desk, job: job, order: order, number: outcome.state.attempt, claimedAt: now)
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
        try await claim.desk.repeating(every: lease / 3, log: tools.log) { now in
            .extendLease(attempt: claim.number, leaseEndsAt: now + lease)
        }
        interrupt(.unwanted)
    }

    /// Stops the work as soon as the job is no longer this attempt's.
    private func watch(_ claim: Claim) async throws {
        try await claim.desk.wait { job in
            if case .running = job.phase { job.attempt == claim.number } else { false }
        }
        interrupt(.unwanted)
    }

    // MARK: Outcome

    private func settle(_ claim: Claim, _ finding: MediaHelper.Finding) async throws {
        switch (finding, interruption) {
        case (.measured(let document), _):
            if let failure = try await handIn(document, claim) { try await fail(claim, failure, retryable: true) }
        case (_, .unwanted): tools.log.info("attempt was stopped", ["session": .uuid(sessionId)])
        case (_, .ending): try await claim.desk.insist { .returnAttempt(attempt: claim.number, now: $0) }
        case (_, .overdue): try await fail(claim, .analysisTimeout, retryable: true)
        case (.failed(let code, let retryable), nil): try await fail(claim, code, retryable: retryable)
        }
    }

    private func fail(_ claim: Claim, _ code: FailureCode, retryable: Bool) async throws {
        tools.log.notice(
            "attempt failed", ["session": .uuid(sessionId), "attempt": .int(claim.number), "code": code.json])
        try await claim.desk.insist {
            .failAttempt(attempt: claim.number, code: code, retryable: retryable, now: $0)
        }
    }
}
