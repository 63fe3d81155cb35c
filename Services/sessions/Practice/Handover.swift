package import EventSourcing
package import EventStore
import JSON
package import Primitives

/// A hand-over of what was logged on an anonymous device to an account: a stream for each announcement, from when it was heard until
/// all sessions that it concerns were looked at. The sessions themselves say in their own streams what has become of them.
package enum Handover: Sendable, Equatable {
    /// Nothing is known under this id.
    case absent
    /// Sessions are being given to the account.
    case underWay(Terms)
    /// There is nothing left to look at.
    case finished(Terms, Outcome)

    /// What is handed over to whom.
    package struct Terms: Sendable, Equatable {
        /// How far a device's clock may be ahead, and more: what was practised before a hand-over is never left behind.
        private static let slackSeconds: Int64 = 3_600

        /// The id of the append that begins it, which follows from the announcement.
        package var handoverId: UUID
        /// The device's user.
        package var deviceId: UUID
        package var accountId: UUID
        /// When the device's secret was shown.
        package var handedOverAt: Timestamp

        package init(handoverId: UUID, deviceId: UUID, accountId: UUID, handedOverAt: Timestamp) {
            self.handoverId = handoverId
            self.deviceId = deviceId
            self.accountId = accountId
            self.handedOverAt = handedOverAt
        }

        /// Whether a session that began at a moment is part of it: what began later belongs to whoever uses the device then.
        package func concerns(begunAt moment: Timestamp) -> Bool {
            moment <= handedOverAt.adding(seconds: Self.slackSeconds)
        }
    }

    /// What has become of the sessions that were looked at, in numbers.
    package struct Outcome: Sendable, Equatable {
        /// Given to the account.
        package var moved: Int64
        /// Deleted: the account has told them, too, or was erased.
        package var deleted: Int64
        /// Left with the device.
        package var kept: Int64

        package init(moved: Int64 = 0, deleted: Int64 = 0, kept: Int64 = 0) {
            self.moved = moved
            self.deleted = deleted
            self.kept = kept
        }
    }
}

/// What can be asked of a hand-over.
package enum HandoverCommand: Sendable, Equatable {
    /// It was announced.
    case begin(Handover.Terms)
    /// There is nothing left to look at.
    ///
    /// - after: the last stream that was looked at, as its row has it.
    case finish(Handover.Outcome, after: String)
}

extension Handover: Decider {
    package typealias Command = HandoverCommand
    package typealias Event = SessionEvent
    /// What was done already is found done.
    package typealias Refusal = Never

    package static let initial = Handover.absent

    /// The category of the streams of hand-overs.
    package static let category = "handover"

    /// The stream of one hand-over.
    package static func stream(_ handoverId: UUID) -> StreamName { StreamName(category, handoverId) }

    package static func evolve(_ state: Handover, _ event: SessionEvent) -> Handover {
        switch event {
        case .handoverBegun(let terms): .underWay(terms)
        case .handoverFinished(let terms, let outcome): .finished(terms, outcome)
        default: state
        }
    }

    package static func decide(_ command: HandoverCommand, _ state: Handover) -> [SessionEvent] {
        switch (command, state) {
        case (.begin(let terms), .absent): [.handoverBegun(terms)]
        case (.finish(let outcome, _), .underWay(let terms)): [.handoverFinished(terms, outcome)]
        case (.begin, _), (.finish, _): []
        }
    }
}

extension Handover: Aggregate {
    /// What is under way has a row, from the append that begins it to the one that ends it.
    package static func rowCalls(
        for command: HandoverCommand, _ state: Handover, _ events: [SessionEvent]
    ) -> [RowCall] {
        switch (command, state) {
        case (.begin(let terms), .absent): [HandoverRows.begin(terms.handoverId, terms.deviceId)]
        case (.finish(_, let after), .underWay(let terms)): [HandoverRows.finish(terms.handoverId, after)]
        case (.begin, _), (.finish, _): []
        }
    }
}

extension Handover.Terms {
    /// As an event holds them.
    var json: JSONObject {
        [
            "handoverId": .uuid(handoverId), "deviceId": .uuid(deviceId), "accountId": .uuid(accountId),
            "handedOverAt": .time(handedOverAt),
        ]
    }

    init(_ object: JSONObject) throws(JSONError) {
        self.init(
            handoverId: try object.uuid("handoverId"), deviceId: try object.uuid("deviceId"),
            accountId: try object.uuid("accountId"), handedOverAt: try object.timestamp("handedOverAt"))
    }
}

extension Handover.Outcome {
    /// As an event holds it.
    var json: JSONObject { ["moved": .int(moved), "deleted": .int(deleted), "kept": .int(kept)] }

    init(_ object: JSONObject) throws(JSONError) {
        self.init(
            moved: try object.int("moved"), deleted: try object.int("deleted"), kept: try object.int("kept"))
    }
}
