import EventStore

/// The rows of `defined_plans`: which plans there are.
enum PlanRows {
    /// Notes which stream is a plan's: plan, stream.
    static let define = RowFunction("define_plan", .string("plan"), .string("stream"))

    static let all = [define.declaration]
}
