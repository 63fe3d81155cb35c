import HTTPClient
import Runtime

/// Streams an object of known length to an S3 server.
///
/// The last piece is held back until ``commit()``, because a server makes an object visible as soon as it has all bytes.
/// Most servers discard an incomplete upload; some keep it, and ``abandon()`` deletes that, or the sweeper after a crash.
@Loop final class S3ObjectWriter: ObjectWriter {
    private let size: Int64
    private let makeRequest: @Loop (HTTPClientRequest.Body) -> HTTPClientRequest
    private let remove: @Loop () async throws -> Void
    private var upload: HTTPClientUpload?
    private var held: [UInt8] = []
    private var count: Int64 = 0

    init(
        size: Int64, _ makeRequest: @escaping @Loop (HTTPClientRequest.Body) -> HTTPClientRequest,
        remove: @escaping @Loop () async throws -> Void
    ) {
        self.size = size
        self.remove = remove
        self.makeRequest = makeRequest
    }

    func write(_ bytes: [UInt8]) async throws {
        count += Int64(bytes.count)
        guard count <= size else { throw ObjectStoreError.wrongSize }
        let piece = held
        held = bytes
        if !piece.isEmpty { try await send(piece) }
    }

    func commit() async throws {
        guard count == size else { throw ObjectStoreError.wrongSize }
        if size == 0 {
            let request = makeRequest(.bytes([]))
            let response = try await S3ObjectStore.translating { try await HTTPClient.shared.send(request) }
            return try check(response)
        }
        try await send(held)
        held = []
        guard let upload else { throw ObjectStoreError.wrongSize }
        try check(try await S3ObjectStore.translating { try await upload.finish() })
    }

    func abandon() async {
        held = []
        guard let upload else { return }
        upload.cancel()
        self.upload = nil
        try? await remove()
    }

    private func send(_ piece: [UInt8]) async throws {
        let upload = try self.upload ?? HTTPClient.shared.upload(makeRequest(.pieces(size: size)))
        self.upload = upload
        // A server that accepts nothing for this long counts as gone.
        try await S3ObjectStore.translating {
            try await Loop.withDeadline(.seconds(30)) { try await upload.write(piece) }
        }
    }

    private func check(_ response: HTTPClientResponse) throws {
        let answer = S3Answer(response)
        guard answer.isSuccess else { throw answer.error() }
    }
}
