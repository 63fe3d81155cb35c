import Glibc
package import Runtime

/// Reads a pipe line by line; while it does not read, the writer blocks.
@Loop package final class LineReader {
    /// Longer lines are split here, in bytes.
    package var longestLine = 1 << 20

    private let descriptor: Descriptor
    private var pending: [UInt8] = []
    // How much of `pending` is known to contain no line end.
    private var searched = 0
    private var ended = false

    init(owning number: Int32) {
        descriptor = Descriptor(owning: number)
    }

    /// The next line without its line end; nil after the last one. Invalid UTF-8 is replaced.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func next() async throws -> String? {
        while true {
            if let end = pending[searched...].firstIndex(of: UInt8(ascii: "\n")) { return take(end, skip: 1) }
            searched = pending.count
            if searched >= longestLine { return take(longestLine, skip: 0) }
            if ended { return pending.isEmpty ? nil : take(pending.count, skip: 0) }
            try await fill()
        }
    }

    /// Everything up to the end, at most `limit` bytes; the rest is read and discarded.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    package func collect(limit: Int) async throws -> [UInt8] {
        var collected: [UInt8] = []
        while true {
            collected += pending.prefix(limit - collected.count)
            pending.removeAll(keepingCapacity: true)
            searched = 0
            if ended { return collected }
            try await fill()
        }
    }

    private func take(_ count: Int, skip: Int) -> String {
        let line = String(decoding: pending[..<count], as: UTF8.self)
        pending.removeFirst(count + skip)
        searched = 0
        return line
    }

    private func fill() async throws {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count > 0 {
                pending += buffer[..<count]
                return
            }
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN {
                try await descriptor.readable()
                continue
            }
            ended = true
            descriptor.close()
            return
        }
    }
}
