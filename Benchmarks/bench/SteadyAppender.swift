import EventStore
import Glibc
import Postgres
import Primitives
import Processes
import Runtime

/// A process that appends until it is stopped: `bench appender HOST PORT DATABASE USER`. It reports its progress
/// continuously, so that its rate is known for any interval.
@Loop final class SteadyAppender {
    private struct Sample {
        let nanoseconds: Int64
        let count: Int64
    }

    private let child: ChildProcess
    private var samples: [Sample] = []
    private var reading: Task<Void, any Error>?

    private init(_ child: ChildProcess) { self.child = child }

    /// Starts the process and waits until it is appending.
    static func start(_ role: PostgresSettings) async throws -> SteadyAppender {
        var command = Command(
            try Tool.own(), ["appender", role.host, "\(role.port)", role.database, role.user])
        command.output = .pipe
        let appender = SteadyAppender(try ChildProcess.start(command))
        appender.reading = Loop.task { try await appender.read() }
        try await Loop.withDeadline(.seconds(30)) {
            while (appender.samples.last?.count ?? 0) == 0 { try await Loop.sleep(for: .milliseconds(50)) }
        }
        return appender
    }

    /// Appends per second while some work is done.
    func rate(during work: () async throws -> Void) async throws -> Double {
        let start = monotonicNanoseconds()
        try await work()
        let end = monotonicNanoseconds()
        let within = samples.filter { $0.nanoseconds >= start && $0.nanoseconds <= end }
        guard let first = within.first, let last = within.last, last.nanoseconds > first.nanoseconds else {
            throw BenchError("The appender has exited, or has not reported its progress.")
        }
        return Double(last.count - first.count) / (Double(last.nanoseconds - first.nanoseconds) / 1e9)
    }

    func stop() async {
        child.kill(SIGTERM)
        _ = try? await child.wait()
        reading?.cancel()
    }

    private func read() async throws {
        while let line = try await child.output?.next() {
            let words = line.split(separator: " ").compactMap { Int64($0) }
            if words.count == 2 { samples.append(Sample(nanoseconds: words[0], count: words[1])) }
        }
    }

    /// What that process does.
    static func append(_ words: [String]) async throws {
        let store = EventStore(try Tool.database(words))
        let load = AppendLoad(store, callers: 64, kind: UInt64(getpid()))
        Loop.task {
            while true {
                print("\(monotonicNanoseconds()) \(load.count)")
                fflush(nil)
                try await Loop.sleep(for: .milliseconds(100))
            }
        }
        _ = try await load.run(seconds: 3_600)
    }
}
