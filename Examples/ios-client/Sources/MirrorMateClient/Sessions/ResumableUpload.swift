import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An upload that goes on where it was. Its address is signed, and needs no token.
struct ResumableUpload: Sendable {
    static let version = ["Tus-Resumable": "1.0.0"]
    /// What is in memory at once, in bytes.
    static let piece = 4 << 20

    let address: URL

    init(_ address: URL) { self.address = address }

    /// How many bytes the server has for good; nil when the upload is over, or another took its place.
    func offset() async throws -> Int? {
        do {
            return try Self.offset(try await Exchange.answer(to: request("HEAD")))
        } catch let problem as Problem where [403, 404, 410].contains(problem.status) {
            return nil
        }
    }

    /// Sends a file from a place to its end.
    ///
    /// - Parameter progress: hears how much is there, from 0 to 1.
    func send(_ video: Video, from start: Int, _ progress: @Sendable (Double) -> Void) async throws {
        let file = try FileHandle(forReadingFrom: video.file)
        defer { try? file.close() }
        var offset = start
        progress(Double(offset) / Double(video.bytes))
        while offset < video.bytes {
            try file.seek(toOffset: UInt64(offset))
            guard let piece = try file.read(upToCount: Self.piece), !piece.isEmpty else {
                throw ClientError.noVideo(video.file)
            }
            var request = request("PATCH")
            request.setValue("application/offset+octet-stream", forHTTPHeaderField: "Content-Type")
            request.setValue(String(offset), forHTTPHeaderField: "Upload-Offset")
            let from = offset
            let response = try await Exchange.answer(to: request, sending: piece) { sent in
                progress(Double(from + Int(sent)) / Double(video.bytes))
            }
            offset = try Self.offset(response)
        }
    }

    private func request(_ method: String) -> URLRequest {
        var request = URLRequest(url: address)
        request.httpMethod = method
        for (name, value) in Self.version { request.setValue(value, forHTTPHeaderField: name) }
        return request
    }

    private static func offset(_ response: HTTPURLResponse) throws -> Int {
        guard let offset = response.value(forHTTPHeaderField: "Upload-Offset").flatMap({ Int($0) }) else {
            throw URLError(.badServerResponse)
        }
        return offset
    }
}
