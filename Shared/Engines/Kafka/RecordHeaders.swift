package import Primitives

/// The headers of an outgoing record. All values share one buffer: an allocation per value was a third of the relay's work.
package struct RecordHeaders: Sendable {
    private var names: [String] = []
    private var bytes: [UInt8] = []
    // The end of each value in `bytes`.
    private var ends: [Int] = []

    /// No headers.
    package init() {}

    /// Headers in the order given.
    package init(_ headers: [(String, [UInt8])]) {
        for (name, value) in headers { append(name, value) }
    }

    /// The number of headers.
    package var count: Int { names.count }

    /// Roughly the memory that they take in the broker, in bytes.
    package var size: Int { bytes.count + names.reduce(0) { $0 + $1.utf8.count + 4 } }

    /// Reserves space for more headers, so that adding them does not allocate.
    package mutating func reserve(_ count: Int, bytes size: Int) {
        names.reserveCapacity(names.count + count)
        ends.reserveCapacity(ends.count + count)
        bytes.reserveCapacity(bytes.count + size)
    }

    /// Adds a header.
    package mutating func append(_ name: String, _ value: [UInt8]) {
        bytes.append(contentsOf: value)
        end(name)
    }

    /// Adds a header with a string.
    package mutating func append(_ name: String, _ text: String) {
        bytes.append(contentsOf: text.utf8)
        end(name)
    }

    /// Adds a header with an identifier's string form.
    package mutating func append(_ name: String, _ id: UUID) {
        id.write(to: &bytes)
        end(name)
    }

    /// Each header's name and value, as a broker gives them back.
    package var all: [(String, [UInt8])] {
        var start = 0
        return zip(names, ends).map { name, end in
            defer { start = end }
            return (name, Array(bytes[start..<end]))
        }
    }

    private mutating func end(_ name: String) {
        names.append(name)
        ends.append(bytes.count)
    }

    /// Lends each header's name and value in order; the pointer is never null.
    func withEach(_ body: (String, UnsafeRawPointer, Int) -> Void) {
        bytes.withUnsafeBytes { bytes in
            var start = 0
            for (name, end) in zip(names, ends) {
                withUnsafeBytes(of: UInt8(0)) { nothing in
                    body(name, (bytes.baseAddress ?? nothing.baseAddress!) + start, end - start)
                }
                start = end
            }
        }
    }
}
