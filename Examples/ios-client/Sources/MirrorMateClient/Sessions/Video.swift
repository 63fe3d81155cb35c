import Foundation

/// A recorded file, as it is announced and sent.
public struct Video: Sendable {
    public let file: URL
    public let type: SessionWish.MediaType
    public let bytes: Int

    /// - Throws: ``ClientError/noVideo(_:)`` when the file cannot be read, or its name says that it is something else.
    public init(_ file: URL) throws {
        let types: [String: SessionWish.MediaType] = [
            "mp4": .mp4, "m4v": .mp4, "mov": .quickTime, "webm": .webM,
        ]
        guard let type = types[file.pathExtension.lowercased()],
            let bytes = try? file.resourceValues(forKeys: [.fileSizeKey]).fileSize, bytes > 0
        else { throw ClientError.noVideo(file) }
        self.file = file
        self.type = type
        self.bytes = bytes
    }
}
