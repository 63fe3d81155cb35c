import Glibc

/// The log of one part of a stack, read from where the last reading ended.
final class LogFile {
    /// The part's name.
    let part: String
    private let path: String
    private var offset: Int64 = 0
    private var rest: [UInt8] = []
    private var isCut: Bool

    /// How much of a log's end is read at first, in bytes.
    static let most: Int64 = 32 << 20

    init(part: String, path: String) {
        self.part = part
        self.path = path
        offset = max(0, (Files.size(path) ?? 0) - Self.most)
        // That is in the middle of a line.
        isCut = offset > 0
    }

    /// The whole lines that were added since the last call; a file that became shorter is read anew.
    func nextLines() -> [LogLine] {
        guard let size = Files.size(path) else { return [] }
        if size < offset {
            offset = 0
            rest = []
        }
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var bytes = rest
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(descriptor, &buffer, buffer.count, off_t(offset))
            if count <= 0 { break }
            bytes += buffer[..<count]
            offset += Int64(count)
        }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        rest = Array(lines.popLast() ?? [])
        if isCut, !lines.isEmpty {
            lines.removeFirst()
            isCut = false
        }
        return lines.filter { !$0.isEmpty }.map { LogLine(part: part, raw: String(decoding: $0, as: UTF8.self)) }
    }
}
