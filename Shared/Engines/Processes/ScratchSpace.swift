import Glibc
import Primitives
import Runtime

/// This instance's folder for working files, with one folder for each attempt.
///
/// Instances may share the parent folder: each holds a lock on its own folder, which ends with the process, so that a new
/// instance can tell what dead ones left behind.
package struct ScratchSpace: Sendable {
    /// Why the folder for working files cannot be used.
    package struct Failure: Error, CustomStringConvertible {
        let code: Int32
        package var description: String {
            "The folder for working files cannot be used: \(String(cString: strerror(code))). Name a writable one."
        }
    }

    private let folder: String

    /// Removes what dead instances left behind and creates this instance's folder.
    ///
    /// - Parameters:
    ///   - root: the parent folder; created if missing.
    ///   - program: the same name in all instances that clean up after each other.
    /// - Throws: ``Failure`` if a folder cannot be created or locked.
    package static func open(_ root: String, for program: String) async throws -> ScratchSpace {
        try await Offload.shared.run {
            try make(root)
            for name in entries(of: root) where name.hasPrefix("\(program)-") { removeIfDead("\(root)/\(name)") }
            let folder = "\(root)/\(program)-\(UUID.v7())"
            try make(folder)
            // The lock is held until the process ends.
            guard lock(folder) != nil else { throw Failure(code: errno) }
            return ScratchSpace(folder: folder)
        }
    }

    /// Creates an empty folder for one attempt.
    ///
    /// - Throws: ``Failure`` if it cannot be created.
    package func makeFolder(_ name: String) async throws -> String {
        let path = "\(folder)/\(name)"
        return try await Offload.shared.run {
            try Self.make(path)
            return path
        }
    }

    /// Removes a folder created by ``makeFolder(_:)``.
    package func remove(_ path: String) async {
        _ = try? await Offload.shared.run { Self.removeAll(path) }
    }

    /// Removes the instance's own folder.
    package func close() async { await remove(folder) }

    private static func make(_ path: String) throws(Failure) {
        if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
        let code = errno
        guard code == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw Failure(code: code)
        }
        try make(String(path[..<slash]))
        if mkdir(path, 0o700) != 0, errno != EEXIST { throw Failure(code: errno) }
    }

    private static func lock(_ folder: String) -> Int32? {
        let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
        Glibc.close(descriptor)
        return nil
    }

    private static func removeIfDead(_ folder: String) {
        guard let descriptor = lock(folder) else { return }
        defer { Glibc.close(descriptor) }
        removeAll(folder)
    }

    /// Removes a folder and everything in it; does not follow links.
    package static func removeAll(_ path: String) {
        for name in entries(of: path) {
            let entry = "\(path)/\(name)"
            if unlink(entry) != 0, errno == EISDIR || errno == EPERM { removeAll(entry) }
        }
        rmdir(path)
    }

    private static func entries(of path: String) -> [String] {
        let descriptor = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        guard let directory = fdopendir(descriptor) else {
            Glibc.close(descriptor)
            return []
        }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
