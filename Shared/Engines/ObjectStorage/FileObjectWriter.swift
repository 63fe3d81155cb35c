import Glibc
import Runtime

/// Writes a file off the loop, piece by piece, in constant memory.
@Loop final class FileObjectWriter: ObjectWriter {
    private let descriptor: Int32
    private let temporary: String
    private let path: String
    private let size: Int64
    private var count: Int64 = 0
    private var isOpen = true

    init(_ descriptor: Int32, temporary: String, path: String, size: Int64) {
        self.descriptor = descriptor
        self.temporary = temporary
        self.path = path
        self.size = size
    }

    func write(_ bytes: [UInt8]) async throws {
        count += Int64(bytes.count)
        guard count <= size else { throw ObjectStoreError.wrongSize }
        let descriptor = descriptor
        try await Offload.shared.run { try writeAll(bytes, to: descriptor) }
    }

    func commit() async throws {
        guard count == size else { throw ObjectStoreError.wrongSize }
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
