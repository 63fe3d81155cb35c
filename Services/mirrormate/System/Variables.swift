import Glibc

/// The process's environment variables.
enum Variables {
    /// The value of a variable, or nil.
    static subscript(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Those of the named variables that are set; what a child process is given besides its own settings.
    static func inherited(_ names: [String]) -> [String: String] {
        var found: [String: String] = [:]
        for name in names { found[name] = Self[name] }
        return found
    }
}
