import Testing

@testable import HTTPServer

@Suite struct `The network of a client` {
    @Test(arguments: [
        ("192.0.2.1", "192.0.2.1"), ("::ffff:192.0.2.1", "192.0.2.1"), ("::FFFF:c000:201", "192.0.2.1"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"), ("2001:0DB8:1:2::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"), ("::1", "0:0:0:0::/64"), ("fe80::1", "fe80:0:0:0::/64"),
        ("no address", "no address"),
    ])
    func `is its IPv4 address or the half of an IPv6 one that a home has`(address: String, network: String) {
        #expect(ClientNetwork.all(of: address).first?.name == network)
    }

    @Test func `is a part of wider ones, which may have more`() {
        let all = ClientNetwork.all(of: "2001:db8:1:2345:6:7:8:9")
        #expect(all.map(\.name) == ["2001:db8:1:2345::/64", "2001:db8:1:2300::/56", "2001:db8:1:0::/48"])
        #expect(all.map(\.weight) == [1, 4, 16])
        #expect(ClientNetwork.all(of: "192.0.2.1").map(\.weight) == [1])
    }
}
