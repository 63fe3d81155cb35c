import HTTPServer
import Testing

@Suite struct `A range of addresses` {
    @Test(arguments: [
        ("10.0.0.0/8", ["10.0.0.0", "10.255.255.255", "::ffff:10.1.2.3"], ["9.255.255.255", "11.0.0.0", "::1"]),
        ("192.0.2.128/25", ["192.0.2.128", "192.0.2.255"], ["192.0.2.127", "192.0.3.128"]),
        ("192.0.2.7", ["192.0.2.7"], ["192.0.2.6"]), ("0.0.0.0/0", ["1.2.3.4"], ["2001:db8::1"]),
        ("2001:db8::/33", ["2001:db8::1", "2001:db8:7fff::"], ["2001:db8:8000::", "10.0.0.1"]),
        ("::/0", ["::1", "1.2.3.4"], ["", "here", "10.0.0", "10.0.0.1/8"]),
    ])
    func `holds what begins as it does`(text: String, inside: [String], outside: [String]) throws {
        let range = try #require(AddressRange(text))
        for address in inside { #expect(range.contains(address), "\(address)") }
        for address in outside { #expect(!range.contains(address), "\(address)") }
    }

    @Test(arguments: [
        "", "/", "10.0.0.0/", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/+8", "10.0.0.0/8/8", "10.0.0.1/8", "10.0/8",
        "gateway",
        "2001:db8::/129", "2001:db8::1/64", " 10.0.0.0/8", "10.0.0.0 /8", "::/٨",
    ])
    func `is not made of anything else`(text: String) { #expect(AddressRange(text) == nil) }
}
