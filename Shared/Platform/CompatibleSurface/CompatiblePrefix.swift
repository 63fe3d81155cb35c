/// The parts of the compatible surface, each with its own form of errors.
package enum CompatiblePrefix: String, Sendable, CaseIterable {
    case auth = "/auth/v1"
    case rest = "/rest/v1"
    case storage = "/storage/v1"
    case functions = "/functions/v1"

    /// Whether a request must bring an API key even with a bearer.
    var needsKey: Bool { self == .auth || self == .rest }

    /// Whether a path or a route's pattern belongs to the compatible surface.
    package static func isCompatible(_ path: String) -> Bool { allCases.contains { $0.holds(path) } }

    /// Whether a path lies below this prefix.
    func holds(_ path: String) -> Bool {
        path.hasPrefix(rawValue)
            && (path.utf8.count == rawValue.utf8.count || path.dropFirst(rawValue.count).first == "/")
    }
}
