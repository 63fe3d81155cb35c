import HTTPClient
import JSON
import Runtime

/// What a request of the native API costs beside the compatible surface, and without it: two stacks that differ in nothing else, by turns.
@Loop enum SurfaceBench {
    private static let rounds = 7
    /// Of each route in each round.
    private static let requests = 2_000
    private static let callers = 16
    /// One of each service that has compatible routes, which are looked at with every request.
    private static let paths = ["/v1/me", "/v1/sessions", "/v1/quota", "/v1/reports"]

    static func run(_ stage: Stage) async throws -> [Figure] {
        print("surface: two stacks, \(rounds) alternating rounds of \(requests) requests of \(paths.count) routes …")
        let folder = "\(stage.root)/.mirrormate/bench"
        let with = SurfaceStack(stage, state: "\(folder)/with-surface", hasSurface: true)
        let without = SurfaceStack(stage, state: "\(folder)/without-surface", hasSurface: false)
        do {
            try await with.start()
            try await without.start()
            let figures = try await compare(with, without)
            await with.stop()
            await without.stop()
            return figures
        } catch {
            await with.stop()
            await without.stop()
            throw error
        }
    }

    private static func compare(_ with: SurfaceStack, _ without: SurfaceStack) async throws -> [Figure] {
        var (costs, rates): ([Double], [Double]) = ([], [])
        var (own, peers): ([Load], [Load]) = ([], [])
        for stack in [with, without] { _ = try await load(stack, requests / 4) }
        for round in 0..<rounds {
            // Whoever comes second meets a machine that the first has warmed.
            let isFirst = round % 2 == 0
            let first = try await load(isFirst ? with : without, requests)
            let second = try await load(isFirst ? without : with, requests)
            let (mine, other) = isFirst ? (first, second) : (second, first)
            own.append(mine)
            peers.append(other)
            costs.append(mine.microseconds / other.microseconds)
            rates.append(mine.rate / other.rate)
        }
        let command = "infra/bench surface"
        return [
            Figure(
                name: "surface.cpu.ratio", value: costs.median, unit: "times without the surface", goal: .atMost(1.05),
                command: command,
                peer: ("COMPATIBLE_SURFACE=false", peers.map(\.microseconds).median, "µs of CPU a request"),
                note: "services alone, all threads; rounds: \(costs.listed)"),
            Figure(
                name: "surface.rate.ratio", value: rates.median, unit: "times without the surface",
                goal: .atLeast(0.95),
                command: command, peer: ("COMPATIBLE_SURFACE=false", peers.map(\.rate).median, "requests/s"),
                note: "\(callers) callers through the gateway; rounds: \(rates.listed)"),
            Figure(
                name: "surface.cpu", value: own.map(\.microseconds).median, unit: "µs of CPU a request",
                command: command, note: "GET \(paths.joined(separator: ", "))"),
        ]
    }

    private struct Load: Sendable {
        /// Of the services' CPU, for a request.
        let microseconds: Double
        /// Requests a second.
        let rate: Double
    }

    /// Sends so many requests of each route.
    private static func load(_ stack: SurfaceStack, _ count: Int) async throws -> Load {
        let (start, used) = (monotonicNanoseconds(), try stack.processorNanoseconds())
        let tasks = (0..<callers).map { caller in
            Loop.task {
                for number in stride(from: caller, to: count * paths.count, by: callers) {
                    try await stack.get(paths[number % paths.count])
                }
            }
        }
        for task in tasks { try await task.value }
        let all = Double(count * paths.count)
        let seconds = Double(monotonicNanoseconds() - start) / 1e9
        return Load(
            microseconds: Double(try stack.processorNanoseconds() - used) / 1e3 / all, rate: all / seconds)
    }
}
