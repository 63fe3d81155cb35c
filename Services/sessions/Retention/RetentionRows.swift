import EventStore
import Primitives

/// The row functions of choices about recordings.
enum RetentionRows {
    /// Notes for how many days an owner keeps recordings.
    static let choose = RowFunction("choose_retention", .uuid("ownerId"), .int("days"))
    /// For the append that erases an owner.
    static let forget = RowFunction("forget_retention", .uuid("ownerId"))

    static let all = [choose.declaration, forget.declaration]
}
