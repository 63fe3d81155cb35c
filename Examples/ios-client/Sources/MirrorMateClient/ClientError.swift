import Foundation

/// What goes wrong on this side, or ends without a report.
public enum ClientError: Error, Sendable {
    /// Nobody is signed in, or no longer.
    case notSignedIn
    /// The session has ended otherwise: its `error` or `refusal` says why.
    case noReport(Session)
    /// The session was deleted.
    case sessionGone
    /// The file is no video that the API takes, or cannot be read.
    case noVideo(URL)
    /// The Keychain refused, with the status of the Security framework.
    case keychain(Int32)
}

extension ClientError: LocalizedError {
    public var errorDescription: String? {
        switch self {
        case .notSignedIn: "Nobody is signed in. Sign in again."
        case .noReport(let session): session.error?.title ?? "The session has ended as \(session.status.rawValue)."
        case .sessionGone: "The session was deleted. Create another one."
        case .noVideo(let file): "\(file.lastPathComponent) is no MP4, QuickTime or WebM file that can be read."
        case .keychain(let status): "The Keychain refused with status \(status)."
        }
    }
}
