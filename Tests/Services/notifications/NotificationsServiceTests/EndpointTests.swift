import Contracts
import Crypto
import EventStore
import HTTPServer
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import notifications

private let good: JSONValue = ["url": "https://hooks.example.org/in", "kinds": ["report.ready"]]

@Suite(.timeLimit(.minutes(3))) @Loop struct `An endpoint that an account adds` {
    private let owner = UUID.v7()

    private func run(_ body: @Loop (Group) async throws -> Void) async throws {
        try await withService(NotificationsService.self, variables, body)
    }

    private func add(
        _ group: Group, _ body: JSONValue = good, key: String? = nil, as user: UUID? = nil
    ) async throws -> Answer {
        try await group.send(
            "POST", "/v1/webhooks/endpoints", as: user ?? owner,
            headers: key.map { [("Idempotency-Key", $0)] } ?? [], json: body)
    }

    @Test func `shows its secret once, and its address to nobody else`() async throws {
        try await run { group in
            let answer = try await add(group)
            #expect(answer.status == 201 && answer.header("cache-control") == "no-store")
            let secret = try answer.json.string("secret")
            #expect(WebhookSecret(secret) != nil)
            #expect(answer.json["kinds"] == ["report.ready"] && answer.json["standing"] == "told")
            let listed = try #require(try await group.endpoints(of: owner).first)
            #expect(listed["url"] == "https://hooks.example.org/in" && listed["secret"] == nil)
            #expect(try await group.endpoints(of: .v7()).isEmpty)
        }
    }

    @Test func `has neither address nor secret in the log, and both sealed in its row`() async throws {
        try await run { group in
            let secret = try await add(group).json.string("secret")
            for table in ["events", "webhook_endpoints"] {
                let rows = try await group.administrator.query(
                    "select coalesce(string_agg(encode(convert_to(t::text, 'UTF8'), 'escape'), ' '), '') from \(table) t"
                )
                let text = rows.rows[0].text(0)
                #expect(!text.isEmpty && !text.contains("hooks.example.org") && !text.contains(secret.dropFirst(6)))
            }
            let plain = try await group.administrator.query(
                "select position('hooks'::bytea in address) + position('whsec'::bytea in secret) from webhook_endpoints"
            )
            #expect(plain.rows[0].int(0) == 0)
        }
    }

    @Test func `is one however often its request is repeated, and its secret is shown the first time alone`()
        async throws
    {
        try await run { group in
            let first = try await add(group, key: "one")
            let second = try await add(group, key: "one")
            #expect(second.status == 201 && second.json["endpointId"] == first.json["endpointId"])
            #expect(second.json["secret"] == .null)
            let other = try await add(
                group, ["url": "https://other.example.org/", "kinds": ["report.ready"]], key: "one")
            #expect(other.status == 422 && other.json["code"] == "idempotency-key-reused")
            #expect(try await group.endpoints(of: owner).count == 1)
            let id = try first.json.uuid("endpointId")
            #expect(try await group.send("DELETE", "/v1/webhooks/endpoints/\(id)", as: owner).status == 204)
            #expect(try await add(group, key: "one").status == 404, "it was removed since")
        }
    }

    @Test(
        arguments: [
            ["url": "http://hooks.example.org/in", "kinds": ["report.ready"]],
            ["url": "https://10.0.0.1/in", "kinds": ["report.ready"]],
            ["url": "https://hooks.example.org/in", "kinds": []],
            ["url": "https://hooks.example.org/in", "kinds": ["report.lost"]],
            ["url": "https://hooks.example.org/in", "kinds": ["endpoint.test"]],
        ] as [JSONValue])
    func `is refused where nothing can be sent`(body: JSONValue) async throws {
        try await run { group in
            let answer = try await add(group, body)
            #expect(answer.status == 422 && answer.json["code"] == "webhook-impossible")
            #expect(try await group.endpoints(of: owner).isEmpty)
        }
    }

    @Test func `is refused to a device, with a member that nobody knows, and as the eleventh`() async throws {
        try await run { group in
            let token = try group.token(for: owner, kind: .device)
            let device = try await group.send(
                "POST", "/v1/webhooks/endpoints", headers: [("Authorization", "Bearer \(token)")], json: good)
            #expect(device.status == 403 && device.json["code"] == "account-needed")
            let unknown = try await add(group, ["url": "https://hooks.example.org/", "kinds": [], "secret": "mine"])
            #expect(unknown.json["code"] == "member-unknown")
            for _ in 0..<10 { #expect(try await add(group).status == 201) }
            let eleventh = try await add(group)
            #expect(eleventh.status == 409 && eleventh.json["code"] == "webhooks-used-up")
            #expect(try await add(group, as: .v7()).status == 201)
        }
    }

    @Test func `of this machine is refused where nobody develops`() async throws {
        let strict = ["WEBHOOK_KEY": variables["WEBHOOK_KEY"] ?? ""]
        try await withService(NotificationsService.self, strict) { group in
            let answer = try await add(group, ["url": "http://127.0.0.1:9/in", "kinds": ["report.ready"]])
            #expect(answer.json["code"] == "webhook-impossible")
        }
    }

    @Test func `is its owner's alone`() async throws {
        try await run { group in
            let id = try await add(group).json.uuid("endpointId")
            let path = "/v1/webhooks/endpoints/\(id)"
            for (method, path) in [
                ("DELETE", path), ("POST", path + "/rotate"), ("POST", path + "/test"), ("GET", path + "/deliveries"),
            ] {
                #expect(try await group.send(method, path, as: .v7()).status == 404, "\(method) \(path)")
            }
            #expect(try await group.endpoints(of: owner).count == 1)
            #expect(
                try await group.send("GET", path + "/deliveries?limit=0", as: owner).json["code"] == "invalid-request")
        }
    }

    @Test func `is opened with another key of those that are given, and sealed anew with the first`() async throws {
        try await run { group in
            _ = try await add(group)
            let new = String(repeating: "8796a5b4c3d2e1f0", count: 4)
            let both = try await group.start(
                ["WEBHOOK_KEY": "\(new),\(variables["WEBHOOK_KEY"] ?? "")"], background: false)
            let before = try await group.send("GET", "/v1/webhooks/endpoints", as: owner, to: both)
            #expect(try before.json.array("items").first?["url"] == "https://hooks.example.org/in")
            let settings = NotificationsSettings(both.assembly.context.environment)
            let sealing = WebhookSealing(keys: settings.sealing)
            #expect(try await sealing.reseal(both.store.pool) == (1, 0))
            #expect(try await sealing.reseal(both.store.pool) == (0, 0))
            let alone = try await group.start(["WEBHOOK_KEY": new], background: false)
            let after = try await group.send("GET", "/v1/webhooks/endpoints", as: owner, to: alone)
            #expect(try after.json.array("items").first?["url"] == "https://hooks.example.org/in")
            let lost = WebhookSealing(keys: NotificationsSettings(group.context.environment).sealing)
            #expect(try await lost.reseal(group.store.pool) == (0, 1))
        }
    }
}
