/// Something outside broke while a message was handled (object storage, a provider); the partition is held and the message
/// tried again.
package struct RetriableFailure: Error, Sendable, CustomStringConvertible {
    /// A short name for logs and metrics.
    package let code: String
    /// What to do about it.
    package let description: String

    package init(_ code: String, _ description: String) {
        self.code = code
        self.description = description
    }
}
