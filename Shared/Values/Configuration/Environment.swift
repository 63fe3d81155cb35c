import Glibc
import Primitives

/// Reads a process's settings from environment variables and collects every problem, so that one start shows them all.
///
/// After a problem a reader returns a harmless value; use none of the values before ``finish()`` has returned.
package final class Environment {
    private let lookUp: (String) -> String?
    private var problems: [String] = []

    /// The variables of this process.
    package init() {
        lookUp = { name in getenv(name).map { String(cString: $0) } }
    }

    /// The given variables, for tests and for processes started by others.
    package init(_ variables: [String: String]) {
        lookUp = { variables[$0] }
    }

    /// Throws one error that lists all problems found so far; does nothing if there are none.
    ///
    /// - Throws: ``ConfigurationError`` if there are any.
    package func finish() throws(ConfigurationError) {
        if !problems.isEmpty { throw ConfigurationError(problems: problems) }
    }

    /// Adds a problem found by the caller, such as two settings that contradict each other.
    package func refuse(_ name: String, _ sentence: String) { problems.append("\(name) \(sentence)") }

    /// A variable's value; nil if it is missing or empty, which is not a problem.
    package func optional(_ name: String) -> String? {
        guard let value = lookUp(name), !value.isEmpty else { return nil }
        return value
    }

    /// A string; a missing one without a default is a problem.
    package func string(_ name: String, default fallback: String? = nil) -> String {
        if let value = optional(name) ?? fallback { return value }
        refuse(name, "is missing; set it.")
        return ""
    }

    /// A whole number within a range.
    package func int(_ name: String, default fallback: Int? = nil, in range: ClosedRange<Int> = 0...Int.max) -> Int {
        parse(name, fallback, invalid: range.lowerBound) { text in
            guard let number = Int(text), range.contains(number) else { return nil }
            return number
        } expecting: {
            range.upperBound == .max
                ? "a whole number of at least \(range.lowerBound)"
                : "a whole number from \(range.lowerBound) to \(range.upperBound)"
        }
    }

    /// A TCP port; 0 lets the kernel choose one.
    package func port(_ name: String, default fallback: Int? = nil) -> Int {
        int(name, default: fallback, in: 0...65_535)
    }

    /// A number with a fraction.
    package func double(_ name: String, default fallback: Double? = nil) -> Double {
        parse(name, fallback, invalid: 0) {
            Double($0).flatMap { $0.isFinite ? $0 : nil }
        } expecting: {
            "a number"
        }
    }

    /// A span of time such as `250ms`, `2s`, `15m`, `1h` or `7d`.
    package func duration(_ name: String, default fallback: Duration? = nil) -> Duration {
        parse(name, fallback, invalid: .zero) {
            Duration(configuration: $0)
        } expecting: {
            "a span of time such as 250ms, 2s or 15m"
        }
    }

    /// The URL of a web server without a path, such as `https://api.example.org`.
    package func webAddress(_ name: String, default fallback: String? = nil) -> String {
        parse(name, fallback, invalid: "") { text in
            guard let start = ["http://", "https://"].first(where: { text.hasPrefix($0) }) else { return nil }
            let host = text.utf8.dropFirst(start.utf8.count)
            let isHost = host.allSatisfy { (0x21...0x7E).contains($0) && !"/?#@\\\"<>".utf8.contains($0) }
            return isHost && !host.isEmpty ? text : nil
        } expecting: {
            "http:// or https:// and a host, without a path"
        }
    }

    /// `true` or `false`.
    package func bool(_ name: String, default fallback: Bool? = nil) -> Bool {
        parse(name, fallback, invalid: false) {
            $0 == "true" ? true : $0 == "false" ? false : nil
        } expecting: {
            "true or false"
        }
    }

    /// One of a few words, the raw values of an enumeration.
    package func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ name: String, default fallback: Choice
    ) -> Choice {
        parse(name, fallback, invalid: fallback) {
            Choice(rawValue: $0)
        } expecting: {
            "one of " + Choice.allCases.map(\.rawValue).joined(separator: ", ")
        }
    }

    /// A secret from the variable, or from the file that `NAME_FILE` names (without its trailing newline).
    ///
    /// Secrets of fewer than sixteen characters and well-known placeholders are refused.
    package func secret(_ name: String) -> Secret {
        if let secret = optionalSecret(name) { return secret }
        if optional(name) == nil, optional(name + "_FILE") == nil {
            refuse(name, "is missing; set it, or name a file that holds it in \(name)_FILE.")
        }
        return Secret("")
    }

    /// Like ``secret(_:)``; nil if neither variable is set.
    package func optionalSecret(_ name: String) -> Secret? {
        let text: String
        switch (optional(name), optional(name + "_FILE")) {
        case (nil, nil): return nil
        case (_?, _?):
            refuse(name, "and \(name)_FILE are both set; unset one of them.")
            return nil
        case (let value?, nil): text = value
        case (nil, let path?):
            guard let content = Self.text(of: path) else {
                refuse(name + "_FILE", "names a file that cannot be read as text; check its path and permissions.")
                return nil
            }
            text = content
        }
        if let fault = Self.fault(of: text) {
            refuse(name, fault)
            return nil
        }
        return Secret(text)
    }

    private func parse<Value>(
        _ name: String, _ fallback: Value?, invalid: Value, _ convert: (String) -> Value?, expecting: () -> String
    ) -> Value {
        guard let text = optional(name) else {
            if let fallback { return fallback }
            refuse(name, "is missing; set it to \(expecting()).")
            return invalid
        }
        if let value = convert(text) { return value }
        refuse(name, "must be \(expecting()).")
        return invalid
    }
}

extension Environment {
    private static let largestSecretFile = 65_536
    private static let shortestSecret = 16
    private static let fewestCharacters = 6
    private static let placeholders = [
        "change-me", "changeme", "change_me", "secret", "password", "placeholder", "example", "default", "insecure",
        "replace-me", "replace_me", "replaceme", "todo", "xxxx",
    ]

    /// What is wrong with a secret, as the end of a sentence; nil if it may be used.
    private static func fault(of text: String) -> String? {
        let lowered = text.lowercased()
        // Refuses only values made up of placeholder words: a random one may contain any short word.
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

    /// The content of a small text file without its trailing newline; nil if it cannot be read.
    package static func text(of path: String) -> String? {
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
