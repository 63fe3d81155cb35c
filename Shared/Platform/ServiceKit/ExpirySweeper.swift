import JSON
import Observability
package import Runtime

/// Removes rows that are over, every few minutes: by the queries that read them they count no longer, and would only lie there.
@Loop package struct ExpirySweeper {
    /// What removes rows of one kind that are over, and what the log calls them.
    package typealias Sweep = (what: String, sweep: @Loop () async throws -> Void)

    private let log = Logger(label: "expiry-sweeper")
    private let sweeps: [Sweep]

    package init(_ sweeps: [Sweep]) { self.sweeps = sweeps }

    /// Sweeps every few minutes until the task is cancelled.
    package func run() async {
        while !Task.isCancelled {
            // What could not be removed this time is removed the next.
            for (what, sweep) in sweeps {
                do {
                    try await sweep()
                } catch {
                    if !Task.isCancelled {
                        log.warning(
                            "what is over could not be removed", ["what": .string(what), "reason": .string("\(error)")])
                    }
                }
            }
            try? await Loop.sleep(for: .seconds(300))
        }
    }
}
