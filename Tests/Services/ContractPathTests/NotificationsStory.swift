import Contracts
import EventSourcing
import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import notifications

enum NotificationsStory: Story {
    static func variables(_: String) -> [String: String] {
        ["WEBHOOK_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4)]
    }

    static func tell(_ stage: Stage<NotificationsService>) async throws {
        try await stage.hear(
            .identity, "SigningKeyPublished", about: World.signingKey, becomes: ["SigningKeyLearned"])
        // Before anybody wants to be told.
        try await stage.hear(.reporting, "ReportReady", about: World.completed, becomes: [])
        let ada = endpoint("ada's endpoint")
        let grace = endpoint("grace's endpoint")
        for (owner, endpoint) in [(World.ada, ada), (World.grace, grace)] {
            try await command(stage, .add(ownerId: owner, endpoint, sealed: sealed), of: owner)
        }
        try await stage.hear(.reporting, "ReportReady", about: World.completed, becomes: ["NoticeRaised"])
        try await stage.hear(.sessions, "SessionFailed", about: World.failed, becomes: ["NoticeRaised"])
        try await stage.hear(
            .reporting, "MilestoneReached", about: World.grace, becomes: ["NoticeRaised", "NoticeRaised"])
        try await stage.hear(.reporting, "GoalMet", about: World.goal, becomes: ["NoticeRaised"])
        try await stage.hear(.quota, "PlanChanged", about: World.ada, becomes: ["NoticeRaised"])
        try await command(
            stage,
            .rotate(ownerId: World.grace, endpointId: grace.endpointId, secret: [3], until: World.minutes(1_440)),
            of: World.grace)
        try await command(
            stage, .disable(ownerId: World.grace, endpointId: grace.endpointId, .gone), of: World.grace)
        // Nothing is told any more.
        try await stage.hear(.reporting, "ReportReady", about: World.measured, becomes: [])
        try await command(stage, .remove(ownerId: World.grace, endpointId: grace.endpointId), of: World.grace)
        try await stage.hear(.identity, "UserErased", about: World.ada, becomes: ["SubjectErased"])
        try await stage.hear(
            .identity, "SigningKeyRetired", about: World.signingKey, becomes: ["SigningKeyRetirementLearned"])
        try await stage.hearSigned(erasing: [])
        try await stage.hearOfAppToken()
        try await stage.hearOfAPIKey()
    }

    private static let sealed = SealedEndpoint(address: [1], secret: [2])

    /// One that was there before anything of the released records happened.
    private static func endpoint(_ name: String) -> WebhookEndpoint {
        WebhookEndpoint(
            endpointId: .v5(namespace: World.namespace, name: name), kinds: Set(NoticeKind.choices),
            addedAt: World.morning.adding(seconds: -1))
    }

    private static func command(
        _ stage: Stage<NotificationsService>, _ command: WebhooksCommand, of owner: UUID
    ) async throws {
        try await stage.command(Webhooks.self, command, on: Webhooks.stream(owner), of: owner)
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(NotificationEvent.self, type, data)
    }
}
