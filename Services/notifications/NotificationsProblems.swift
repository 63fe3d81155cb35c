package import HTTPServer
import ServiceKit

/// Problems of webhooks.
extension ProblemCode {
    package static let webhookImpossible = ProblemCode(
        "webhook-impossible", 422, "Nothing can be sent there",
        "Send as url an https address with a host name, on port 443, without a user and without #; as kinds some of \(NoticeKind.choices.map(\.rawValue).joined(separator: ", "))."
    )
    package static let webhooksUsedUp = ProblemCode(
        "webhooks-used-up", 409, "Enough endpoints",
        "There can be \(Webhooks.limit) endpoints, \(Webhooks.dayLimit) added within a day, and each can have its secret changed \(Webhooks.rotationLimit) times: delete one first, or come back tomorrow."
    )
    package static let webhookDisabled = ProblemCode(
        "webhook-disabled", 409, "Nothing is sent to this endpoint",
        "Delete it, and add its address again when it answers.")
    package static let webhookTestsUsedUp = ProblemCode(
        "webhook-tests-used-up", 429, "Enough tests",
        "\(WebhookQueue.testsPerHour) tests can be sent within an hour: look at the last deliveries, or come back later."
    )
    package static let accountNeeded = ProblemCode(
        "account-needed", 403, "An account is needed", "Sign up or sign in: endpoints belong to an account.")

    /// All of them.
    package static let notifications: [ProblemCode] = [
        webhookImpossible, webhooksUsedUp, webhookDisabled, webhookTestsUsedUp, accountNeeded,
    ]
}

/// The one place where refusals of endpoints become problems.
extension WebhooksRefusal: ProblemConvertible {
    package var problem: Problem {
        switch self {
        case .noKinds: Problem(.webhookImpossible)
        case .usedUp, .rotationsUsedUp: Problem(.webhooksUsedUp)
        case .unknown: .notFound
        }
    }
}
