import Primitives

/// The position of a piece of work in a distributed trace (W3C Trace Context, level 1).
package struct TraceContext: Sendable, Hashable {
    /// The trace of the current task; child tasks inherit it.
    @TaskLocal package static var current: TraceContext?

    /// Thirty-two lower-case hexadecimal digits, not all zero.
    package let traceId: String
    /// Sixteen lower-case hexadecimal digits, not all zero.
    package let spanId: String
    /// Whether the caller records this trace.
    package let isSampled: Bool

    private init(traceId: String, spanId: String, isSampled: Bool) {
        self.traceId = traceId
        self.spanId = spanId
        self.isSampled = isSampled
    }

    /// Starts a new trace.
    package static func make() -> TraceContext {
        TraceContext(traceId: random(words: 2), spanId: random(words: 1), isSampled: true)
    }

    /// A child span in the same trace.
    package func child() -> TraceContext {
        TraceContext(traceId: traceId, spanId: Self.random(words: 1), isSampled: isSampled)
    }

    /// Parses the value of a `traceparent` header; nil for anything the recommendation does not allow.
    ///
    /// A version above 00 may have further fields after a hyphen, which are ignored; version ff is invalid.
    package init?(traceparent text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 55, let version = Self.hex(bytes[0..<2]), version != "ff",
            version == "00" ? bytes.count == 55 : bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
            bytes[2] == UInt8(ascii: "-"), bytes[35] == UInt8(ascii: "-"), bytes[52] == UInt8(ascii: "-"),
            let traceId = Self.hex(bytes[3..<35]), traceId.utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            let spanId = Self.hex(bytes[36..<52]), spanId.utf8.contains(where: { $0 != UInt8(ascii: "0") }),
            let flags = Self.hex(bytes[53..<55]).flatMap({ UInt8($0, radix: 16) })
        else { return nil }
        self.init(traceId: traceId, spanId: spanId, isSampled: flags & 1 == 1)
    }

    /// The value of a `traceparent` header.
    package var traceparent: String { "00-\(traceId)-\(spanId)-\(isSampled ? "01" : "00")" }

    private static func hex(_ bytes: ArraySlice<UInt8>) -> String? {
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"): continue
            default: return nil
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func random(words: Int) -> String {
        var source = SystemRandomNumberGenerator()
        var bytes: [UInt8] = []
        for _ in 0..<words {
            // Never zero, which the recommendation reserves for "no identifier".
            let word = UInt64.random(in: 1...UInt64.max, using: &source)
            for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: word >> shift)) }
        }
        return Hex.encode(bytes)
    }
}
