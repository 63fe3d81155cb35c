import JSON
import Primitives
import Runtime
import ServiceTesting
import Testing
import TestingTools

/// An id that must be a UUID.
private struct SDKIdentifier: Decodable, Equatable {
    let id: UUID

    init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let id = UUID(text) else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        self.id = id
    }
}

/// The Swift SDK's own models, member for member and type for type; its decoder turns the names into camel case.
private struct SDKUser: Decodable {
    struct Identity: Decodable {
        let id: String
        let identityId: SDKIdentifier
        let userId: SDKIdentifier
        let identityData: [String: SDKValue]?
        let provider: String
        let createdAt: SDKMoment?
        let lastSignInAt: SDKMoment?
        let updatedAt: SDKMoment?
    }

    let id: SDKIdentifier
    let appMetadata: [String: SDKValue]
    let userMetadata: [String: SDKValue]
    let aud: String
    let confirmationSentAt: SDKMoment?
    let recoverySentAt: SDKMoment?
    let emailChangeSentAt: SDKMoment?
    let newEmail: String?
    let invitedAt: SDKMoment?
    let email: String?
    let phone: String?
    let createdAt: SDKMoment
    let confirmedAt: SDKMoment?
    let emailConfirmedAt: SDKMoment?
    let phoneConfirmedAt: SDKMoment?
    let lastSignInAt: SDKMoment?
    let role: String?
    let updatedAt: SDKMoment
    let identities: [Identity]?
    let isAnonymous: Bool
}

private struct SDKSession: Decodable {
    struct Weakness: Decodable {
        let reasons: [String]
    }

    let accessToken: String
    let tokenType: String
    let expiresIn: Double
    let expiresAt: Double
    let refreshToken: String
    let weakPassword: Weakness?
    let user: SDKUser
}

private struct SDKError: Decodable {
    let msg: String?
    let code: String?
    let errorCode: String?
    let weakPassword: SDKSession.Weakness?
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The models of the Swift SDK` {
    private func decode<T: Decodable>(_: T.Type, _ answer: Answer) throws -> T {
        try AppDecoding.decode(T.self, answer.body, fromSnakeCase: true)
    }

    @Test func `decode every answer with a session or a user`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            let signedUp = try await client.send(
                "POST", "/signup",
                ["email": "anna@example.org", "password": "correct horse", "data": ["display_name": "Anna"]])
            let begun = try decode(SDKSession.self, signedUp)
            #expect(begun.expiresAt > begun.expiresIn && begun.user.identities?.count == 1 && !begun.user.isAnonymous)
            try client.take(signedUp)
            #expect(try begun.user.id.id == client.id)
            let signedIn = try decode(SDKSession.self, try await client.signIn("anna@example.org"))
            #expect(signedIn.user.id == begun.user.id && signedIn.user.lastSignInAt != nil)
            let refreshed = try await client.refresh(client.refreshToken)
            #expect(try decode(SDKSession.self, refreshed).user.id == begun.user.id)
            try client.take(refreshed)
            // Bare: that SDK takes no other form.
            #expect(try decode(SDKUser.self, try await client.send("GET", "/user")).email == "anna@example.org")
            let changed = try await client.send("PUT", "/user", ["email": "new@example.org"])
            #expect(try decode(SDKUser.self, changed).newEmail == "new@example.org")
            let anonymous = try await CompatibleClient(fixture)
            let entered = try decode(SDKSession.self, try await anonymous.send("POST", "/signup", ["data": [:]]))
            #expect(entered.user.isAnonymous && entered.user.identities?.isEmpty == true)
        }
    }

    @Test func `decode every refusal`() async throws {
        try await withIdentity { fixture in
            let client = try await CompatibleClient(fixture)
            let weak = try await client.send("POST", "/signup", ["email": "anna@example.org", "password": "short"])
            let weakness = try decode(SDKError.self, weak)
            #expect(weakness.code == "weak_password" && weakness.weakPassword?.reasons == ["length"])
            for (method, path, body) in [
                ("POST", "/token?grant_type=password", ["email": "anna@example.org", "password": "wrong horse"]),
                ("POST", "/token?grant_type=refresh_token", ["refresh_token": "nonsense"]),
                ("POST", "/token?grant_type=password", [:]), ("GET", "/user", nil), ("GET", "/nowhere", nil),
                ("PUT", "/signup", [:]), ("POST", "/verify", ["type": "recovery", "token": "nonsense"]),
                ("GET", "/admin/users", nil),
            ] as [(String, String, JSONValue?)] {
                let refusal = try decode(SDKError.self, try await client.send(method, path, body))
                #expect(refusal.msg?.isEmpty == false, "\(method) \(path)")
                #expect(refusal.code != nil && refusal.code == refusal.errorCode, "\(method) \(path)")
            }
        }
    }
}
