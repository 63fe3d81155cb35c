import HTTPClient

/// A form of sound that a provider can read a text aloud in. The raw value stands in `PROVIDERS_FILE`.
package enum AudioForm: String, Sendable, CaseIterable {
    case mp3, opus, wav

    /// Such as `audio/mpeg`.
    package var contentType: String {
        switch self {
        case .mp3: "audio/mpeg"
        case .opus: "audio/ogg"
        case .wav: "audio/wav"
        }
    }

    /// Whether bytes begin as sound of this form does. What follows, a decoder has to believe or not.
    func begins(_ bytes: [UInt8]) -> Bool {
        switch self {
        // A tag, or the first frame: eleven bits for its beginning, and a layer that there is.
        case .mp3:
            bytes.starts(with: Array("ID3".utf8))
                || bytes.count >= 4 && bytes[0] == 0xFF && bytes[1] & 0xE0 == 0xE0 && bytes[1] & 0x06 != 0
        case .opus: bytes.starts(with: Array("OggS".utf8))
        case .wav: bytes.starts(with: Array("RIFF".utf8)) && bytes.dropFirst(8).starts(with: Array("WAVE".utf8))
        }
    }

    /// Whether an answer is said to be sound where sound was asked for. Servers name their forms in many ways, and some do not.
    static func isPlausible(_ answer: HTTPClientResponse, to request: HTTPClientRequest) -> Bool {
        guard request.headers.contains(where: { $0.name == "Accept" && $0.value.hasPrefix("audio/") }) else {
            return true
        }
        let type = answer.header("content-type")?.lowercased() ?? ""
        return type.hasPrefix("audio/") || type.hasPrefix("application/octet-stream")
    }
}
