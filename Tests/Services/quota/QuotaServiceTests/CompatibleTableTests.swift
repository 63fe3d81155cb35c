import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import RestTables
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import TestingTools

@testable import quota

/// The app's own model of a row of `user_quotas`.
private struct AppQuota: Decodable {
    let id: String
    let user_id: String?
    let device_id: String?
    let last_analysis_date: String?
    let daily_count: Int
    let created_at: String
    let updated_at: String
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `The tables of quota` {
    private typealias Group = ServiceUnderTest<QuotaService>

    private let from = Messages()

    private func run(
        _ body: @Loop (Group, _ anon: String, _ service: String) async throws -> Void
    ) async throws {
        try await withService(QuotaService.self) { group in
            let anon = try await group.apiKey(.anon)
            let service = try await group.apiKey(.service)
            try await body(group, anon, service)
        }
    }

    private func send(
        _ group: Group, _ method: String, _ path: String, key: String, as user: UUID? = nil,
        bearer: String? = nil, prefer: String? = nil, json: JSONValue? = nil
    ) async throws -> Answer {
        let token = try user.map { try group.compatibleToken(for: $0) } ?? bearer ?? key
        return try await group.send(
            method, "/rest/v1/\(path)",
            headers: [("apikey", key), ("Authorization", "Bearer \(token)")] + (prefer.map { [("Prefer", $0)] } ?? []),
            json: json)
    }

    private func rows(_ answer: Answer) throws -> [JSONValue] {
        #expect((200...201).contains(answer.status))
        return try JSONValue.parse(answer.body).arrayValue ?? []
    }

    private func setPlan(_ plan: PlanCode, of owner: UUID, _ group: Group) async throws {
        _ = try await CommandHandler<Allowance>(group.context.store).handle(
            .changePlan(ownerId: owner, plan), on: Allowance.stream(owner), id: .v7(), requestHash: [],
            metadata: EventMetadata(owner: owner, correlation: .v7(), actor: "test"))
    }

    @Test func `count what was charged today, from before the first use on`() async throws {
        try await run { group, key, _ in
            var topic = TestTopic()
            let upper = from.owner.description.uppercased()
            let path = "user_quotas?user_id=eq.\(upper)"
            let before = try #require(try rows(try await send(group, "GET", path, key: key, as: from.owner)).first)
            #expect(before["daily_count"] == 0 && before["last_analysis_date"] == .null)
            #expect(before["user_id"] == .uuid(from.owner))
            for name in ["id", "created_at", "updated_at"] { #expect(before[name]?.stringValue != nil) }
            #expect(before.objectValue?.keys == QuotaTables.quotas.columns.map(\.name))
            let (lost, analysed) = (UUID.v4(), UUID.v4())
            // Its video may never come, and the app, which counts above 0 as used up, would shut its user out until it expires.
            try await group.deliver(topic.message(from.created(lost)))
            let held = try #require(try rows(try await send(group, "GET", path, key: key, as: from.owner)).first)
            #expect(held["daily_count"] == 0)
            try await group.deliver(topic.message(from.failed(lost)))
            try await group.deliver(topic.message(from.created(analysed)))
            try await group.deliver(topic.message(from.completed(analysed)))
            let after = try #require(try rows(try await send(group, "GET", path, key: key, as: from.owner)).first)
            #expect(after["daily_count"] == 1 && after["id"] == before["id"])
            let offset = try await group.context.zones.utcOffsetSeconds(of: from.zone, at: .now())
            let today = LocalDay(of: .now(), utcOffsetSeconds: offset)
            #expect(after["last_analysis_date"] == .string(today.description))
            let decoded = try AppDecoding.decode([AppQuota].self, JSONValue.array([before, after]).bytes)
            #expect(decoded.map(\.daily_count) == [0, 1] && decoded.allSatisfy { $0.created_at.contains(".") })
            let found = try await send(
                group, "GET", "user_quotas?last_analysis_date=eq.\(today)&daily_count=gte.1&select=daily_count",
                key: key,
                as: from.owner)
            #expect(try rows(found) == [["daily_count": 1]])
            // A day here, and none to the database.
            let never = try await send(
                group, "GET", "user_quotas?last_analysis_date=eq.0000-01-01", key: key, as: from.owner)
            #expect(never.status == 400 && never.code == "22008")
        }
    }

    @Test func `take what the app writes, and change nothing`() async throws {
        try await run { group, key, _ in
            var topic = TestTopic()
            let session = UUID.v4()
            try await group.deliver(topic.message(from.created(session)))
            try await group.deliver(topic.message(from.completed(session)))
            let upper = from.owner.description.uppercased()
            let row = try #require(
                try rows(try await send(group, "GET", "user_quotas", key: key, as: from.owner)).first)
            let events = try await group.context.store.read(Allowance.stream(from.owner)).count
            let wish: JSONValue = ["user_id": .string(upper), "last_analysis_date": "2020-01-01", "daily_count": 0]
            let plain = try await send(group, "POST", "user_quotas", key: key, as: from.owner, json: wish)
            #expect(plain.status == 201 && plain.body.isEmpty)
            let shown = try await send(
                group, "POST", "user_quotas", key: key, as: from.owner, prefer: "return=representation", json: [wish])
            #expect(shown.status == 201)
            #expect(try rows(shown) == [row])
            let merged = try await send(
                group, "POST", "user_quotas?on_conflict=user_id&columns=%22user_id%22,%22daily_count%22", key: key,
                as: from.owner, prefer: "resolution=merge-duplicates,return=representation", json: [wish])
            #expect(merged.status == 200)
            #expect(try rows(merged) == [row])
            #expect(merged.header("preference-applied") == "resolution=merge-duplicates, return=representation")
            let ignored = try await send(
                group, "POST", "user_quotas", key: key, as: from.owner,
                prefer: "resolution=ignore-duplicates,return=representation", json: wish)
            #expect(try rows(ignored).isEmpty)
            let id = row["id"]?.stringValue ?? ""
            let change: JSONValue = ["daily_count": 0, "updated_at": "2020-01-01T00:00:00.000Z"]
            let silent = try await send(
                group, "PATCH", "user_quotas?id=eq.\(id.uppercased())", key: key, as: from.owner, json: change)
            #expect(silent.status == 204)
            let patched = try await send(
                group, "PATCH", "user_quotas?id=eq.\(id)&select=daily_count", key: key, as: from.owner,
                prefer: "return=representation", json: change)
            #expect(patched.status == 200)
            #expect(try rows(patched) == [["daily_count": 1]])
            let deleted = try await send(
                group, "DELETE", "user_quotas?id=eq.\(id)", key: key, as: from.owner, prefer: "return=representation",
                json: [:])
            #expect(try rows(deleted).isEmpty)
            #expect(try await group.context.store.read(Allowance.stream(from.owner)).count == events)
            #expect(try rows(try await send(group, "GET", "user_quotas", key: key, as: from.owner)) == [row])
        }
    }

    @Test func `refuse what would be somebody else's, or is no row`() async throws {
        try await run { group, key, _ in
            let other = UUID.v7()
            for (method, path, user, body, status, code) in [
                ("POST", "user_quotas", from.owner, ["user_id": .uuid(other), "daily_count": 0], 403, "42501"),
                ("POST", "user_quotas", from.owner, ["daily_count": 0], 403, "42501"),
                ("POST", "user_quotas", nil, ["user_id": .uuid(other)], 401, "42501"),
                ("PATCH", "user_quotas?id=eq.\(other)", from.owner, ["user_id": .uuid(other)], 403, "42501"),
                ("PATCH", "user_quotas", from.owner, ["daily_count": 0], 400, "21000"),
                ("DELETE", "user_quotas", from.owner, [:], 400, "21000"),
                ("POST", "user_quotas", from.owner, ["user_id": .uuid(from.owner), "colour": 1], 400, "PGRST204"),
                ("POST", "user_quotas?columns=colour", from.owner, ["user_id": .uuid(from.owner)], 400, "PGRST204"),
                ("POST", "user_quotas", from.owner, ["user_id": "me"], 400, "22P02"),
                ("POST", "user_quotas", from.owner, ["user_id": .uuid(from.owner), "daily_count": 1.5], 400, "22P02"),
                (
                    "POST", "user_quotas", from.owner, ["user_id": .uuid(from.owner), "daily_count": .null], 400,
                    "23502"
                ),
                ("POST", "user_quotas", from.owner, "text", 400, "PGRST102"),
                ("POST", "subscriptions", from.owner, ["status": "active"], 403, "42501"),
                ("PATCH", "subscriptions?id=eq.\(other)", nil, ["status": "active"], 401, "42501"),
            ] as [(String, String, UUID?, JSONValue, Int, String)] {
                let answer = try await send(group, method, path, key: key, as: user, json: body)
                #expect(answer.status == status && answer.code == code, "\(method) \(path) \(body)")
            }
        }
    }

    @Test func `tell who has more than everybody, and nobody of others`() async throws {
        try await run { group, key, service in
            let path =
                "subscriptions?select=status&user_id=eq.\(from.owner.description.uppercased())&status=in.(active,trialing)"
            let empty: JSONValue = [:]
            func premium(_ path: String, as user: UUID?, _ body: JSONValue) async throws -> JSONValue {
                try JSONValue.parse(try await send(group, "POST", "rpc/\(path)", key: key, as: user, json: body).body)
            }
            #expect(try rows(try await send(group, "GET", path, key: key, as: from.owner)).isEmpty)
            #expect(try await premium("is_user_premium", as: from.owner, empty) == false)
            try await setPlan(.premium, of: from.owner, group)
            #expect(try rows(try await send(group, "GET", path, key: key, as: from.owner)) == [["status": "active"]])
            let asked: JSONValue = ["user_uuid": .string(from.owner.description.uppercased())]
            #expect(try await premium("is_user_premium", as: from.owner, empty) == true)
            #expect(try await premium("is_user_premium", as: from.owner, asked) == true)
            #expect(try await premium("get_user_subscription", as: from.owner, empty)[0]?["is_premium"] == true)
            let whole = try #require(
                try rows(try await send(group, "GET", "subscriptions", key: key, as: from.owner)).first)
            #expect(whole["product_id"] == "premium")
            #expect(whole.objectValue?.keys == QuotaTables.subscriptions.columns.map(\.name))
            // Its row is looked through as a table's.
            for (query, expected) in [
                ("select=is_premium,plan:provider&is_premium=is.true", [["is_premium": true, "plan": "unknown"]]),
                ("is_premium=is.false", []), ("status=in.(trialing,past_due)", []),
            ] as [(String, [JSONValue])] {
                for (method, more) in [("POST", ""), ("GET", "&user_uuid=\(from.owner)")] {
                    let found = try await send(
                        group, method, "rpc/get_user_subscription?\(query)\(more)", key: key, as: from.owner,
                        json: method == "POST" ? asked : nil)
                    #expect(try rows(found) == expected, "\(method) \(query)")
                }
            }
            let unknown = try await send(
                group, "POST", "rpc/get_user_subscription?colour=eq.red", key: key, as: from.owner, json: asked)
            #expect(unknown.status == 400 && unknown.code == "42703")
            // Somebody else, and nobody.
            let stranger = UUID.v7()
            #expect(try rows(try await send(group, "GET", path, key: key, as: stranger)).isEmpty)
            #expect(try rows(try await send(group, "GET", path, key: key)).isEmpty)
            #expect(try rows(try await send(group, "GET", "user_quotas", key: key)).isEmpty)
            #expect(try await premium("is_user_premium", as: stranger, asked) == false)
            #expect(try await premium("is_user_premium", as: nil, asked) == false)
            #expect(try await premium("get_user_subscription", as: stranger, asked)[0]?["is_premium"] == false)
            // The operator's own server.
            #expect(try rows(try await send(group, "GET", path, key: key, bearer: service)) == [["status": "active"]])
            try await group.foldAll()
            #expect(try rows(try await send(group, "GET", "user_quotas", key: key, bearer: service)).count == 1)
        }
    }
}

extension JSONValue {
    fileprivate subscript(_ place: Int) -> JSONValue? {
        arrayValue.flatMap { $0.indices.contains(place) ? $0[place] : nil }
    }
}
