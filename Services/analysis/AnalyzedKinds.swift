import Contracts

/// The kinds of session whose uploads are analyzed here; the uploads of all others are somebody else's business.
enum AnalyzedKinds {
    static let all: Set<SessionKind> = [.mirrormate]
}
