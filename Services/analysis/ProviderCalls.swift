import Contracts
import Measuring
import Observability
import Providers
import Runtime

/// What `/metrics` tells of the calls of those who measure: how many, how they ended, how long they took, what they cost.
///
/// The media helper on this machine is one of them, and it is free; `Providers` counts the calls of those outside.
enum ProviderCalls {
    private static let provider = "mirrormate-media"
    private static let calls = Metrics.shared.counter(
        "provider_calls_total", help: "Attempts at measuring, by their outcome.", labels: ["provider", "outcome"])
    private static let cost = Metrics.shared.counter(
        "provider_cost_total", help: "Money that a provider's calls cost; 0 for the helper on this machine.",
        labels: ["provider"])
    private static let duration = Metrics.shared.histogram(
        "provider_call_duration_seconds", help: "Time of an attempt at measuring.", labels: ["provider"])

    /// Lets the figures be there before the first call.
    @Loop static func announce() {
        for outcome in ["measured", "failed"] { calls.increment(by: 0, [provider, outcome]) }
        cost.increment(by: 0, [provider])
        Provider.announce(free: provider)
    }

    /// Counts one call that has ended.
    static func note(_ finding: MediaHelper.Finding, took time: Duration) {
        var outcome = "failed"
        if case .measured = finding { outcome = "measured" }
        calls.increment([provider, outcome])
        duration.observe(time, [provider])
    }
}
