import Observability
import Primitives
import Projections
import Runtime
import Testing

@testable import ServiceKit

/// A queue in which nothing is folded.
@Loop private final class StandingQueue: LiveReadModel {
    let position: Int64 = 0
    let folded = Signal()

    func run() async {}
    func step() async throws -> Bool { false }
}

/// Work of which some can never be done.
@Loop private final class Jobs {
    let broken = (1...7).map { _ in UUID.v7() }
    let good = UUID.v7()
    private(set) var begun: [UUID] = []

    final class Job: Work {
        let jobs: Jobs
        let id: UUID

        init(_ jobs: Jobs, _ id: UUID) {
            self.jobs = jobs
            self.id = id
        }

        func run() async -> Bool {
            jobs.begun.append(id)
            return id == jobs.good
        }

        func releaseClaim() {}
    }

    /// The broken ones have waited longest.
    func runnable(except: [UUID], limit: Int) -> [UUID] {
        let done = begun.contains(good) ? [good] : []
        return Array((broken + [good]).filter { !(except + done).contains($0) }.prefix(limit))
    }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `Work that fails` {
    @Test func `holds up no other, however much of it there is`() async throws {
        let jobs = Jobs()
        let pool = WorkerPool(
            StandingQueue(), size: 2, metric: "test_running_jobs", log: Logger(label: "test"),
            runnable: { jobs.runnable(except: $0, limit: $1) }, begin: { Jobs.Job(jobs, $0) })
        let working = Loop.task { await pool.run() }
        for _ in 0..<100 { await Loop.turn() }
        working.cancel()
        _ = await working.result
        #expect(Set(jobs.begun) == Set(jobs.broken + [jobs.good]))
    }

    @Test func `rests longer each time, and is tried again`() {
        let second: Int64 = 1_000_000_000
        let (id, other) = (UUID.v7(), UUID.v7())
        var failed = FailedWork()
        var now: Int64 = 0
        for length in [2, 4, 8, 16, 32, 60, 60] as [Int64] {
            failed.note(id, isDone: false, at: now)
            #expect(failed.resting(at: now + length * second - 1) == [id])
            now += length * second
            #expect(failed.resting(at: now).isEmpty)
        }
        failed.note(other, isDone: true, at: now)
        #expect(failed.resting(at: now).isEmpty)
        failed.note(id, isDone: true, at: now)
        failed.note(id, isDone: false, at: now)
        #expect(failed.resting(at: now + 2 * second).isEmpty, "it has been done since")
        // Done by another instance, it is forgotten after a while.
        failed.note(id, isDone: false, at: now)
        #expect(failed.resting(at: now + 70 * second).isEmpty)
        failed.note(id, isDone: false, at: now)
        #expect(failed.resting(at: now + 2 * second).isEmpty)
    }
}
