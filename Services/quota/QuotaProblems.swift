package import HTTPServer
import ServiceKit

/// Problems that operators of allowances meet.
extension ProblemCode {
    package static let planUnknown = ProblemCode(
        "plan-unknown", 422, "Unknown plan",
        "See the plans in force: mirrormate plan list.")
    package static let unitsOutOfRange = ProblemCode(
        "units-out-of-range", 422, "Too few or too many units",
        "Give 1 to 1000 units.")

    /// All of them.
    package static let quota: [ProblemCode] = [
        planUnknown, unitsOutOfRange,
    ]
}

/// The one place where refusals of allowances become problems.
extension QuotaRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .planUnknown: Problem(.planUnknown)
        case .kindUnknown: Problem(.kindUnknown)
        case .unitsOutOfRange: Problem(.unitsOutOfRange)
        case .ownerErased: .notFound
        }
    }
}
