import Observability
import Runtime

/// What is known of passwords of leaks, besides the common ones that are built in: a file, and a server that is asked, each if there is
/// one.
///
/// A file that cannot be read any more lets nobody choose a password. A server is somebody else's and may be away: then what is known
/// here decides, and `breached_password_checks_total{by="local"}` and a line of the log say so.
@Loop struct PasswordLeaks {
    private let file: BreachedPasswords?
    private let range: BreachedPasswordRange?
    private let checks = Metrics.shared.counter(
        "breached_password_checks_total",
        help: "New passwords that a server of leaks was asked about: it decided, or what is known here alone.",
        labels: ["by"])

    init(_ settings: AccessSettings) {
        file = settings.breachedPasswords
        range = settings.breachedRange.map { BreachedPasswordRange($0, Logger(label: "breached-passwords")) }
        // Else an alert would miss the first one.
        if range != nil { for source in ["server", "local"] { checks.increment(by: 0, [source]) } }
    }

    /// Whether a password is known to have been in a leak.
    ///
    /// - Throws: `BreachedPasswords.Unreadable`, `CancellationError`.
    func know(_ password: String) async throws -> Bool {
        if let file, try await file.contains(password) { return true }
        guard let range else { return false }
        do {
            let isKnown = try await range.contains(password)
            checks.increment(["server"])
            return isKnown
        } catch is BreachedPasswordRange.Unavailable {
            checks.increment(["local"])
            return false
        }
    }
}
