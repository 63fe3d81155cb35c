import Glibc
import Primitives
import Runtime

/// Objects as files under one folder, for one machine.
///
/// A file is written under a temporary name, flushed to disk, and renamed, so a crash leaves no half object. All file work
/// runs off the event loop.
package struct FileObjectStore: ObjectStore {
    private let root: String

    /// - Parameter root: the folder; made when it is not there.
    package init(root: String) { self.root = root }

    private func path(_ key: String) throws(ObjectStoreError) -> String {
        let allowed = key.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D || $0 == 0x2E || $0 == 0x2F
        }
        guard allowed, !key.isEmpty, !key.hasPrefix("/"),
            !key.split(separator: "/").contains(where: { $0.hasPrefix(".") })
        else { throw .badKey(key) }
        return "\(root)/\(key)"
    }

    package func makeWriter(_ key: String) async throws -> any ObjectWriter {
        let path = try path(key)
        let temporary = "\(root)/.writing-\(UUID.v7())"
        let root = root
        let descriptor = try await Offload.shared.run {
            try makeFolders(root + "/x")
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else { throw ObjectStoreError.failed(errno) }
            return descriptor
        }
        return FileObjectWriter(descriptor, temporary: temporary, path: path)
    }

    package func read(_ key: String, limit: Int) async throws -> [UInt8] {
        let path = try path(key)
        return try await Offload.shared.run {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw errno == ENOENT ? ObjectStoreError.missing(key) : .failed(errno) }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: limit + 1)
            var filled = 0
            while filled < bytes.count {
                let got = bytes.withUnsafeMutableBytes {
                    Glibc.read(descriptor, $0.baseAddress! + filled, $0.count - filled)
                }
                if got < 0 { throw ObjectStoreError.failed(errno) }
                if got == 0 { break }
                filled += got
            }
            if filled > limit { throw ObjectStoreError.tooLarge(key) }
            return Array(bytes[..<filled])
        }
    }

    package func withFile<T: Sendable>(_ key: String, _ work: (String) async throws -> T) async throws -> T {
        let path = try path(key)
        guard access(path, R_OK) == 0 else { throw ObjectStoreError.missing(key) }
        return try await work(path)
    }

    package func move(_ key: String, to newKey: String) async throws {
        let from = try path(key)
        let to = try path(newKey)
        try await Offload.shared.run {
            try makeFolders(to)
            if rename(from, to) != 0 {
                let code = errno
                // A repeat finds the work done.
                if code == ENOENT, access(to, F_OK) == 0 { return }
                throw code == ENOENT ? ObjectStoreError.missing(key) : .failed(code)
            }
            try flushFolder(of: to)
        }
    }

    package func delete(_ key: String) async throws {
        let path = try path(key)
        try await Offload.shared.run {
            if unlink(path) != 0, errno != ENOENT { throw ObjectStoreError.failed(errno) }
        }
    }

    package func keys(under prefix: String) async throws -> [String] {
        let start = try path(prefix + "x").dropLast(2)
        let cut = root.utf8.count + 1
        return try await Offload.shared.run {
            var found: [String] = []
            var folders = [String(start)]
            while let folder = folders.popLast() {
                guard let directory = opendir(folder) else {
                    if errno == ENOENT { continue }
                    throw ObjectStoreError.failed(errno)
                }
                defer { closedir(directory) }
                while let entry = readdir(directory) {
                    let name = withUnsafePointer(to: &entry.pointee.d_name) {
                        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                    }
                    if name.hasPrefix(".") { continue }
                    let path = "\(folder)/\(name)"
                    if entry.pointee.d_type == UInt8(DT_DIR) {
                        folders.append(path)
                    } else {
                        found.append(String(decoding: path.utf8.dropFirst(cut), as: UTF8.self))
                    }
                }
            }
            return found.sorted()
        }
    }
}

/// Writes a file off the loop, a piece at a time, so that memory stays constant whatever the size.
@Loop private final class FileObjectWriter: ObjectWriter {
    private let descriptor: Int32
    private let temporary: String
    private let path: String
    private var isOpen = true

    init(_ descriptor: Int32, temporary: String, path: String) {
        self.descriptor = descriptor
        self.temporary = temporary
        self.path = path
    }

    func write(_ bytes: [UInt8]) async throws {
        let descriptor = descriptor
        try await Offload.shared.run {
            var written = 0
            while written < bytes.count {
                let count = bytes.withUnsafeBytes {
                    Glibc.write(descriptor, $0.baseAddress! + written, $0.count - written)
                }
                if count < 0 {
                    if errno == EINTR { continue }
                    throw ObjectStoreError.failed(errno)
                }
                written += count
            }
        }
    }

    func commit() async throws {
        let (descriptor, temporary, path) = (descriptor, temporary, path)
        isOpen = false
        try await Offload.shared.run {
            defer { close(descriptor) }
            guard fdatasync(descriptor) == 0 else { throw ObjectStoreError.failed(errno) }
            try makeFolders(path)
            guard rename(temporary, path) == 0 else { throw ObjectStoreError.failed(errno) }
            try flushFolder(of: path)
        }
    }

    func abandon() async {
        guard isOpen else { return }
        isOpen = false
        let (descriptor, temporary) = (descriptor, temporary)
        _ = try? await Offload.shared.run {
            close(descriptor)
            unlink(temporary)
        }
    }
}

/// Makes the folders above a path.
private func makeFolders(_ path: String) throws(ObjectStoreError) {
    var folder = ""
    for part in path.split(separator: "/").dropLast() {
        folder += "/\(part)"
        if mkdir(folder, 0o750) != 0, errno != EEXIST { throw .failed(errno) }
    }
}

/// Without this a rename may be lost in a power failure although the file's bytes are on disk.
private func flushFolder(of path: String) throws(ObjectStoreError) {
    let folder = "/" + path.split(separator: "/").dropLast().joined(separator: "/")
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .failed(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw .failed(errno) }
}
