/// Bytes that were read but not yet consumed.
struct InputBuffer {
    private var bytes: [UInt8] = []
    private var start = 0

    var count: Int { bytes.count - start }
    var isEmpty: Bool { start == bytes.count }

    mutating func append(_ new: UnsafeRawBufferPointer) {
        bytes.append(contentsOf: new)
    }

    mutating func consume(_ count: Int) {
        start += count
        if start == bytes.count {
            start = 0
            // An idle connection should use little memory, and long heads are rare.
            if bytes.capacity > 4_096 { bytes = [] } else { bytes.removeAll(keepingCapacity: true) }
        }
    }

    /// Consumes `count` bytes and returns those in `range`.
    mutating func take(_ range: Range<Int>, consuming count: Int) -> [UInt8] {
        let taken = Array(bytes[(start + range.lowerBound)..<(start + range.upperBound)])
        consume(count)
        return taken
    }

    func withPrefix<Result, Failure: Error>(
        _ count: Int, _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try bytes.withUnsafeBufferPointer { (buffer) throws(Failure) -> Result in
            try body(UnsafeBufferPointer(rebasing: buffer[start..<(start + count)]))
        }
    }
}
