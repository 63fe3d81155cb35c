import Contracts
import EventSourcing
import JSON
import Primitives
import Runtime
import ServiceTesting
import SigningKeys
import Testing
import identity

enum IdentityStory: Story {
    static func variables(_: String) -> [String: String] {
        ["KEY_ENCRYPTION_KEY": String(repeating: "0f1e2d3c4b5a6978", count: 4)]
    }

    static func tell(_ stage: Stage<IdentityService>) async throws {
        let key = SigningKeyMaterial(
            kid: World.signingKey, x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
            y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0", notBefore: World.morning, expiresAt: World.minutes(43_200)
        )
        let keys = SigningKey.stream(World.signingKey)
        try await stage.command(SigningKey.self, .publish(key), on: keys, of: nil)
        try await stage.command(SigningKey.self, .retire(at: World.minutes(90)), on: keys, of: nil)

        let (ada, grace) = (World.ada, World.grace)
        let adas = User.stream(ada)
        let graces = User.stream(grace)
        try await stage.command(
            User.self, .signUp(ada, method: .password, timeZone: "Europe/Berlin"), on: adas, of: ada)
        try await stage.command(User.self, .registerDevice(grace, timeZone: "Asia/Tokyo"), on: graces, of: grace)
        try await stage.command(
            User.self, .signUp(grace, method: .google, timeZone: "Asia/Tokyo"), on: graces, of: grace)
        try await stage.command(User.self, .changeTimeZone("Europe/Vienna"), on: adas, of: ada)
        try await stage.command(User.self, .changePassword, on: adas, of: ada)
        try await stage.command(User.self, .erase(here: .init(rows: 3, objects: 0)), on: adas, of: ada)
        for service in [ServiceName.sessions, .quota, .analysis, .reporting] {
            try await stage.hear(service, "SubjectErased", about: ada, becomes: ["ErasureConfirmed"])
        }
        // New steps go to the end: a step's number is part of the ids that were released.
        try await stage.command(User.self, .attach(method: .password), on: graces, of: grace)
        try await stage.command(User.self, .verifyEmail, on: graces, of: grace)
        try await stage.command(User.self, .resetPassword, on: graces, of: grace)
    }

    static func rewrite(_ type: EventType, _ data: JSONObject) throws -> (EventType, JSONObject) {
        try rewritten(IdentityEvent.self, type, data)
    }

    // Identity keeps its own rows and no read model.
}
