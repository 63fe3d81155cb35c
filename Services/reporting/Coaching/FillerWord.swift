/// The filler words that a report counts, in its order.
///
/// The media helper counts them: `fillerNames` in `Words.hpp` is the same list, as a test checks.
package enum FillerWord: String, CaseIterable, Sendable {
    case um, uh, like
    case youKnow = "you know"
    case so, actually, basically, literally
}
