import Runtime

/// Reads a file forward through a window, so that a walk over it holds little and reads nothing twice.
@Loop final class FileWindow {
    /// How much is read at once, in bytes.
    private static let bytes = 65_536
    /// After how many requests everybody else has a turn: a window holds thousands of small boxes, and nothing but a read suspends.
    private static let requestsAtOnce = 128

    let size: Int64
    private let read: @Loop (Int64, Int) async throws -> [UInt8]
    private var start: Int64 = 0
    private var window: [UInt8] = []
    private var requests = 0

    init(size: Int64, _ read: @escaping @Loop (Int64, Int) async throws -> [UInt8]) {
        self.size = size
        self.read = read
    }

    /// Another window on the same file, for what is read beside the walk.
    func another() -> FileWindow { FileWindow(size: size, read) }

    /// Some bytes, at most ``bytes``; fewer where the file ends.
    func bytes(at offset: Int64, _ count: Int) async throws -> ArraySlice<UInt8> {
        guard offset < size else { return [] }
        requests += 1
        if requests % Self.requestsAtOnce == 0 { await Loop.turn() }
        let end = min(size, offset + Int64(count))
        if offset < start || end > start + Int64(window.count) {
            window = try await read(offset, Int(min(Int64(max(Self.bytes, count)), size - offset)))
            start = offset
        }
        let first = Int(offset - start)
        return window[min(first, window.count)..<min(first + Int(end - offset), window.count)]
    }
}

extension ArraySlice<UInt8> {
    /// Its bytes as a number, the first one the highest.
    var bigEndian: UInt64 { reduce(0) { $0 << 8 | UInt64($1) } }
}
