import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import Observability
import Primitives
import Processes
import Runtime

/// One attempt at one job, from its claim to its outcome.
///
/// It never trusts that it is the only one: whatever it has to say goes through the decider, which refuses all but the
/// current attempt; what it wrote is then removed.
@Loop final class Attempt {
    /// Why the measuring was stopped from outside.
    enum Interruption { case unwanted, overdue, ending }

    /// What an attempt that holds its job knows.
    struct Claim {
        let desk: JobDesk
        let job: JobIdentity
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

    // MARK: Beside the work

    /// Says every third of a lease that the worker is alive. A missed one does no harm: the lease holds until another
    /// worker takes over.
    private func keepLease(_ claim: Claim) async throws {
        while true {
            try await Loop.sleep(for: tools.settings.lease / 3)
            do {
                let end = try await JobDesk.now(tools.store) + tools.settings.lease
                _ = try await claim.desk.put(.extendLease(attempt: claim.number, leaseEndsAt: end))
            } catch is JobRefusal {
                return interrupt(.unwanted)
            } catch AppendError.erased {
                return interrupt(.unwanted)
            } catch {
                try Task.checkCancellation()
                tools.log.warning(
                    "lease was not extended", ["session": .uuid(sessionId), "reason": .string("\(error)")])
            }
        }
    }

    /// Stops the work as soon as the job is no longer this attempt's.
    private func watch(_ claim: Claim) async throws {
        while true {
            let mark = tools.store.head.position
            do {
                let job = try await CommandHandler<Job>(tools.store).load(claim.desk.stream).state
                guard case .running = job.phase, job.attempt == claim.number else { return interrupt(.unwanted) }
            } catch {
                try Task.checkCancellation()
            }
            try await tools.store.head.wait(for: claim.desk.stream, since: mark, atMost: .seconds(1))
        }
    }

    // MARK: Outcome

    private func settle(_ claim: Claim, _ finding: MediaHelper.Finding) async throws {
        switch (finding, interruption) {
        case (.measured(let document), _):
            if let failure = try await handIn(document, claim) { try await fail(claim, failure, retryable: true) }
        case (_, .unwanted): tools.log.info("attempt was stopped", ["session": .uuid(sessionId)])
        case (_, .ending):
            _ = try await claim.desk.persisting { id in
                let now = try await JobDesk.now(claim.desk.store)
                return try await claim.desk.put(.returnAttempt(attempt: claim.number, now: now), id: id).version
            }
        case (_, .overdue): try await fail(claim, .analysisTimeout, retryable: true)
        case (.failed(let code, let retryable), nil): try await fail(claim, code, retryable: retryable)
        }
    }

    private func fail(_ claim: Claim, _ code: FailureCode, retryable: Bool) async throws {
        tools.log.notice(
            "attempt failed", ["session": .uuid(sessionId), "attempt": .int(claim.number), "code": code.json])
        _ = try await claim.desk.persisting { id in
            let now = try await JobDesk.now(claim.desk.store)
            let command = JobCommand.failAttempt(attempt: claim.number, code: code, retryable: retryable, now: now)
            return try await claim.desk.put(command, id: id).version
        }
    }
}
