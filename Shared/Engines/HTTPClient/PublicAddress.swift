/// Which addresses are of the public internet; the same as `infra/way-out/squid.conf.template` lets through.
package enum PublicAddress {
    /// This machine, its networks, multicast, and other names for these.
    private static let inward: [(bytes: [UInt8], bits: Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([224], 3),
    ]
    /// Of version 6: what holds an address of version 4, what is thrown away, tunnels, and all that is not given out to anybody.
    private static let inward6: [(bytes: [UInt8], bits: Int)] = [
        (Array(repeating: 0, count: 12), 96), ([0x00, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96),
        ([0x00, 0x64, 0xFF, 0x9B, 0x00, 0x01], 48), ([0x01, 0, 0, 0, 0, 0, 0, 0], 64), ([0x20, 0x01, 0, 0], 32),
        ([0x20, 0x02], 16), ([0x40], 2), ([0x80], 1),
    ]
    private static let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]

    /// Whether an address is one.
    ///
    /// - Parameter address: 4 or 16 bytes in the order of the network; anything else is none.
    package static func contains(_ address: [UInt8]) -> Bool {
        switch address.count {
        case 4: !inward.contains { covers($0, address) }
        case 16 where address.starts(with: mapped): contains(Array(address.dropFirst(mapped.count)))
        case 16: !inward6.contains { covers($0, address) }
        default: false
        }
    }

    private static func covers(_ range: (bytes: [UInt8], bits: Int), _ address: [UInt8]) -> Bool {
        for (index, byte) in range.bytes.enumerated() {
            let bits = min(8, range.bits - index * 8)
            let mask = UInt8(truncatingIfNeeded: 0xFF00 >> bits)
            if byte & mask != address[index] & mask { return false }
        }
        return true
    }
}
