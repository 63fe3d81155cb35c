import Contracts
import EventSourcing
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing
import identity

/// A service that answers an erasure.
protocol Speaker: Sendable {
    static var name: ServiceName { get }
}
enum Sessions: Speaker { static let name = ServiceName.sessions }
enum Quota: Speaker { static let name = ServiceName.quota }
enum Analysis: Speaker { static let name = ServiceName.analysis }
enum Reporting: Speaker { static let name = ServiceName.reporting }
enum Notifications: Speaker { static let name = ServiceName.notifications }

/// `SubjectErased` as one service says it.
struct Confirmation<S: Speaker>: PublishedMessage {
    static var type: MessageType { SubjectErased.type(of: S.name) }
    let user: UUID
    init(_ user: UUID) { self.user = user }
    init(_ object: JSONObject) throws(JSONError) { user = try object.uuid("subjectId") }
    var json: JSONObject {
        SubjectErased(subjectId: user, service: S.name, removed: .init(rows: 2, objects: 1)).json
    }
    var ownerKey: MessageKey { .owner(user) }
    var subject: String { user.description }
}

@Suite(.timeLimit(.minutes(10))) @Loop struct `An erasure` {
    private let secrets = ["planted-address", "Planted Name", "planted password"]

    @Test func `removes every row of the user at once and leaves nobody who could sign in`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let bert = try await fixture.signUp("bert@example.org")
            for user in [anna.id, bert.id] { _ = try await fixture.mails(of: user, atLeast: 1) }
            let answer = try await fixture.send("DELETE", "/v1/me", token: anna.access)
            #expect(answer.status == 202)
            #expect(answer.json["erasure"]?["complete"] == false)
            let here = answer.json["erasure"]?["services"]?.arrayValue?.first
            // Profile, credentials, login session, the code that was mailed, and the mail if it still waits.
            #expect(here?["service"] == "identity" && here?["state"] == "done")
            #expect([4, 5].contains(here?["removed"]?["rows"]?.intValue))
            for table in ["profiles", "credentials", "logins", "one_time_codes"] {
                #expect(try await fixture.count("select count(*) from \(table)") == 1, "\(table)")
            }
            #expect(try await fixture.refresh(anna.refresh).status == 401)
            #expect(try await fixture.signIn("anna@example.org").status == 401)
            let gone = try await fixture.send("GET", "/v1/me", token: anna.access)
            #expect(gone.status == 401 && code(gone) == "user-gone")
            for body in [["displayName": "Back"], ["timeZone": "UTC"]] as [JSONValue] {
                #expect(code(try await fixture.send("PATCH", "/v1/me", token: anna.access, body)) == "user-gone")
            }
            #expect(try await fixture.send("GET", "/v1/me", token: bert.access).status == 200)
            #expect(try await fixture.signUp("anna@example.org").id != anna.id)
        }
    }

    @Test func `has a receipt that is complete when every service has answered, once each`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let before = try await fixture.send("GET", "/v1/me/erasure", token: anna.access)
            #expect(before.status == 404)
            #expect(try await fixture.send("DELETE", "/v1/me", token: anna.access).status == 202)
            let first = try await fixture.deliver(Confirmation<Quota>(anna.id))
            try await fixture.deliver(first)
            try await fixture.deliver(Confirmation<Quota>(anna.id))
            try await fixture.deliver(Confirmation<Sessions>(anna.id))
            try await fixture.deliver(Confirmation<Analysis>(anna.id))
            #expect(try await fixture.send("GET", "/v1/me/erasure", token: anna.access).status == 202)
            try await fixture.deliver(Confirmation<Reporting>(anna.id))
            try await fixture.deliver(Confirmation<Notifications>(anna.id))
            let receipt = try await fixture.send("DELETE", "/v1/me", token: anna.access)
            #expect(receipt.status == 200 && receipt.json["erasure"]?["complete"] == true)
            #expect(try await fixture.send("GET", "/v1/me/erasure", token: anna.access).json == receipt.json)
            let services = receipt.json["erasure"]?["services"]?.arrayValue ?? []
            #expect(services.count == 6 && services.allSatisfy { $0["state"] == "done" })
            #expect(services.last?["removed"] == ["rows": 2, "objects": 1])
            #expect(try await fixture.count("select count(*) from events where type = 'ErasureConfirmed'") == 6)
            #expect(try await fixture.count("select count(*) from events where type = 'UserErased'") == 1)
        }
    }

    @Test func `waits a moment for the others and answers the complete receipt`() async throws {
        try await withIdentity(["ERASURE_WAIT": "30s"]) { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            async let answer = fixture.send("DELETE", "/v1/me", token: anna.access)
            while try await fixture.count("select count(*) from events where type = 'UserErased'") == 0 {
                try await Loop.sleep(for: .milliseconds(5))
            }
            try await fixture.deliver(Confirmation<Quota>(anna.id))
            try await fixture.deliver(Confirmation<Sessions>(anna.id))
            try await fixture.deliver(Confirmation<Analysis>(anna.id))
            try await fixture.deliver(Confirmation<Reporting>(anna.id))
            try await fixture.deliver(Confirmation<Notifications>(anna.id))
            #expect(try await answer.status == 200)
        }
    }

    @Test func `leaves no planted word anywhere in the schema, and none was ever in the log`() async throws {
        try await withIdentity { fixture in
            let body: JSONValue = [
                "email": "planted-address@example.org", "password": "planted password", "displayName": "Planted Name",
            ]
            let anna = try Person(try await fixture.post("/v1/auth/sign-up", body).json)
            _ = try await fixture.signIn("planted-address@example.org", password: "planted password")
            _ = try await fixture.signIn("planted-address@example.org", password: "planted password!")
            _ = try await fixture.send("PATCH", "/v1/me", token: anna.access, ["displayName": "Planted Name II"])
            #expect(try await hits(fixture, tables: ["events"]) == [])
            #expect(
                try await hits(fixture, tables: ["profiles"]) == [
                    "profiles: planted-address", "profiles: Planted Name",
                ])
            _ = try await fixture.send("DELETE", "/v1/me", token: anna.access)
            let tables = try await fixture.context.store.pool.query(
                """
                select c.relname::text from pg_class c where c.relnamespace = 'identity'::regnamespace and c.relkind = 'r'
                    and has_table_privilege(c.oid, 'select') order by 1
                """
            ).rows.map { $0.text(0) }
            #expect(
                tables.contains("one_time_codes") && tables.contains("mail_outbox") && tables.contains("credentials"))
            #expect(tables.contains("signing_private_keys") && tables.contains("events"))
            #expect(try await hits(fixture, tables: tables) == [])
        }
    }

    private func hits(_ fixture: Fixture, tables: [String]) async throws -> [String] {
        var found: [String] = []
        for table in tables {
            for secret in secrets {
                let rows = try await fixture.context.store.pool.query(
                    "select count(*) from \(table) t where row_to_json(t)::text ilike '%' || $1 || '%'", [.text(secret)]
                )
                if rows.rows[0].int(0) > 0 { found.append("\(table): \(secret)") }
            }
        }
        return found
    }
}
