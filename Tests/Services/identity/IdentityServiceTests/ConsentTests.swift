import Configuration
import Contracts
import EventSourcing
import EventStore
import Glibc
import JSON
import ObjectStorage
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import identity

/// A file of what can be consented to, in a folder of its own.
struct TextFile {
    private let folder = TemporaryFolder()

    var path: String { "\(folder.path)/consents.json" }

    init(version: Int64 = 1) throws {
        let text: JSONValue = [
            "version": .int(version),
            "consents": [
                [
                    "provider": "openai", "purpose": "transcription", "dataClasses": ["audio"], "version": "2026-11",
                    "texts": ["en": "Sound goes to OpenAI.", "de": "Ton geht an OpenAI."],
                ]
            ],
        ]
        let file = try #require(fopen(path, "w"))
        fputs(text.text, file)
        fclose(file)
    }
}

/// Runs a test with an identity service that offers one text to consent to.
@Loop private func withTexts(
    _ variables: [String: String] = [:], instances: Int = 1, _ body: @Loop (Fixture) async throws -> Void
) async throws {
    let file = try TextFile()
    defer { withExtendedLifetime(file) {} }
    try await withIdentity(
        ["CONSENTS_FILE": file.path].merging(variables) { $1 }, instances: instances, body)
}

private let agreed: JSONValue = [
    "provider": "openai", "purpose": "transcription", "version": "2026-11", "locale": "de",
]

@Suite(.timeLimit(.minutes(10))) @Loop struct `What a user lets providers have` {
    private func put(_ fixture: Fixture, _ given: JSONValue, _ person: Person) async throws -> Answer {
        try await fixture.send("PUT", "/v1/consents", token: person.access, ["given": given])
    }

    private func read(_ fixture: Fixture, _ person: Person) async throws -> JSONObject {
        try await fixture.send("GET", "/v1/consents", token: person.access).json
    }

    @Test func `is nothing at first, what was agreed to in a text in force, and nothing again`() async throws {
        try await withTexts { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let first = try await fixture.send("GET", "/v1/consents", token: anna.access)
            #expect(first.json["given"] == [] && first.header("cache-control") == "no-store")
            let offered: JSONValue = [
                [
                    "provider": "openai", "purpose": "transcription", "dataClasses": ["audio"], "version": "2026-11",
                    "texts": ["en": "Sound goes to OpenAI.", "de": "Ton geht an OpenAI."],
                ]
            ]
            #expect(first.json["offered"] == offered)

            let answer = try await put(fixture, [agreed], anna)
            #expect(answer.status == 200)
            let given = try #require(try answer.json.array("given").first?.objectValue)
            #expect(given["locale"] == "de" && given["dataClasses"] == ["audio"] && given["current"] == true)
            #expect(given["givenAt"]?.stringValue != nil)
            #expect(try await put(fixture, [agreed], anna).json == answer.json, "The first word is the proof.")
            #expect(try await read(fixture, anna) == answer.json)
            let hash = try await fixture.store.pool.query(
                "select data ->> 'textSHA256', metadata ->> 'owner' from events where type = 'ConsentGiven'"
            ).rows
            #expect(hash.count == 1 && hash[0].text(0).utf8.count == 64)

            let none = try await put(fixture, [], anna)
            #expect(none.status == 200 && none.json["given"] == [])
            #expect(try await put(fixture, [], anna).status == 200)
            #expect(
                try await fixture.store.read(User.stream(anna.id)).suffix(2).map(\.type.name) == [
                    "ConsentGiven", "ConsentWithdrawn",
                ])
        }
    }

    @Test func `is an anonymous device's own too, and nobody else's`() async throws {
        try await withTexts { fixture in
            let device = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try await put(fixture, [agreed], device).status == 200)
            #expect(try await read(fixture, anna)["given"] == [])
            #expect(try await fixture.send("GET", "/v1/consents").status == 401)
        }
    }

    @Test func `is refused for a text that is not in force, and then nothing changes`() async throws {
        try await withTexts { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try await put(fixture, [agreed], anna).status == 200)
            func with(_ key: String, _ value: JSONValue) -> JSONValue {
                var object = agreed.objectValue ?? [:]
                object[key] = value
                return .object(object)
            }
            for (key, value) in [
                ("provider", "other"), ("purpose", "dancing"), ("version", "2025-01"), ("locale", "fr"),
            ] {
                let answer = try await put(fixture, [with(key, .string(value))], anna)
                #expect(answer.status == 409 && code(answer) == "consent-not-offered", "\(key)")
            }
            #expect(code(try await put(fixture, [with("givenAt", "2020-01-01T00:00:00Z")], anna)) == "member-unknown")
            #expect(try await put(fixture, [agreed, agreed], anna).status == 400)
            #expect(try await put(fixture, ["openai"], anna).status == 400)
            #expect(try await put(fixture, ["openai": true], anna).status == 400)
            let more = try await fixture.send(
                "PUT", "/v1/consents", token: anna.access, ["given": [], "offered": []])
            #expect(code(more) == "member-unknown")
            #expect(try await fixture.count("select count(*) from events where type like 'Consent%'") == 1)
        }
    }

    @Test func `stays as it was given when the text is another one or is offered no longer`() async throws {
        try await withTexts { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            // As before an operator put another text in its place.
            let before = ConsentTerms(
                scope: ConsentScope(provider: "openai", purpose: .transcription), dataClasses: [.audio],
                version: "2025-01", locale: "de", textSHA256: String(repeating: "ab", count: 32))
            let id = UUID.v7()
            _ = try await CommandHandler<User>(fixture.store).handle(
                .setConsents([before], at: .now()), on: User.stream(anna.id), id: id, requestHash: id.bytes,
                metadata: EventMetadata(owner: anna.id, correlation: id, actor: "test"))
            let old = try #require(try (await read(fixture, anna)).array("given").first?.objectValue)
            #expect(old["version"] == "2025-01" && old["current"] == false)
            let kept: JSONValue = [
                "provider": "openai", "purpose": "transcription", "version": "2025-01", "locale": "de",
            ]
            #expect(try await put(fixture, [kept], anna).json["given"] == [.object(old)])
            let renewed = try await put(fixture, [agreed], anna)
            #expect(try renewed.json.array("given").first?["version"] == "2026-11")
            #expect(code(try await put(fixture, [kept], anna)) == "consent-not-offered", "What was replaced is over.")
        }
    }

    @Test func `comes too late when the user is erased meanwhile, and goes with the user`() async throws {
        try await withTexts(instances: 2) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let (erased, answer) = try await fixture.inOrder {
                try await fixture.send("DELETE", "/v1/me", token: anna.access)
            } _: {
                try await fixture.send(
                    "PUT", "/v1/consents", headers: [("Authorization", "Bearer \(anna.access)")],
                    json: ["given": [agreed]], to: fixture.instances[1])
            }
            #expect(erased.status == 202)
            #expect(answer.status == 401 && code(answer) == "user-gone")
            let again = try await fixture.signUp("anna@example.org")
            #expect(try await read(fixture, again)["given"] == [])
        }
    }

    @Test func `can be given so often, and withdrawn always`() async throws {
        try await withTexts(["LIMIT_ACCOUNT_CHANGES": "2/1h"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            for _ in 1...2 {
                #expect(try await put(fixture, [agreed], anna).status == 200)
                #expect(try await put(fixture, [agreed], anna).status == 200, "A repeat counts for nothing.")
                #expect(try await put(fixture, [], anna).status == 200)
            }
            #expect(try await put(fixture, [agreed], anna).status == 429)
            #expect(try await put(fixture, [], anna).status == 200)
        }
    }

    @Test func `stays as it was when the login session ends meanwhile`() async throws {
        try await withTexts(instances: 2) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let (signOut, answer) = try await fixture.inOrder {
                try await fixture.send("POST", "/v1/auth/sign-out", token: anna.access, [:])
            } _: {
                try await fixture.send(
                    "PUT", "/v1/consents", headers: [("Authorization", "Bearer \(anna.access)")],
                    json: ["given": [agreed]], to: fixture.instances[1])
            }
            #expect(signOut.status == 204)
            #expect(answer.status == 401 && code(answer) == "login-session-ended")
            #expect(try await fixture.count("select count(*) from events where type like 'Consent%'") == 0)
        }
    }

    @Test func `is in an export`() async throws {
        try await withTexts { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            #expect(try await put(fixture, [agreed], anna).status == 200)
            let asked = ExportRequested(exportId: .v7(), ownerId: anna.id, deadline: .now() + .seconds(600))
            try await fixture.deliver(asked)
            #expect(try await fixture.exportPart(of: asked.exportId) != nil)
            let objects = try #require(fixture.first.objects)
            var all = ""
            for key in try await objects.keys(under: "export-identity/") {
                all += String(decoding: try await objects.read(key, limit: 1 << 22), as: UTF8.self)
            }
            #expect(all.contains("2026-11") && all.contains("transcription") && all.contains("textSHA256"))
        }
    }

    @Test func `is withdrawn again after a restore, and what was given anew has to be given again`() async throws {
        try await withTexts { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let scope = ConsentScope(provider: "openai", purpose: .transcription)
            let store = fixture.context.store
            #expect(try await put(fixture, [agreed], anna).status == 200)
            let withdrawn = try fixture.topic.message(
                ConsentWithdrawn(userId: anna.id, from: scope, withdrawnAt: .now()))
            #expect(try await IdentityService.decideAgain(withdrawn, store))
            #expect(try await read(fixture, anna)["given"] == [])
            let last = try #require(try await store.read(User.stream(anna.id)).last)
            #expect(last.type.name == "ConsentWithdrawn" && last.metadata.actor == "restore")
            #expect(try await !IdentityService.decideAgain(withdrawn, store))

            #expect(try await put(fixture, [agreed], anna).status == 200)
            let given = try fixture.topic.message(
                ConsentGiven(
                    userId: anna.id, to: scope, dataClasses: [.audio], version: "2027-01", locale: "en",
                    textSHA256: String(repeating: "ab", count: 32), givenAt: .now() + .seconds(1)))
            #expect(try await IdentityService.decideAgain(given, store))
            #expect(try await read(fixture, anna)["given"] == [])
            let unknown = ConsentWithdrawn(userId: .v7(), from: scope, withdrawnAt: .now())
            #expect(try await !IdentityService.decideAgain(try fixture.topic.message(unknown), store))
        }
    }

    @Test func `cannot be asked by a file that cannot be read`() throws {
        let file = try TextFile(version: 2)
        defer { withExtendedLifetime(file) {} }
        let environment = Environment(["CONSENTS_FILE": file.path])
        IdentityService.check(environment)
        let error = #expect(throws: ConfigurationError.self) { try environment.finish() }
        #expect(
            error?.problems.contains(
                "CONSENTS_FILE: version must be 1, the only form that this build knows.") == true)
    }
}
