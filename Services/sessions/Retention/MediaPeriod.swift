import Contracts
package import Primitives

/// For how long the recording of a session is kept that is completed now.
package struct MediaPeriod: Sendable, Hashable {
    package var since: Timestamp
    /// When the recording goes; not after `since` when it is not kept.
    package var until: Timestamp

    /// Not at all.
    package static let none = MediaPeriod(since: .epoch, until: .epoch)

    package init(since: Timestamp, until: Timestamp) {
        self.since = since
        self.until = until
    }

    /// The period that led to the completion of a session.
    init(recalledFrom events: [SessionEvent]) {
        self = .none
        for case .mediaKept(_, _, let since, let until) in events { self.init(since: since, until: until) }
    }
}
