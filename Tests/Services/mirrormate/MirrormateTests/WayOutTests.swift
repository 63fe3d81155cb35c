import Testing
import TestingSupport
import TestingTools

@testable import mirrormate

@Suite struct `The way out` {
    private static let services = ["identity", "sessions", "quota", "analysis", "reporting"]

    /// A block of `docker-compose.yml`, by the line that it begins with.
    private func block(_ first: String, until end: String) throws -> Substring {
        let text = try Checkout.text(of: "docker-compose.yml")
        let start = try #require(text.firstRange(of: "\n\(first)\n"), "docker-compose.yml has no \(first)")
        let rest = text[start.upperBound...]
        return rest[..<(rest.firstRange(of: end)?.lowerBound ?? rest.endIndex)]
    }

    @Test func `is there only where it is asked for`() throws {
        #expect(try WayOut.isWanted { _ in nil } == false)
        #expect(try WayOut.isWanted { $0 == "WAY_OUT" ? "" : nil } == false)
        #expect(try WayOut.isWanted { $0 == "WAY_OUT" ? "false" : nil } == false)
        #expect(try WayOut.isWanted { $0 == "WAY_OUT" ? "true" : nil })
        let failure = #expect(throws: Failure.self) { try WayOut.isWanted { _ in "yes" } }
        #expect(failure?.code == "way-out-invalid")
    }

    @Test func `knows the hosts that identity and quota ask where nothing else is said`() throws {
        let hosts = try Checkout.text(of: "infra/way-out/hosts")
        let tables = try ["identity/Federation/FederationSettings", "quota/Billing/CheckoutSettings"].map {
            try Checkout.text(of: "Services/\($0).swift")
        }
        let rows = tables.joined(separator: "\n").matches(
            of: #/\| `([A-Z]+_(?:KEYS|TOKEN|REVOKE|API)_URL)` \| address \| `(https:[^`]+)` \|/#)
        #expect(rows.count == 6)
        for row in rows { #expect(hosts.contains("setting('\(row.1)', '\(row.2)')"), "infra/way-out/hosts: \(row.1)") }
    }

    @Test func `is told of the same settings in Compose as in a local stack`() throws {
        let read = Set(
            try Checkout.text(of: "infra/way-out/hosts").matches(of: #/(?:setting|said)\('([A-Z_]+)'/#).map {
                String($0.1)
            })
        #expect(read.count == 12)
        #expect(Set(WayOut.variables) == read.union(["WAY_OUT_NAME_SERVERS"]))
        let lines = try block("  way-out:", until: "    networks:").matches(of: #/\n      ([A-Z_]+):/#)
        #expect(Set(lines.map { String($0.1) }) == read)
    }

    @Test func `is there for those who use it, and for nobody else`() throws {
        for service in Self.services {
            let block = try block("x-\(service): &\(service)", until: "\n\n")
            let uses = WayOut.users.contains(service)
            #expect(block.contains("https_proxy") == uses, "\(service)")
            // Whoever sells something joins it in an override, where the key is mounted too: the others' quota has no way there.
            #expect(block.contains("[inside, leaving]") == (uses && service != "quota"), "\(service)")
        }
        #expect(try Checkout.text(of: "docs/purchases.md").contains("quota: {networks: [inside, leaving]"))
        #expect(try block("networks:", until: "\n\n").contains("leaving: {internal: true}"))
    }

    @Test func `of what owners are told is another one, which no setting opens or closes`() throws {
        let service = try block("x-notifications: &notifications", until: "\n\n")
        #expect(service.contains("https_proxy: http://webhooks-way-out:3128"))
        #expect(service.contains("networks: [inside, telling]"))
        let proxy = try block("  webhooks-way-out:", until: "\n\n")
        #expect(proxy.contains("WAY_OUT_ANY_HOST: \"true\"") && proxy.contains("networks: [telling, internet]"))
        #expect(try block("networks:", until: "\n\n").contains("telling: {internal: true}"))
        let text = try Checkout.text(of: "docker-compose.yml")
        #expect(text.matches(of: #/[\[ ]telling[\],:]/#).count == 4, "nobody else is on that network")
    }
}
