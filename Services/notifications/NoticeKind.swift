/// Something that an owner can be told of. The raw values are durable: events have them, requests, and the `type` of what is sent.
package enum NoticeKind: String, Sendable, CaseIterable {
    /// A report is written and can be read.
    case reportReady = "report.ready"
    /// A session ended because something went wrong.
    case sessionFailed = "session.failed"
    /// A goal was met.
    case goalMet = "goal.met"
    /// The longest streak of days has reached a number that is worth telling.
    case milestoneReached = "milestone.reached"
    /// An operator has given the owner another plan.
    case entitlementChanged = "entitlement.changed"
    /// Somebody wanted to see whether an endpoint answers.
    case test = "endpoint.test"

    /// Those that an endpoint can be for.
    package static let choices = allCases.filter { $0 != .test }
}
