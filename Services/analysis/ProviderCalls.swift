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

    private static let costOfCalls = Metrics.shared.counter(
        "provider_cost_micros_total", help: "What providers charge for calls, in millionths of their currency.",
        labels: ["provider", "currency"])

    /// Counts what a call to a provider has cost.
    static func note(costMicros: Int64, of call: ProviderCall) {
        costOfCalls.increment(by: Double(costMicros), [call.scope.provider, call.currency])
    }

    /// Lets the figures be there before the first call, or what that costs would be no increase.
    static func announce(_ providers: [ProviderDeclaration]) {
        for outcome in ["measured", "failed"] { calls.increment(by: 0, [provider, outcome]) }
        cost.increment(by: 0, [provider])
        costOfCalls.increment(by: 0, [provider, "none"])
        for one in providers { costOfCalls.increment(by: 0, [one.name, one.currency]) }
    }

    /// Counts one call that has ended.
    static func note(_ finding: MediaHelper.Finding, took time: Duration) {
        var outcome = "failed"
        if case .measured = finding { outcome = "measured" }
        calls.increment([provider, outcome])
        duration.observe(time, [provider])
    }
}
