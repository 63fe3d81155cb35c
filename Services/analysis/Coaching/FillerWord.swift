/// The filler words that a report counts, in its order.
///
/// The media helper counts them: `fillerNames` in `Words.hpp` is the same list, as a test checks.
package enum FillerWord: String, CaseIterable, Sendable {
    case um, uh, like
    case youKnow = "you know"
    case so, actually, basically, literally

    /// Whether a single occurrence, wherever it is, can be taken for a filler and shown as a key moment (`KeyMoments`):
    /// `so` and `like` often are not, and `you know` is two words. All are counted alike, but `so`: `Words.hpp` says how.
    package var isUnambiguous: Bool {
        switch self {
        case .um, .uh, .actually, .basically, .literally: true
        case .like, .youKnow, .so: false
        }
    }
}
