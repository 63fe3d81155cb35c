package import EventSourcing

/// An aggregate as the store knows it: its decider, and the row writes that go with its events.
package protocol Aggregate: Decider, SendableMetatype {
    /// The guards and row writes that are committed atomically with what a command decided. Pure.
    ///
    /// ``CommandHandler`` adds them to every append, so no caller can forget them.
    ///
    /// - Parameters:
    ///   - state: before the events.
    ///   - events: what was decided; empty when nothing was left to do.
    static func rowCalls(for command: Command, _ state: State, _ events: [Event]) -> [RowCall]
}

/// What a command decided about one stream, ready to be appended: events at the version they were decided on, with their
/// row writes.
package struct Decision: Sendable {
    let write: StreamWrite
    let calls: [RowCall]

    /// Whether nothing was left to do.
    package var isEmpty: Bool { write.events.isEmpty }
}
