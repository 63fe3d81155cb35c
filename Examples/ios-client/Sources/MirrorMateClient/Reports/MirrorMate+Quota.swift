extension MirrorMate {
    /// What is left of the caller's plan.
    public func quota() async throws -> Quota {
        try await answer(.get("/v1/quota"))
    }
}
