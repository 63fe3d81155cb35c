import Crypto
import Primitives

/// A body of the type `multipart/form-data` (RFC 7578). Names and values are ours; no quote and no line break is in them.
struct Multipart {
    private let boundary = "mirrormate-" + Hex.encode(SecureRandom.bytes(16))
    private var parts: [UInt8] = []

    var contentType: String { "multipart/form-data; boundary=\(boundary)" }
    var body: [UInt8] { parts + Array("--\(boundary)--\r\n".utf8) }

    mutating func add(_ name: String, _ value: String) {
        add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n")
    }

    mutating func add(_ name: String, _ audio: ProviderAudio) {
        add("--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"\(audio.fileName)\"\r\n")
        add("Content-Type: \(audio.contentType)\r\n\r\n")
        parts += audio.bytes
        add("\r\n")
    }

    private mutating func add(_ text: String) { parts += Array(text.utf8) }
}
