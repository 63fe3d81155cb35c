/// The services that publish, each on a topic of its own.
package enum ServiceName: String, Sendable, Hashable, CaseIterable {
    case identity, sessions, quota, analysis, reporting, notifications

    /// CloudEvents' `source` of everything this service publishes, a URI reference: `/mirrormate/sessions`.
    package var source: String { "/mirrormate/\(rawValue)" }
}
