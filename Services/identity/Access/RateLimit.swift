package import Configuration
import Primitives

/// So many attempts at once, and so many again after a window.
package struct RateLimit: Sendable, Equatable {
    /// What is limited; limits of different names count apart.
    package let name: String
    package let count: Int64
    package let window: Duration

    /// After how many microseconds one attempt is there again.
    var pace: Double { Double(window.microseconds) / Double(count) }

    /// The same for what has as much room as so many addresses.
    func times(_ factor: Int) -> RateLimit { RateLimit(name: name, count: count * Int64(factor), window: window) }

    private init(name: String, count: Int64, window: Duration) {
        self.name = name
        self.count = count
        self.window = window
    }

    /// Reads a limit such as `10/10m` from the variable `LIMIT_` and the name; problems stay in `environment`.
    package init(_ name: String, _ environment: Environment, default standard: String) {
        let variable = "LIMIT_\(name)"
        self.name = name
        let parts = environment.string(variable, default: standard).split(
            separator: "/", omittingEmptySubsequences: false)
        if parts.count == 2, let count = Int64(parts[0]), (1...1_000_000).contains(count),
            let window = Duration(configuration: parts[1]), window > .zero
        {
            self.count = count
            self.window = window
        } else {
            environment.refuse(variable, "must be a number of attempts and a span of time, such as 10/10m.")
            count = 1
            window = .seconds(1)
        }
    }
}
