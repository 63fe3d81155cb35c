import EventSourcing
import EventStore
import Primitives

/// The row functions of hand-overs that are under way.
enum HandoverRows {
    /// A hand-over, by its id and the device's user, is under way.
    static let begin = RowFunction("begin_handover", .uuid("handoverId"), .uuid("deviceId"))
    /// A hand-over has nothing left behind a stream; refused when it has come further meanwhile.
    static let finish = RowFunction(
        "finish_handover", .uuid("handoverId"), .string("afterStream"), refusals: [.handoverElsewhere])

    private static let step = RowFunction(
        "step_handover", .uuid("handoverId"), .string("fromStream"), .string("toStream"), .int("moved"),
        .int("deleted"), .int("kept"), refusals: [.handoverElsewhere, .handoverDeviceErased])

    /// The account has told as many sessions as were counted when a step was looked at; refused when it has told more since.
    static let account = RowFunction(
        "handover_account", .uuid("accountId"), .int("logged"), refusals: [.handoverAccountTold])

    static let all = [begin.declaration, finish.declaration, step.declaration, account.declaration]

    /// A hand-over has come from one stream to another: for the append that says what has become of the sessions between them. Refused
    /// when it had come further already, or the device was erased, so that no session moves that its erasure has found.
    static func step(
        _ handover: UUID, from start: String, to end: StreamName, _ outcome: Handover.Outcome
    ) -> RowCall {
        step(handover, start, end.description, outcome.moved, outcome.deleted, outcome.kept)
    }
}

extension RowRefusal {
    /// Another instance has taken this step of a hand-over.
    static let handoverElsewhere = RowRefusal("handover-elsewhere")
    /// The account has told a session while a step of a hand-over was decided.
    static let handoverAccountTold = RowRefusal("handover-account-told")
    /// The device that is handed over was erased.
    static let handoverDeviceErased = RowRefusal("handover-device-erased")
}
