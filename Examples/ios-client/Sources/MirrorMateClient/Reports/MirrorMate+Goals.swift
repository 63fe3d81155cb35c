import Foundation

extension MirrorMate {
    public func goals() async throws -> Goals {
        try await answer(.get("/v1/goals"))
    }

    /// - Parameter key: asked for twice with it, it is one goal.
    @discardableResult
    public func set(_ goal: GoalSetting, key: UUID = UUID()) async throws -> Goal {
        var call = try Call.post("/v1/goals", goal, isRepeatable: true)
        call.headers["Idempotency-Key"] = key.uuidString
        return try await answer(call)
    }

    /// Takes a goal away, open or not.
    public func drop(_ goal: Goal) async throws {
        try await send(.act("DELETE", "/v1/goals/\(goal.goalId.inPath)"))
    }
}
