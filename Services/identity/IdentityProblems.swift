package import HTTPServer
import ServiceKit

extension Problem {
    /// 401 for a token of somebody who is erased.
    static let userGone = Problem(.userGone, headers: ["WWW-Authenticate": "Bearer"])
}

/// The one place where refusals of users become problem documents.
extension UserRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unknown, .erased: .userGone
        case .exists: Problem(.userExists)
        case .noAccount, .noPassword: Problem(.accountMissing)
        case .invalidTimeZone: Problem(.timeZoneInvalid)
        }
    }
}
