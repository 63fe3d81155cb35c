import JSON
import Primitives

/// A small picture of a recording, taken out of it by the helper.
package struct RecordingPicture: Sendable, Equatable {
    /// JPEG, upright, its longer side 512 pixels.
    package let jpeg: [UInt8]
    /// When it was taken, in milliseconds from the start.
    package let atMs: Int64

    private static let mostPictures = 8
    private static let mostBytes = 96 << 10

    /// All that the helper says; nil when one is missing or no small JPEG, because it opens hostile files.
    static func all(_ said: JSONObject) -> [RecordingPicture]? {
        guard let list = said["frames"]?.arrayValue, (1...mostPictures).contains(list.count) else { return nil }
        let pictures = list.compactMap { $0.objectValue.flatMap(RecordingPicture.init) }
        return pictures.count == list.count ? pictures : nil
    }

    private init?(_ said: JSONObject) {
        guard let text = said["jpeg"]?.stringValue, let jpeg = Base64.decode(text), jpeg.count <= Self.mostBytes,
            jpeg.starts(with: [0xFF, 0xD8, 0xFF]), jpeg.suffix(2) == [0xFF, 0xD9], let atMs = said["atMs"]?.intValue,
            (0...3_600_000).contains(atMs)
        else { return nil }
        self.jpeg = jpeg
        self.atMs = atMs
    }
}
