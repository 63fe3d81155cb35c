package import Runtime

/// Where appends go: to the store itself, or to somebody in front of it who commits them together with something of its own.
@Loop package protocol AppendGate: AnyObject, Sendable {
    /// Sees to it that the append is committed, all or nothing.
    ///
    /// - Throws: ``AppendError``.
    @discardableResult
    func append(_ append: Append) async throws(AppendError) -> AppendReceipt
}
