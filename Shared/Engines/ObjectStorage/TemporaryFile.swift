import Glibc
import Runtime

/// A local copy of a remote object; all file operations run off the event loop.
@Loop final class TemporaryFile {
    private let descriptor: Int32

    private init(_ descriptor: Int32) { self.descriptor = descriptor }

    /// Creates a file, has it filled and used, and removes it.
    ///
    /// - Throws: ``ObjectStoreError/failed(_:)`` if the disk fails, otherwise what the two closures throw.
    static func with<T: Sendable>(
        _ path: String, fill: (TemporaryFile) async throws -> Void, use: () async throws -> T
    ) async throws -> T {
        let descriptor = try await Offload.shared.run {
            let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { throw ObjectStoreError.failed(errno) }
            return descriptor
        }
        let result: Result<T, any Error>
        do {
            do {
                try await fill(TemporaryFile(descriptor))
                close(descriptor)
            } catch {
                close(descriptor)
                throw error
            }
            result = .success(try await use())
        } catch {
            result = .failure(error)
        }
        unlink(path)
        return try result.get()
    }

    func append(_ bytes: [UInt8]) async throws {
        let descriptor = descriptor
        try await Offload.shared.run { try writeAll(bytes, to: descriptor) }
    }
}
