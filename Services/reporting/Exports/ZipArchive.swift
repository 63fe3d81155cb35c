import Primitives

/// A ZIP archive (PKWARE APPNOTE 6.3.10) of files whose sizes and checksums are known: stored without compression, so that its length is
/// known before it is written, and written as its files come.
struct ZipArchive: Sendable {
    /// The most that an archive without the extensions for large files can have, in bytes, and of files.
    static let sizeLimit: Int64 = 0xFFFF_FFFE
    static let fileLimit = 0xFFFE

    /// Where the bytes of a file come from.
    enum Source: Sendable, Equatable {
        case bytes([UInt8])
        /// An object of the store.
        case object(String)
    }

    /// What the archive needs to know of a file before its first byte, so that its own length can be announced.
    struct File: Sendable, Equatable {
        var name: String
        var size: Int64
        var crc32: UInt32
        var source: Source

        /// A file of an export.
        init(name: String, size: Int64, crc32: UInt32, source: Source) {
            self.name = name
            self.size = size
            self.crc32 = crc32
            self.source = source
        }

        /// A file that is made here.
        init(_ name: String, _ bytes: [UInt8]) {
            self.init(name: name, size: Int64(bytes.count), crc32: CRC32.checksum(bytes), source: .bytes(bytes))
        }
    }

    let files: [File]
    /// The time and the date of all files, as MS-DOS has them, in UTC.
    private let moment: (time: UInt16, date: UInt16)

    /// - Parameter madeAt: the time of all files.
    init(_ files: [File], madeAt: Timestamp) {
        self.files = files
        moment = Self.moment(madeAt)
    }

    /// Whether it can be written at all.
    var isPossible: Bool { files.count <= Self.fileLimit && length <= Self.sizeLimit }

    /// The number of bytes of the whole.
    var length: Int64 {
        files.reduce(22) { $0 + $1.size + Int64(30 + 46 + 2 * $1.name.utf8.count) }
    }

    /// Writes the whole.
    ///
    /// - Parameters:
    ///   - write: takes the next bytes.
    ///   - copy: writes the bytes of an object, as many as its file has.
    /// - Throws: what these throw.
    func write(
        to write: ([UInt8]) async throws -> Void, copying copy: (_ key: String, _ size: Int64) async throws -> Void
    ) async throws {
        var directory: [UInt8] = []
        var offset: Int64 = 0
        for file in files {
            let head = localHeader(file)
            try await write(head)
            switch file.source {
            case .bytes(let bytes): try await write(bytes)
            case .object(let key): try await copy(key, file.size)
            }
            directory += directoryEntry(file, at: offset)
            offset += Int64(head.count) + file.size
        }
        try await write(directory + end(directorySize: directory.count, at: offset))
    }

    private func localHeader(_ file: File) -> [UInt8] {
        var out: [UInt8] = []
        out.little(0x0403_4B50 as UInt32)
        appendCommon(file, to: &out)
        out.little(0 as UInt16)
        return out + Array(file.name.utf8)
    }

    private func directoryEntry(_ file: File, at offset: Int64) -> [UInt8] {
        var out: [UInt8] = []
        out.little(0x0201_4B50 as UInt32)
        // Made by: Unix, version 2.0, so that the attributes below mean rw-r--r--.
        out.little(0x0314 as UInt16)
        appendCommon(file, to: &out)
        for _ in 0..<4 { out.little(0 as UInt16) }
        out.little(0o100644 << 16 as UInt32)
        out.little(UInt32(truncatingIfNeeded: offset))
        return out + Array(file.name.utf8)
    }

    /// What both headers have: version, names in UTF-8, stored, time, checksum, sizes, the name's length.
    private func appendCommon(_ file: File, to out: inout [UInt8]) {
        out.little(20 as UInt16)
        out.little(0x0800 as UInt16)
        out.little(0 as UInt16)
        out.little(moment.time)
        out.little(moment.date)
        out.little(file.crc32)
        out.little(UInt32(truncatingIfNeeded: file.size))
        out.little(UInt32(truncatingIfNeeded: file.size))
        out.little(UInt16(truncatingIfNeeded: file.name.utf8.count))
    }

    private func end(directorySize: Int, at offset: Int64) -> [UInt8] {
        var out: [UInt8] = []
        out.little(0x0605_4B50 as UInt32)
        out.little(0 as UInt16)
        out.little(0 as UInt16)
        out.little(UInt16(truncatingIfNeeded: files.count))
        out.little(UInt16(truncatingIfNeeded: files.count))
        out.little(UInt32(truncatingIfNeeded: directorySize))
        out.little(UInt32(truncatingIfNeeded: offset))
        out.little(0 as UInt16)
        return out
    }

    private static func moment(_ time: Timestamp) -> (time: UInt16, date: UInt16) {
        let seconds = time.seconds % 86_400
        let text = time.rfc3339.prefix(10).split(separator: "-").compactMap { Int64($0) }
        guard text.count == 3, text[0] >= 1980, text[0] < 2108 else { return (0, 1 << 5 | 1) }
        return (
            UInt16(truncatingIfNeeded: (seconds / 3_600) << 11 | (seconds / 60 % 60) << 5 | (seconds % 60) / 2),
            UInt16(truncatingIfNeeded: (text[0] - 1980) << 9 | text[1] << 5 | text[2])
        )
    }
}

extension [UInt8] {
    /// Appends a number, its lowest byte first.
    fileprivate mutating func little<Number: FixedWidthInteger>(_ number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
