import Glibc
import Kafka
import Observability
import Primitives
import Runtime

/// Measures the event core, the analysis and the services' memory against their peers; `infra/bench` prepares it.
///
///     bench OUTPUT.json [append|relay|latency|rebuild|analysis|memory|practice|progress|surface]...
@main enum Program {
    static func main() async {
        let words = Array(CommandLine.arguments.dropFirst())
        let task = Loop.task { try await run(words) }
        do {
            exit(try await task.value)
        } catch {
            print("bench: \(error)")
            exit(1)
        }
    }

    @Loop private static func run(_ words: [String]) async throws -> Int32 {
        Logger.level = .error
        guard let output = words.first else {
            print(
                "usage: bench OUTPUT.json [append|relay|latency|rebuild|analysis|memory|practice|progress|surface]...")
            return 2
        }
        if output == "consumer" {
            try await LatencyConsumer(arguments: Array(words.dropFirst())).run()
            return 0
        }
        if output == "appender" {
            try await SteadyAppender.append(Array(words.dropFirst()))
            return 0
        }
        if output == "rebuilder" {
            try await RebuildPeer.rebuild(Array(words.dropFirst()))
            return 0
        }
        let parts: [(name: String, run: @Loop (Stage) async throws -> [Figure])] = [
            ("append", AppendBench.run), ("relay", RelayBench.run), ("latency", LatencyBench.run),
            ("rebuild", RebuildBench.run),
            ("analysis", AnalysisBench.run), ("memory", MemoryBench.run),
            ("practice", PracticeBench.run), ("progress", ProgressBench.run), ("surface", SurfaceBench.run),
        ]
        let wanted = words.dropFirst()
        if let unknown = wanted.first(where: { word in !parts.contains { $0.name == word } }) {
            print("bench: there is no part \(unknown)")
            return 2
        }
        let stage = try Stage.fromEnvironment()
        let report = Report()
        report.add(try await Machine.figures(stage))
        for part in parts where wanted.isEmpty || wanted.contains(part.name) {
            do {
                report.add(try await part.run(stage))
            } catch {
                report.failed(part.name, "\(error)")
            }
        }
        try report.write(to: output)
        return report.hasFailed ? 1 : 0
    }
}
