/// A confidential string that stays hidden when printed, logged or reflected.
package struct Secret: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    private let text: String

    /// Wraps a string.
    package init(_ text: String) { self.text = text }

    /// The string itself; call it only where the secret is used.
    package func reveal() -> String { text }

    package var description: String { "***" }
    package var debugDescription: String { "***" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
