import Contracts
import HTTPServer
import ObjectStorage
import Primitives
import Runtime
import ServiceKit

/// Sends a recording, or one range of its bytes, in constant memory, to so many at once.
@Loop struct RecordingSending {
    /// How much of a recording is in memory at once, in bytes.
    private nonisolated static let pieceBytes: Int64 = 524_288

    private let objects: any ObjectStore
    /// Of those who fetch a recording: each holds a connection and a piece of a file for as long as it takes.
    private let places: ClientPlaces
    private let longest: Duration

    init(_ objects: any ObjectStore, _ settings: RetentionSettings) {
        self.objects = objects
        let (all, perUser, perAddress) = settings.downloads
        places = ClientPlaces(
            all: all, perUser: perUser, perAddress: perAddress, share: 4, refusal: .tooManyDownloads)
        longest = settings.downloadTime
    }

    /// The answer with a recording.
    ///
    /// - Parameters:
    ///   - left: for how long it is there.
    ///   - more: further fields of the answer.
    /// - Throws: the problems `range-not-satisfiable`, `too-many-downloads` and `media-not-kept`, or that it is unavailable.
    func answer(
        _ request: Request, _ media: MediaReference, of owner: UUID, for left: Duration, _ more: Headers = [:]
    ) async throws -> Response {
        let (key, size) = (media.key, media.sizeBytes)
        let tag = "\"\(media.sha256)\""
        var headers: Headers = [
            "Content-Type": media.contentType, "Content-Disposition": "inline",
            "Cache-Control": "private, no-store",
            "X-Content-Type-Options": "nosniff", "Accept-Ranges": "bytes", "ETag": tag,
        ]
        for field in more.fields { headers[field.name] = field.value }
        var range: Range<Int64> = 0..<size
        var status = 200
        switch request.byteRange(of: size, tag: tag) {
        case .whole: break
        case .part(let part):
            range = part
            status = 206
            headers["Content-Range"] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(size)"
        case .unsatisfiable:
            throw Problem(.rangeNotSatisfiable, headers: ["Content-Range": "bytes */\(size)"])
        }
        let place = try places.place(of: owner, in: request.clientNetworks)
        // Now, while it can still be said that it is gone.
        let first = try await read(key, range.lowerBound..<min(range.upperBound, range.lowerBound + Self.pieceBytes))
        let objects = objects
        let time = min(longest, left)
        return .stream(
            contentType: media.contentType, length: Int64(range.count), status: status, headers: headers
        ) { writer in
            // Held until the last byte is written, or the client is gone.
            defer { withExtendedLifetime(place) {} }
            // Whatever its pace. A player that is cut off asks for the rest when it needs it, by a range of its own.
            writer.demand(within: time)
            try await writer.write(first)
            var next = range.lowerBound + Int64(first.count)
            while next < range.upperBound {
                let count = Int(min(range.upperBound - next, Self.pieceBytes))
                let piece = try await objects.read(key, from: next, count: count)
                // It was removed meanwhile; what is missing breaks the connection off.
                guard piece.count == count else { throw ObjectStoreError.missing(key) }
                try await writer.write(piece)
                next += Int64(count)
            }
        }
    }

    private func read(_ key: String, _ range: Range<Int64>) async throws -> [UInt8] {
        do {
            let bytes = try await objects.read(key, from: range.lowerBound, count: range.count)
            guard bytes.count == range.count else { throw Problem(.mediaNotKept) }
            return bytes
        } catch ObjectStoreError.missing {
            throw Problem(.mediaNotKept)
        } catch is ObjectStoreError {
            throw Problem.unavailable
        }
    }
}
