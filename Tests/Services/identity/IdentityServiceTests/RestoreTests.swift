import Access
import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import SigningKeys
import Testing
import identity

/// What the service's own messages say that a restored store does not know any more.
@Suite(.timeLimit(.minutes(10))) @Loop struct `After a restore` {
    @Test func `whoever was erased is erased again, with all rows, once`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let message = try fixture.topic.message(UserErasedV2(userId: anna.id))
            let store = fixture.context.store
            #expect(try await IdentityService.decideAgain(message, store))
            #expect(try await fixture.count("select count(*) from profiles") == 0)
            #expect(try await fixture.signIn("anna@example.org").status == 401)
            let events = try await store.read(User.stream(anna.id))
            #expect(events.suffix(2).map(\.type.name) == ["UserErased", "ErasureConfirmed"])
            let erased = try #require(events.last).metadata
            #expect(erased.actor == "restore" && erased.owner == anna.id && erased.origin == nil)

            #expect(try await !IdentityService.decideAgain(message, store))
            let later = try fixture.topic.message(UserErased(userId: anna.id))
            #expect(try await !IdentityService.decideAgain(later, store))
            #expect(try await store.read(User.stream(anna.id)).count == events.count)
        }
    }

    @Test func `a retired key is retired again`() async throws {
        try await withIdentity { fixture in
            let store = fixture.context.store
            let rows = try await store.pool.query("select kid from signing_private_keys").rows
            let kid = try #require(rows.first).uuid(0)
            let message = try fixture.topic.message(
                SigningKeyRetiredV2(SigningKeyRetired(kid: kid.description, retiredAt: .now())))
            #expect(try await IdentityService.decideAgain(message, store))
            #expect(try await fixture.count("select count(*) from signing_private_keys") == 0)
            #expect(try await store.read(SigningKey.stream(kid)).map(\.type.name).last == "SigningKeyRetired")
            #expect(try await !IdentityService.decideAgain(message, store))
        }
    }

    @Test func `an ended login session is ended again, also one that the backup does not know`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let store = fixture.context.store
            let session = try await store.pool.query("select session from logins").rows[0].uuid(0)
            for (login, isKnown) in [(session, true), (UUID.v4(), false)] {
                let message = try fixture.topic.message(
                    LoginSessionEnded(
                        userId: anna.id, loginSessionId: login, reason: .signedOut, tokensUntil: .now() + .seconds(900))
                )
                #expect(try await IdentityService.decideAgain(message, store))
                #expect(try await fixture.refresh(anna.refresh).status == 401)
                let events = try await store.read(LoginSession.stream(login))
                #expect(events.map(\.type.name) == ["LoginSessionEnded"] && events[0].metadata.owner == anna.id)
                #expect(try await !IdentityService.decideAgain(message, store), "known: \(isKnown)")
            }
            #expect(try await fixture.count("select count(*) from logins") == 0)
        }
    }

    @Test func `the secret of a lost device is revoked again, once`() async throws {
        try await withIdentity { fixture in
            let id: JSONValue = "a-device-that-is-lost"
            let answer = try await fixture.post("/v1/auth/device", ["deviceId": id])
            let device = try Person(answer.json)
            let shown: JSONValue = ["deviceId": id, "deviceSecret": try answer.json.required("deviceSecret")]
            #expect(try await fixture.post("/v1/auth/device", shown).status == 200)
            let store = fixture.context.store
            let message = try fixture.topic.message(DeviceSecretRevoked(userId: device.id))
            #expect(try await IdentityService.decideAgain(message, store))
            #expect(try await fixture.post("/v1/auth/device", shown).code == "device-secret-invalid")
            let last = try #require(try await store.read(User.stream(device.id)).last)
            #expect(last.type.name == "DeviceSecretRevoked" && last.metadata.actor == "restore")
            #expect(try await !IdentityService.decideAgain(message, store))
        }
    }

    @Test func `another address waits no more, because its owner may have stopped it since, and hears of that`()
        async throws
    {
        try await withIdentity { fixture in
            let anna = try await fixture.signUpConfirmed("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            _ = try await fixture.post("/v1/me/email", ["email": "thief@example.com"], token: anna.access)
            let code = mailedCode(try await fixture.mail(of: anna.id, "Confirm your new address"))
            let waits = try await fixture.post("/v1/me/email", ["token": .optional(code)], token: anna.access)
            #expect(waits.json["change"]?["email"] == "thief@example.com")
            // One that only was asked for is nobody's yet.
            _ = try await fixture.post("/v1/me/email", ["email": "bert@example.net"], token: bert.access)

            let store = fixture.context.store
            #expect(try await IdentityService.giveUpAfterRestore(store) == 1)
            let path = "/v1/me/email/change"
            #expect(try await fixture.send("GET", path, token: anna.access).json["change"] == .null)
            let last = try #require(try await store.read(User.stream(anna.id)).last)
            #expect(last.type.name == "EmailChangeWithdrawn" && last.metadata.actor == "restore")
            let mail = try await fixture.mail(of: anna.id, "Your account keeps its address")
            #expect(mail.contains("\r\nTo: anna@example.org\r\n"))
            #expect(try await IdentityService.giveUpAfterRestore(store) == 0)
        }
    }

    @Test func `what came into being after the backup is left alone, and so is every other message`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let store = fixture.context.store
            let before = try await fixture.count("select count(*) from events")
            let unknown = UUID.v7()
            let messages = [
                try fixture.topic.message(UserErased(userId: unknown)),
                try fixture.topic.message(DeviceSecretRevoked(userId: unknown)),
                // It is an account here, whose device's secret opens nothing anyway.
                try fixture.topic.message(DeviceSecretRevoked(userId: anna.id)),
                try fixture.topic.message(SigningKeyRetired(kid: unknown.description, retiredAt: .now())),
                try fixture.topic.message(SigningKeyRetired(kid: "no-uuid", retiredAt: .now())),
                try fixture.topic.message(UserRegistered(userId: anna.id, kind: .user)),
            ]
            for message in messages {
                #expect(try await !IdentityService.decideAgain(message, store))
            }
            #expect(try await fixture.count("select count(*) from events") == before)
        }
    }
}
