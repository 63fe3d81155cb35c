import Glibc

/// The process's environment variables.
enum Variables {
    /// The value of a variable, or nil.
    static subscript(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// All of them.
    static var all: [String: String] {
        let text = (try? Files.read("/proc/self/environ")) ?? []
        let pairs = text.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }.compactMap { pair in
            pair.firstIndex(of: "=").map { (String(pair[..<$0]), String(pair[pair.index(after: $0)...])) }
        }
        return Dictionary(pairs) { first, _ in first }
    }

    /// Those of the named variables that are set; what a child process is given besides its own settings.
    static func inherited(_ names: [String]) -> [String: String] {
        var found: [String: String] = [:]
        for name in names { found[name] = Self[name] }
        return found
    }
}
