import Contracts
import EventStore
import JSON
import ObjectStorage
import Observability
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import identity

@Suite(.timeLimit(.minutes(10))) @Loop struct `The part of identity in an export` {
    /// All that lies in the service's folder for exports, as text.
    private func texts(_ fixture: Fixture) async throws -> [String] {
        let objects = try #require(fixture.first.objects)
        var texts: [String] = []
        for key in try await objects.keys(under: "export-identity/") {
            // It may be removed while this looks.
            guard let bytes = try? await objects.read(key, limit: 1 << 22) else { continue }
            texts.append(String(decoding: bytes, as: UTF8.self))
        }
        return texts
    }

    /// What the sweeper does in the background elsewhere.
    private func sweep(_ fixture: Fixture) async throws {
        let objects = try #require(fixture.first.objects)
        try await ObjectSweeper(fixture.store, objects, log: Logger(label: "test")).sweep()
    }

    private func request(
        _ user: UUID, of export: UUID = .v7(), deadline: Duration = .seconds(600)
    ) -> ExportRequested {
        ExportRequested(exportId: export, ownerId: user, deadline: .now() + deadline)
    }

    @Test func `has the account and no secret, is announced, and goes when the export is over`() async throws {
        try await withIdentity(background: false) { fixture in
            let anna = try await fixture.signUp("anna@example.org", password: "a long password of hers")
            let bert = try await fixture.signUp("bert@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            #expect(try await texts(fixture).isEmpty, "nobody's message waits for it")
            let written = try #require(try await fixture.exportPart(of: asked.exportId))
            let all = try await texts(fixture).joined(separator: "\n")
            #expect(all.contains("anna@example.org") && all.contains("login-sessions"))
            #expect(!all.contains("bert@example.org") && !all.contains("\(bert.id)"))
            for secret in ["argon2", anna.refresh, anna.access] { #expect(!all.contains(secret)) }
            let out = written.outgoing(from: .identity)
            #expect(out.type == ExportPartWritten.type(of: .identity) && out.key == .owner(anna.id))
            #expect(!JSONValue.object(out.data).text.contains("anna"), "nothing personal is published")
            #expect(written.index != nil)
            #expect(try await fixture.count("select count(*) from export_parts") == 0)

            try await fixture.deliver(ExportClosed(exportId: asked.exportId, ownerId: anna.id))
            try await sweep(fixture)
            #expect(try await texts(fixture).isEmpty)
        }
    }

    @Test func `tells of a change of address that waits, and of the devices that the owner may end`() async throws {
        try await withIdentity { fixture in
            let shown: JSONObject = ["deviceId": "a-device-of-hers-or-lost"]
            let made = try await fixture.post("/v1/auth/device", .object(shown))
            let secret = try made.json.required("deviceSecret")
            let device = try Person(made.json)
            let stranger = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-nobody"]).json)
            let anna = try await fixture.signUpConfirmed("anna@example.org")
            let body: JSONObject = ["email": "anna@example.org", "password": "correct horse", "deviceSecret": secret]
            let entered = try await fixture.post("/v1/auth/sign-in", .object(body.adding(membersOf: shown)))
            #expect(entered.status == 200)
            let asked: JSONValue = ["email": "anna@new.example"]
            #expect(try await fixture.post("/v1/me/email", asked, token: anna.access).status == 202)
            let proof = mailedCode(try await fixture.mail(of: anna.id, "Confirm your new address"))
            let proven = try await fixture.post("/v1/me/email", ["token": .optional(proof)], token: anna.access)
            let due = try proven.json.object("change").string("takesEffectAt")

            let request = request(anna.id)
            try await fixture.deliver(request)
            #expect(try await fixture.exportPart(of: request.exportId) != nil)
            let all = try await texts(fixture).joined(separator: "\n")
            #expect(all.contains("anna@new.example") && all.contains("confirmedAt"))
            // The database writes times in another way.
            #expect(all.contains(due.prefix(19)))
            #expect(all.contains("\(device.id)") && all.contains("handedOverAt"))
            #expect(!all.contains("\(stranger.id)"))
            #expect(!all.contains(try #require(secret.stringValue)))
        }
    }

    @Test func `goes when reporting was restored and does not know the export any more`() async throws {
        try await withIdentity(background: false) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            #expect(try await fixture.exportPart(of: asked.exportId) != nil)
            #expect(try await !texts(fixture).isEmpty)
            for event in try await fixture.store.read(ExportPartEvent.stream(asked.exportId)) {
                try await fixture.first.handler.takeBack(event, through: fixture.store)
            }
            try await sweep(fixture)
            #expect(try await texts(fixture).isEmpty)
            // Asked for anew, under the same id, it is written anew.
            try await fixture.deliver(request(anna.id, of: asked.exportId))
            #expect(try await fixture.exportPart(of: asked.exportId) != nil)
            #expect(try await !texts(fixture).isEmpty)
        }
    }

    @Test func `is told to the owner by mail, once, and to nobody at an address that nobody confirmed`() async throws {
        try await withIdentity { fixture in
            let subject = "Somebody asked for everything in your account"
            let anna = try await fixture.signUpConfirmed("anna@example.org")
            let asked = request(anna.id)
            let message = try await fixture.deliver(asked)
            let mail = try await fixture.mail(of: anna.id, subject)
            #expect(mail.contains("\r\nTo: anna@example.org\r\n"))
            try await fixture.deliver(message)
            // Reporting was restored, and asks for the same one again.
            try await fixture.deliver(asked)
            let bert = try await fixture.signUp("bert@example.org")
            try await fixture.deliver(request(bert.id))
            let device = try Person(
                try await fixture.post("/v1/auth/device", ["deviceId": "a-device-of-somebody"]).json)
            try await fixture.deliver(request(device.id))
            try await fixture.quiet()
            let mails = try await fixture.mails(of: anna.id, atLeast: 2)
            #expect(mails.count { $0.contains("Subject: \(subject)\r\n") } == 1)
            for user in [bert.id, device.id] {
                let others = try await fixture.mails(of: user, atLeast: 0)
                #expect(!others.contains { $0.contains(subject) })
            }
        }
    }

    @Test func `is written by one delivery, and not after the deadline`() async throws {
        try await withIdentity(background: false) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let message = try await fixture.deliver(request(anna.id))
            #expect(try await !fixture.deliver(message), "a repeat adds nothing")
            let late = request(anna.id, deadline: .seconds(-1))
            try await fixture.deliver(late)
            #expect(try await fixture.store.read(ExportPartEvent.stream(late.exportId)).isEmpty)
            #expect(try await fixture.exportPart(of: late.exportId) == nil)
            #expect(try await fixture.store.read(ExportPartEvent.stream(late.exportId)).isEmpty, "nor is it recorded")
            // Over before its turn came.
            let soon = request(anna.id, deadline: .milliseconds(100))
            try await fixture.deliver(soon)
            _ = try await fixture.administrator.query(
                "update export_parts set deadline = now() - interval '1 s' where export_id = $1", [.uuid(soon.exportId)]
            )
            #expect(try await fixture.exportPart(of: soon.exportId) == nil)
            #expect(try await fixture.count("select count(*) from export_parts") == 0)
        }
    }

    @Test func `is not written any more once the export is over`() async throws {
        try await withIdentity(background: false) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            try await fixture.deliver(ExportClosed(exportId: asked.exportId, ownerId: anna.id))
            #expect(try await fixture.exportPart(of: asked.exportId) == nil)
            #expect(try await texts(fixture).isEmpty)
        }
    }

    @Test func `goes with its owner, and none is written for somebody who is gone`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            #expect(try await fixture.exportPart(of: asked.exportId) != nil)
            #expect(try await !texts(fixture).isEmpty)
            let pending = request(anna.id)
            try await fixture.deliver(pending)
            #expect([200, 202].contains(try await fixture.send("DELETE", "/v1/me", token: anna.access).status))
            #expect(try await fixture.eventually { try await texts(fixture).isEmpty })
            let late = request(anna.id)
            try await fixture.deliver(late)
            #expect(try await fixture.exportPart(of: late.exportId) == nil)
            #expect(try await fixture.exportPart(of: pending.exportId) == nil)
            #expect(try await fixture.eventually { try await texts(fixture).isEmpty })
            #expect(try await fixture.count("select count(*) from export_parts") == 0)
        }
    }

    @Test func `is kept once when two write it, and what the other one wrote goes at once`() async throws {
        try await withIdentity(instances: 2, background: false) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let asked = request(anna.id)
            try await fixture.deliver(asked)
            // One process begins it once.
            let first = try #require(fixture.instances[0].assembly.exports)
            let second = try #require(fixture.instances[1].assembly.exports)
            async let one: Void = first.work()
            async let other: Void = second.work()
            _ = try await (one, other)
            try await sweep(fixture)
            let index = try #require(try await fixture.exportPart(of: asked.exportId)?.index)
            let objects = try #require(fixture.first.objects)
            let kept = try ExportIndex.files(try await objects.read(index.key, limit: 1 << 20)).map(\.key) + [index.key]
            #expect(try await Set(objects.keys(under: "export-identity/")) == Set(kept))
            #expect(
                try await fixture.count("select count(*) from object_intents where unwanted") > 0,
                "both of them wrote")
        }
    }
}
