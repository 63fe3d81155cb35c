package import HTTPServer
import ServiceKit

/// Problems that operators of allowances meet, and shops.
extension ProblemCode {
    package static let planUnknown = ProblemCode(
        "plan-unknown", 422, "Unknown plan",
        "See the plans in force: mirrormate plan list.")
    package static let unitsOutOfRange = ProblemCode(
        "units-out-of-range", 422, "Too few or too many units",
        "Give 1 to 1000 units.")
    package static let webhookSignatureWrong = ProblemCode(
        "webhook-signature-wrong", 400, "The signature is not good",
        "Sign the body as it is sent, with the secret of this endpoint.")
    package static let webhookSignatureLate = ProblemCode(
        "webhook-signature-late", 400, "The signature is of another time",
        "Sign the body anew when it is sent, and check both clocks.")

    /// All of them.
    package static let quota: [ProblemCode] = [
        planUnknown, unitsOutOfRange, webhookSignatureWrong, webhookSignatureLate,
    ]
}

/// The one place where refusals of allowances become problems.
extension AllowanceRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .unitsOutOfRange: Problem(.unitsOutOfRange)
        case .ownerErased: .notFound
        }
    }
}
