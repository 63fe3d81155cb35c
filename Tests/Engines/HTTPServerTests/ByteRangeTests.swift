import Testing

@testable import HTTPServer

@Suite("A range of bytes") struct ByteRangeTests {
    @Test(
        "is what the field says of them",
        arguments: [
            ("bytes=0-0", ByteRange.part(0..<1)), ("bytes=0-99", .part(0..<100)), ("bytes=0-100", .part(0..<100)),
            ("bytes=99-", .part(99..<100)), ("bytes=-1", .part(99..<100)), ("bytes=-500", .part(0..<100)),
            ("Bytes=5-6", .part(5..<7)), ("bytes= 5-6 ", .part(5..<7)),
            ("bytes=3-99999999999999999999", .part(3..<100)),
            // None that there are.
            ("bytes=100-", .unsatisfiable), ("bytes=100-200", .unsatisfiable), ("bytes=-0", .unsatisfiable),
            ("bytes=99999999999999999999-", .unsatisfiable),
            // Of a form that may be passed over.
            ("bytes=5-4", .whole), ("bytes=", .whole), ("bytes=-", .whole), ("bytes", .whole), ("", .whole),
            ("bytes=a-b", .whole), ("bytes=+1-2", .whole), ("bytes=1--2", .whole), ("items=0-1", .whole),
            ("bytes=0-1,3-4", .whole), ("bytes=1 2-3", .whole),
        ])
    func fields(field: String, range: ByteRange) { #expect(ByteRange(field, of: 100) == range) }

    @Test("of nothing is none")
    func empty() {
        #expect(ByteRange("bytes=0-", of: 0) == .unsatisfiable)
        #expect(ByteRange("bytes=-1", of: 0) == .unsatisfiable)
    }
}
