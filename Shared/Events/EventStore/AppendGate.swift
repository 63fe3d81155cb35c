package import Runtime

/// Where appends go: to the store itself, or to something in front of it that commits them together with its own changes.
@Loop package protocol AppendGate: AnyObject, Sendable {
    /// Has the append committed, all or nothing.
    ///
    /// - Throws: ``AppendError``.
    @discardableResult
    func append(_ append: Append) async throws(AppendError) -> AppendReceipt
}
