import Runtime

extension EventStore {
    /// Appends what is decided on the present state of several streams, and decides anew when somebody else was quicker.
    ///
    /// - Parameter decide: reads the streams and says what follows at their versions.
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
