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
        #expect(ClientNetwork.name(of: address) == network)
    }
}
