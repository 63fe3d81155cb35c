/// A confidential text that does not show itself when it is printed, logged or reflected.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Wraps a text.
    package init(_ text: String) { self.text = text }

    /// The text itself, for handing it to whoever needs it, and to nobody else.
    package func reveal() -> String { text }

    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
