import Glibc
import Primitives
import Runtime

/// Objects as files in one folder, for a single machine.
///
/// A file is written under a temporary name, flushed to disk and renamed, so a crash leaves no partial object. What a crash
/// leaves of the temporary file lies beside the object's place and goes when the object is deleted. All file operations run
/// off the event loop.
package struct FileObjectStore: ObjectStore {
    private let root: String

    /// - Parameter root: the folder; created if missing.
    package init(root: String) { self.root = root }

    private func path(_ key: String) throws(ObjectStoreError) -> String {
        try ObjectKey.check(key)
        return "\(root)/\(key)"
    }

    package func prepare(writing prefixes: [String]) async throws {
        let root = root
        try await Offload.shared.run {
            do {
                try makeFolders(root + "/x")
            } catch ObjectStoreError.failed(let code) {
                throw ObjectStoreError.misconfigured(
                    "OBJECT_STORE names a folder that cannot be created (errno \(code)); name one that this user may write."
                )
            }
            let isOpen = prefixes.allSatisfy { prefix in
                // What is not there yet is made in the folder itself.
                access("\(root)/\(prefix)", W_OK | X_OK) == 0 || errno == ENOENT && access(root, W_OK) == 0
            }
            guard isOpen, access(root, R_OK | X_OK) == 0 else {
                throw ObjectStoreError.misconfigured(
                    "OBJECT_STORE names a folder that this user may not write; change its permissions or name another.")
            }
            // Earlier releases wrote here; nobody has for a day.
            for entry in try entries(of: root) where entry.name.hasPrefix(writing) {
                var status = stat()
                let path = "\(root)/\(entry.name)"
                if lstat(path, &status) == 0, time(nil) - status.st_mtim.tv_sec > 86_400 { unlink(path) }
            }
        }
    }

    package func makeWriter(_ key: String, size: Int64) async throws -> any ObjectWriter {
        let path = try path(key)
        let (folder, start) = unfinished(path)
        let temporary = "\(folder)/\(start)\(UUID.v7())"
        let descriptor = try await Offload.shared.run {
            try makeFolders(temporary)
            let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o640)
            guard descriptor >= 0 else { throw ObjectStoreError.failed(errno) }
            return descriptor
        }
        return FileObjectWriter(descriptor, temporary: temporary, path: path, size: size)
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

    package func read(_ key: String, from offset: Int64, count: Int) async throws -> [UInt8] {
        let path = try path(key)
        return try await Offload.shared.run {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw errno == ENOENT ? ObjectStoreError.missing(key) : .failed(errno) }
            defer { close(descriptor) }
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let got = bytes.withUnsafeMutableBytes {
                    pread(descriptor, $0.baseAddress! + filled, count - filled, off_t(offset) + off_t(filled))
                }
                if got < 0 { throw ObjectStoreError.failed(errno) }
                if got == 0 { break }
                filled += got
            }
            return Array(bytes[..<filled])
        }
    }

    /// Passes the object's own file; `folder` is not used.
    ///
    /// - Throws: ``ObjectStoreError``: `missing` or `badKey`; otherwise what `work` throws.
    package func withFile<T: Sendable>(
        _ key: String, in folder: String, _ work: (String) async throws -> T
    ) async throws -> T {
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
                // A retry finds it already moved.
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
            let (folder, start) = unfinished(path)
            for entry in try entries(of: folder) where entry.name.hasPrefix(start) {
                if unlink("\(folder)/\(entry.name)") != 0, errno != ENOENT { throw ObjectStoreError.failed(errno) }
            }
        }
    }

    package func keys(under prefix: String) async throws -> [String] {
        let start = try path(prefix + "x").dropLast(2)
        let cut = root.utf8.count + 1
        return try await Offload.shared.run {
            var found: [String] = []
            var folders = [String(start)]
            while let folder = folders.popLast() {
                for entry in try entries(of: folder) where !entry.name.hasPrefix(".") {
                    let path = "\(folder)/\(entry.name)"
                    if entry.isFolder {
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

/// How the names of files begin that are not complete yet.
private let writing = ".writing-"

/// Where the unfinished files of an object's path lie, and how their names begin.
private func unfinished(_ path: String) -> (folder: String, start: String) {
    let parts = path.split(separator: "/")
    return ("/" + parts.dropLast().joined(separator: "/"), "\(writing)\(parts.last ?? "")-")
}
