import Runtime

extension EventStore {
    /// Appends what is decided on the current state of several streams, and decides again on a version conflict.
    ///
    /// - Parameter decide: reads the streams and returns what to append at their versions.
    /// - Throws: what `decide` throws, or ``AppendError``.
    @discardableResult
    @Loop package func append(
        deciding decide: @Loop () async throws -> Append
    ) async throws -> AppendReceipt {
        for round in 1... {
            let append = try await decide()
            do throws(AppendError) {
                return try await self.append(append)
            } catch {
                guard case .conflict = error, round < 8 else { throw error }
            }
        }
        preconditionFailure("The loop above ends by returning or throwing.")
    }
}
