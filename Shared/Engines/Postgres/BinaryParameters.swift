/// Parameters flattened into one buffer, because one allocation per value shows in profiles.
struct BinaryParameters {
    private var buffer: [UInt8] = []
    private var ranges: [Range<Int>?] = []

    init(_ values: [PostgresValue]) {
        for value in values {
            if case .null = value {
                ranges.append(nil)
                continue
            }
            let start = buffer.count
            value.encode(into: &buffer)
            ranges.append(start..<buffer.count)
        }
        // An empty last value still needs an address within the buffer.
        buffer.append(0)
    }

    func withPointers<T>(
        _ body: (UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>) -> T
    ) -> T {
        buffer.withUnsafeBytes { bytes in
            let base = bytes.bindMemory(to: CChar.self).baseAddress!
            let pointers = ranges.map { $0.map { UnsafePointer(base + $0.lowerBound) } } + [nil]
            let lengths = ranges.map { Int32($0?.count ?? 0) } + [0]
            let formats = [Int32](repeating: 1, count: ranges.count + 1)
            return body(pointers, lengths, formats)
        }
    }
}
