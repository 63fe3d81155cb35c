import Contracts
import Glibc
import History
import Postgres
import Primitives
import Replay
import Runtime
import ServiceKit
import reporting
import sessions

/// One rebuild in a separate process with low priority, like `mirrormate rebuild`:
/// `bench rebuilder MODEL HOST PORT DATABASE USER`.
@Loop enum RebuildPeer {
    /// What is rebuilt, by the name of its table.
    enum Model: String {
        case deeds = "deed_counts"
        case days = "practice_days"
        case reports = "report_history"
        case sessions = "session_list"

        fileprivate var history: ServiceHistory {
            switch self {
            case .deeds: DeedTale.history
            case .days, .reports: ReportingService.history
            case .sessions: SessionsService.history
            }
        }
    }

    /// The result of a rebuild.
    struct Outcome {
        /// Events per second, from the start to the complete table.
        let rate: Double
        let rows: Int
        /// Processor time, in seconds.
        let processorSeconds: Double
        /// The peak resident memory, in megabytes of 10^6 bytes.
        let megabytes: Double
    }

    /// Starts such a process and waits for it to exit.
    static func run(_ model: Model, _ settings: PostgresSettings) async throws -> Outcome {
        let text = try await Tool.run(
            try Tool.own(),
            ["rebuilder", model.rawValue, settings.host, "\(settings.port)", settings.database, settings.user])
        return Outcome(
            rate: try Tool.number(after: "rate", in: text),
            rows: Int(try Tool.number(after: "rows", in: text)),
            processorSeconds: try Tool.number(after: "processor", in: text),
            megabytes: try Tool.number(after: "megabytes", in: text))
    }

    /// What that process does.
    static func rebuild(_ words: [String]) async throws {
        _ = nice(10)
        guard let name = words.first, let history = Model(rawValue: name)?.history,
            let model = history.readModel(name)
        else { throw BenchError("wanted: MODEL HOST PORT DATABASE USER") }
        let settings = try Tool.database(Array(words.dropFirst())).with("search_path", history.service.rawValue)
        let store = HistoryStore(history, reader: settings)
        defer { store.close() }
        let start = monotonicNanoseconds()
        let rebuild = try await Rebuild.begin(store, model, writer: settings, who: "bench", code: "bench")
        defer { rebuild.close() }
        let outcome = try await rebuild.build()
        print("rate \(Double(outcome.events) / (Double(monotonicNanoseconds() - start) / 1e9))")
        print("rows \(outcome.rows)")
        var usage = rusage()
        guard getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage) == 0 else {
            throw BenchError("The kernel does not report the memory.")
        }
        let processor =
            Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
            + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6
        print("processor \(processor)")
        // Not the kernel's `ru_maxrss`, which a child inherits from the process that started it.
        print("megabytes \(try MemoryBench.resident(getpid(), "VmHWM:"))")
    }
}
