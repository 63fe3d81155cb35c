import Access
import Contracts
import EventStore
import HTTPClient
import HTTPServer
import JSON
import Primitives
import Runtime
import ServiceKit
import ServiceTesting
import Testing

@testable import identity

@Suite(.timeLimit(.minutes(10))) @Loop struct `The address of an erasure's receipt` {
    /// Erases somebody new and gives the path and query of the receipt's address.
    private func erased(_ fixture: Fixture, _ email: String) async throws -> (person: Person, address: String) {
        let person = try await fixture.signUp(email)
        let answer = try await fixture.send("DELETE", "/v1/me", token: person.access)
        let url = try answer.json.object("erasure").object("receipt").string("url")
        let start = "https://api.example.org/v1/erasures/\(person.id)?"
        #expect(url.hasPrefix(start))
        return (person, String(url.dropFirst("https://api.example.org".count)))
    }

    private func withErasures(
        _ variables: [String: String] = [:], _ body: @Loop (Fixture) async throws -> Void
    ) async throws {
        try await withIdentity(["PUBLIC_URL": "https://api.example.org"].merging(variables) { $1 }, body)
    }

    @Test func `shows it without a login, as it is then`() async throws {
        try await withErasures { fixture in
            let (anna, address) = try await erased(fixture, "anna@example.org")
            let open = try await fixture.send("GET", address)
            #expect(open.status == 202 && open.header("cache-control") == "no-store")
            #expect(open.json["erasure"]?["complete"] == false)
            try await fixture.deliver(Confirmation<Quota>(anna.id))
            try await fixture.deliver(Confirmation<Sessions>(anna.id))
            try await fixture.deliver(Confirmation<Analysis>(anna.id))
            try await fixture.deliver(Confirmation<Reporting>(anna.id))
            try await fixture.deliver(Confirmation<Notifications>(anna.id))
            let done = try await fixture.send("GET", address)
            #expect(done.status == 200)
            // Who confirmed and what was removed; nothing else, and no further address.
            let receipt = try done.json.object("erasure")
            #expect(Set(done.json.keys) == ["erasure"])
            #expect(Set(receipt.keys) == ["userId", "complete", "services"])
            let services = try receipt.required("services").arrayValue ?? []
            #expect(services.compactMap { $0["service"]?.stringValue } == ServiceName.allCases.map(\.rawValue))
            #expect(services.allSatisfy { Set($0.objectValue?.keys ?? []) == ["service", "state", "removed"] })
            #expect(!String(decoding: done.body, as: UTF8.self).contains("anna"))
        }
    }

    @Test func `is given to who erased, the same as often as they ask, for ninety days`() async throws {
        try await withErasures { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            var addresses: Set<String> = []
            for (method, path) in [("DELETE", "/v1/me"), ("DELETE", "/v1/me"), ("GET", "/v1/me/erasure")] {
                let receipt = try await fixture.send(method, path, token: anna.access).json
                    .object("erasure").object("receipt")
                let left = try receipt.timestamp("expiresAt") - .now()
                #expect(left <= .seconds(90 * 86_400) && left > .seconds(90 * 86_400 - 60))
                let address = try receipt.string("url").dropFirst("https://api.example.org".count)
                #expect(try await fixture.send("GET", String(address)).status == 202)
                addresses.insert(String(address))
            }
            #expect(addresses.count == 1)
        }
    }

    @Test func `opens nothing when anything in it is changed, and nothing else`() async throws {
        try await withErasures { fixture in
            let (anna, address) = try await erased(fixture, "anna@example.org")
            let (bert, other) = try await erased(fixture, "bert@example.org")
            let query = try #require(address.split(separator: "?").last)
            let parts = query.split(separator: "&").map(String.init)
            let later = "expires=\((Int64(parts[0].dropFirst(8)) ?? 0) + 1)"
            for forged in [
                "/v1/erasures/\(bert.id)?\(query)", "/v1/erasures/\(anna.id)", "/v1/erasures/\(anna.id)?\(parts[0])",
                "/v1/erasures/\(anna.id)?\(parts[1])", "/v1/erasures/\(anna.id)?\(later)&\(parts[1])",
                "/v1/erasures/\(anna.id)?\(parts[0])&signature=", "/v1/erasures/\(anna.id)?expires=x&\(parts[1])",
                "/v1/erasures/\(anna.id)?\(other.split(separator: "&")[1])&\(parts[0])",
            ] {
                let answer = try await fixture.send("GET", forged)
                #expect(answer.status == 403 && code(answer) == "receipt-address-invalid", "\(forged)")
            }
            #expect(try await fixture.send("GET", "/v1/erasures/me?\(query)").status == 404)
            #expect(try await fixture.send("DELETE", address).status == 405)
        }
    }

    @Test func `holds for a time`() async throws {
        try await withErasures(["ERASURE_RECEIPT_LIFETIME": "0s"]) { fixture in
            let address = try await erased(fixture, "anna@example.org").address
            let answer = try await fixture.send("GET", address)
            #expect(answer.status == 403 && code(answer) == "receipt-address-expired")
        }
    }

    @Test func `asks for patience while the database is away`() async throws {
        try await withErasures { fixture in
            let address = try await erased(fixture, "anna@example.org").address
            await fixture.first.store.close()
            let answer = try await fixture.send("GET", address)
            #expect(answer.status == 503 && code(answer) == "temporarily-unavailable")
        }
    }

    @Test func `says nothing where there is no erasure, as after a restore`() async throws {
        try await withErasures { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            let key = AccessSettings(fixture.context.environment).secrets.receipts.present
            let links = SignedLinks(
                key: key, publicURL: "", invalid: .receiptAddressInvalid, expired: .receiptAddressExpired)
            let address = links.url("GET", "/v1/erasures/\(anna.id)", until: .now() + .seconds(60))
            let answer = try await fixture.send("GET", address)
            #expect(answer.status == 404 && code(answer) == "not-found")
        }
    }
}
