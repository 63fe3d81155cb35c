/// CRC-32 as ZIP and Ethernet have it (ISO 3309, polynomial 0xEDB88320): tells a damaged copy, not a forged one.
package struct CRC32: Sendable {
    private static let table: [UInt32] = (0..<256).map { byte in
        (0..<8).reduce(UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }

    private var state: UInt32 = .max

    package init() {}

    /// Adds bytes to the message.
    package mutating func update(_ bytes: some Sequence<UInt8>) {
        state = Self.table.withUnsafeBufferPointer { table in
            bytes.reduce(state) { $0 >> 8 ^ table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] }
        }
    }

    /// The checksum of everything added.
    package var value: UInt32 { ~state }

    /// The checksum of a message.
    package static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
        var sum = CRC32()
        sum.update(bytes)
        return sum.value
    }
}
