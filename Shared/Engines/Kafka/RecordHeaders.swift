package import Primitives

/// The headers of a record on its way out. All values lie in one piece of memory: an allocation for each was a third of the
/// relay's work.
package struct RecordHeaders: Sendable {
    private var names: [String] = []
    private var bytes: [UInt8] = []
    // Where each value ends.
    private var ends: [Int] = []

    /// No headers.
    package init() {}

    /// Headers in the order given.
    package init(_ headers: [(String, [UInt8])]) {
        for (name, value) in headers { append(name, value) }
    }

    /// How many there are.
    package var count: Int { names.count }

    /// About what they take in the broker's memory.
    package var size: Int { bytes.count + names.reduce(0) { $0 + $1.utf8.count + 4 } }

    /// Makes room for more headers, so that adding them allocates nothing.
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

    /// Adds a header with a text.
    package mutating func append(_ name: String, _ text: String) {
        bytes.append(contentsOf: text.utf8)
        end(name)
    }

    /// Adds a header with an identifier's text.
    package mutating func append(_ name: String, _ id: UUID) {
        id.write(to: &bytes)
        end(name)
    }

    private mutating func end(_ name: String) {
        names.append(name)
        ends.append(bytes.count)
    }

    /// Lends each header's name and value in their order; the address is never null.
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
