import JSON
import Primitives
import Runtime

/// A session of somebody's own, as they name it.
enum SessionName: Sendable, Equatable {
    case id(UUID)
    /// The first digits of its id.
    case start(String)

    /// Reads a word in any form in which an id is shown; see ``SubjectName``.
    init?(_ word: String) {
        switch SubjectName(word) {
        case .id(let id): self = .id(id)
        case .start(let digits): self = .start(digits)
        case .email, .place, nil: return nil
        }
    }

    /// The only one of some ids that begins so.
    ///
    /// - Throws: a failure that says what to type instead.
    static func only(_ digits: String, of ids: [String]) throws(Failure) -> String {
        let found = ids.filter { $0.hasPrefix(digits) }
        if let id = found.first, found.count == 1 { return id }
        if found.isEmpty {
            throw Failure(
                .usage, "unknown", "This account has no session whose id begins with \(digits).",
                advice: "`mirrormate sessions list` shows sessions and their owners; --email EMAIL names another one.")
        }
        throw .ambiguous(digits, among: found)
    }
}

extension ValueType where Value == SessionName {
    /// A session of the account as which the command speaks.
    static var session: Self {
        Self(
            "SESSION", expected: "an id or its first digits (4 or more), as `mirrormate sessions list` shows them"
        ) { SessionName($0) }
    }
}

extension Server {
    /// The id of a session of the account.
    ///
    /// - Throws: `Failure`, also when the account has none that begins so, or several.
    func id(of session: SessionName) async throws -> String {
        switch session {
        case .id(let id): return id.description
        case .start(let digits):
            var ids: [String] = []
            var cursor: String?
            repeat {
                let page = try await call("GET", "/v1/sessions?limit=100" + (cursor.map { "&cursor=\($0)" } ?? ""))
                ids += (page["items"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
                cursor = page["nextCursor"]?.stringValue
            } while cursor != nil
            return try SessionName.only(digits, of: ids)
        }
    }
}
