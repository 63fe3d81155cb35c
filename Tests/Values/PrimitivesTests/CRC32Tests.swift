import Primitives
import Testing

@Suite struct `A CRC-32` {
    @Test func `is that of the standard's own example`() {
        #expect(CRC32.checksum("123456789".utf8) == 0xCBF4_3926)
        #expect(CRC32.checksum([]) == 0)
    }

    @Test func `is the same of a message in pieces`() {
        let message = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 * 7) }
        var sum = CRC32()
        for start in stride(from: 0, to: message.count, by: 777) {
            sum.update(message[start..<min(start + 777, message.count)])
        }
        #expect(sum.value == CRC32.checksum(message))
    }
}
