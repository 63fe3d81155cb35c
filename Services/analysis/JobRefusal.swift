package import Primitives

/// Why a worker's command is not carried out. Messages of other services are never refused.
package enum JobRefusal: Error, Sendable, Equatable {
    /// There is no such job.
    case unknownJob
    /// Another attempt holds the job until then.
    case leased(until: Timestamp)
    /// The next attempt may begin then.
    case notBefore(Timestamp)
    /// The attempt is no longer the current one; stop and remove what it wrote.
    case superseded(current: Int64)
    /// The job has ended already; stop and remove what was written.
    case ended
    /// The provider was asked already, or another one has answered.
    case alreadyAsked
    /// The lease would end before it begins.
    case invalidLease

    /// The stable code.
    package var code: String {
        switch self {
        case .unknownJob: "unknown-job"
        case .leased: "job-leased"
        case .notBefore: "job-waiting"
        case .superseded: "attempt-superseded"
        case .ended: "job-ended"
        case .alreadyAsked: "already-asked"
        case .invalidLease: "invalid-lease"
        }
    }
}
