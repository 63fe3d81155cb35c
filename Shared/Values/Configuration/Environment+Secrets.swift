import Glibc

extension Environment {
    private static let largestSecretFile = 65_536
    private static let shortestSecret = 16
    private static let fewestCharacters = 6
    private static let placeholders = [
        "change-me", "changeme", "change_me", "secret", "password", "placeholder", "example", "default", "insecure",
        "replace-me", "replace_me", "replaceme", "todo", "xxxx",
    ]

    /// What is wrong with a secret, as the end of a sentence; nil when it may be used.
    static func fault(of text: String) -> String? {
        let lowered = text.lowercased()
        // Only texts made of placeholder words are meant: a random one may contain any short word.
        let rest = placeholders.reduce(lowered) { $0.split(separator: $1, omittingEmptySubsequences: true).joined() }
        if rest.count < lowered.count, rest.count < shortestSecret {
            return "is a placeholder; set a random value, for example from `openssl rand -base64 32`."
        }
        if text.count < shortestSecret {
            return "is shorter than \(shortestSecret) characters; set a longer random value."
        }
        if Set(text).count < fewestCharacters {
            return "consists of fewer than \(fewestCharacters) different characters; set a random value."
        }
        return nil
    }

    /// A small text file without the line end behind its last line; nil when there is none.
    static func content(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: largestSecretFile)
        var count = 0
        while count < bytes.count {
            let got = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + count, $0.count - count) }
            if got < 0 { return nil }
            if got == 0 { break }
            count += got
        }
        bytes.removeLast(bytes.count - count)
        if bytes.last == 0x0A { bytes.removeLast() }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes.isEmpty ? nil : String(validating: bytes, as: UTF8.self)
    }
}
