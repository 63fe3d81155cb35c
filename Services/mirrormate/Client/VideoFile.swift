import Glibc

/// A file that is to be sent: there, not empty, and by its first bytes a video of a kind that the server takes.
struct VideoFile: Equatable {
    let path: String
    /// Its size in bytes.
    let size: Int64
    let contentType: String

    /// Looks at a file before anything of it is sent.
    ///
    /// - Throws: a usage failure that says why it cannot be sent.
    init(_ path: String) throws(Failure) {
        let advice = "Name a video file: MP4, MOV or WebM."
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            throw Failure(
                .usage, "no-video", "\(path) cannot be read: \(String(cString: strerror(errno))).", advice: advice)
        }
        defer { close(descriptor) }
        guard let size = Files.size(path) else {
            throw Failure(.usage, "no-video", "\(path) is no plain file.", advice: advice)
        }
        guard size > 0 else { throw Failure(.usage, "no-video", "\(path) is empty.", advice: advice) }
        var head = [UInt8](repeating: 0, count: 16)
        let count = max(0, read(descriptor, &head, head.count))
        guard let contentType = Self.contentType(head.prefix(count), named: path) else {
            throw Failure(
                .usage, "no-video", "\(path) is no video: it begins like neither MP4, MOV nor WebM.", advice: advice)
        }
        self.path = path
        self.size = size
        self.contentType = contentType
    }

    /// The media type of a file that begins so, as the server tells it: by its first bytes, MP4 and MOV apart by the name; nil for
    /// what is none of them.
    static func contentType(_ head: some Collection<UInt8>, named path: String) -> String? {
        let bytes = Array(head)
        if bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return "video/webm" }
        guard bytes.count >= 8,
            ["ftyp", "moov", "mdat", "wide", "free", "skip"].contains(where: { bytes[4..<8].elementsEqual($0.utf8) })
        else { return nil }
        return path.lowercased().hasSuffix(".mov") ? "video/quicktime" : "video/mp4"
    }
}
