package import Contracts
package import EventStore
package import JSON
package import Primitives
import Runtime

/// A message, which one it is and when it was recorded.
package struct DatedMessage<Message: PublishedMessage>: Sendable {
    /// The id of the private event from which it was published.
    package let id: UUID
    /// When the publishing service recorded that event.
    package let time: Timestamp
    package let message: Message

    init(_ incoming: Incoming) throws(JSONError) {
        id = incoming.id
        time = incoming.time
        message = try incoming.read()
    }
}

/// How a service reacts to the messages of others: a table with an entry for each type that it reads.
///
/// ```swift
/// static let reactions = Reactions<Job, Void>(
///     .on(SessionFailed.self) { .apply(Job.stream($0.sessionId), .cancel($0.reference, .failed)) },
///     .erasure,
///     ignoring: [SessionCreated.type, UserRegistered.type])
/// ```
///
/// What must be looked up before the decision, such as the end of a local day, is part of the entry. A type that a read
/// service publishes must be in the table or in `ignoring`: a test fails for one that is in neither. At run time an unknown
/// type, which only a newer publisher can send, is ignored.
package struct Reactions<A: Aggregate, Resources: Sendable>: Sendable {
    /// Looks up what a decision needs to know besides a message.
    package typealias LookUp<Message, Found> = @Loop @Sendable (Message, Resources) async throws -> Found

    /// The reaction to one type of message.
    package struct Entry: Sendable {
        fileprivate let type: MessageType
        /// The same message in other versions.
        fileprivate var others: [MessageType] = []
        fileprivate let thoughErased: Bool
        /// Nil for an entry that needs no lookup.
        fileprivate let lookUp: (@Loop @Sendable (Incoming, Resources) async throws -> any Sendable)?
        fileprivate let recall: @Sendable (Incoming, [A.Event]) throws(JSONError) -> (any Sendable)?
        fileprivate let react: @Sendable (Incoming, (any Sendable)?) throws(JSONError) -> Reaction<A.Command>

        /// What follows from messages of a type.
        package static func on<Message: PublishedMessage>(
            _: Message.Type, _ react: @escaping @Sendable (Message) -> Reaction<A.Command>
        ) -> Entry {
            Entry(
                type: Message.type, thoughErased: false, lookUp: nil, recall: { _, _ in nil },
                react: { (message, _) throws(JSONError) in react(try message.read(Message.self)) })
        }

        /// What follows from messages of a type together with something that is looked up before.
        ///
        /// - Parameters:
        ///   - lookingUp: finds it; its errors hold the partition or park the message, as those of a handler do.
        ///   - recalling: the same from the events that were decided then, for replays; nil when they do not hold it.
        package static func on<Message: PublishedMessage, Found: Sendable>(
            _: Message.Type, lookingUp: @escaping LookUp<Message, Found>,
            recalling: @escaping @Sendable (Message, [A.Event]) -> Found?,
            _ react: @escaping @Sendable (Message, Found) -> Reaction<A.Command>
        ) -> Entry {
            Entry(
                type: Message.type, thoughErased: false,
                lookUp: { message, resources in try await lookingUp(message.read(Message.self), resources) },
                recall: { (message, events) throws(JSONError) in recalling(try message.read(Message.self), events) },
                react: { (message, found) throws(JSONError) in
                    guard let found = found as? Found else { preconditionFailure("\(message.type): nothing looked up") }
                    return react(try message.read(Message.self), found)
                })
        }

        /// As ``on(_:lookingUp:recalling:_:)``, for a reaction that needs to know which message it is and when it was recorded.
        package static func onDated<Message: PublishedMessage, Found: Sendable>(
            _: Message.Type, lookingUp: @escaping LookUp<DatedMessage<Message>, Found>,
            recalling: @escaping @Sendable (DatedMessage<Message>, [A.Event]) -> Found?,
            _ react: @escaping @Sendable (DatedMessage<Message>, Found) -> Reaction<A.Command>
        ) -> Entry {
            Entry(
                type: Message.type, thoughErased: false,
                lookUp: { message, resources in try await lookingUp(DatedMessage(message), resources) },
                recall: { (message, events) throws(JSONError) in recalling(try DatedMessage(message), events) },
                react: { (message, found) throws(JSONError) in
                    guard let found = found as? Found else { preconditionFailure("\(message.type): nothing looked up") }
                    return react(try DatedMessage(message), found)
                })
        }

        /// An erased user's data is removed, as ``Service/erasure`` says.
        package static var erasure: Entry {
            var entry = on(UserErased.self) { .erase(subject: $0.userId) }
            entry.others = [UserErasedV2.type]
            return entry
        }

        /// An account gets what an anonymous device has, as ``Service/handover`` says.
        package static var handover: Entry {
            Entry(
                type: DeviceHandedOverV2.type, others: [DeviceHandedOver.type], thoughErased: false, lookUp: nil,
                recall: { _, _ in nil },
                react: { (message, _) throws(JSONError) in
                    guard message.type == DeviceHandedOverV2.type else {
                        let old = try message.read(DeviceHandedOver.self)
                        return .handOver(device: old.userId, account: old.accountId, at: nil)
                    }
                    let said = try message.read(DeviceHandedOverV2.self)
                    return .handOver(device: said.userId, account: said.accountId, at: said.handedOverAt)
                })
        }

        /// The service writes its part of an export, as ``ServiceParts/export`` says.
        package static var exportPart: Entry { on(ExportRequested.self) { .writeExportPart($0) } }

        /// The service removes its part of an export that is over.
        package static var exportEnd: Entry { on(ExportClosed.self) { .removeExportPart($0) } }

        /// The service learns what its users let providers have (`Schema/consents.sql`).
        package static var consent: Entry { on(ConsentGiven.self) { .learnConsent($0) } }

        /// The service learns what its users let providers have no longer.
        package static var consentWithdrawal: Entry { on(ConsentWithdrawn.self) { .learnWithdrawal($0) } }

        /// What a service has written for an export is noted, as ``ServiceParts/exportParts`` says.
        package static func onExportPart(by service: ServiceName) -> Entry {
            Entry(
                type: ExportPartWritten.type(of: service), thoughErased: false, lookUp: nil, recall: { _, _ in nil },
                react: { (message, _) throws(JSONError) in
                    let part = try ExportPartWritten(message.data)
                    // Each service says it for itself: one that speaks for another is not believed.
                    return part.service == service.rawValue ? .noteExportPart(part) : .ignore
                })
        }

        /// What follows when a service reports that it has finished an erasure; the command is allowed for erased users.
        package static func onSubjectErased(
            by service: ServiceName, _ react: @escaping @Sendable (SubjectErased) -> Reaction<A.Command>
        ) -> Entry {
            Entry(
                type: SubjectErased.type(of: service), thoughErased: true, lookUp: nil, recall: { _, _ in nil },
                react: { (message, _) throws(JSONError) in react(try SubjectErased(message.data)) })
        }
    }

    private let entries: [MessageType: Entry]
    /// The types that it reacts to, in the order of the table.
    package let types: [MessageType]
    /// The types that were considered and do not concern the service.
    package let ignored: [MessageType]

    package init(_ entries: Entry..., ignoring ignored: [MessageType]) { self.init(entries, ignoring: ignored) }

    package init(_ entries: [Entry], ignoring ignored: [MessageType]) {
        self.entries = Dictionary(
            uniqueKeysWithValues: entries.flatMap { entry in ([entry.type] + entry.others).map { ($0, entry) } })
        types = entries.flatMap { [$0.type] + $0.others }
        self.ignored = ignored
    }

    /// The services whose topics are read: those of the table. Identity's is one of them, since every service erases.
    package var services: [ServiceName] {
        ServiceName.allCases.filter { service in types.contains { $0.service == service.rawValue } }
    }

    /// The reaction to a message, with what is looked up for it.
    ///
    /// - Throws: `JSONError` when a member of a known message is missing or malformed; the caller parks the message.
    package func reaction(to message: Incoming, _ resources: Resources) async throws -> Reaction<A.Command> {
        let found = try await entries[message.type]?.lookUp?(message, resources)
        return try reaction(to: message, found: found)
    }

    /// The reaction to a message, with what was looked up for it.
    ///
    /// - Throws: `JSONError` if a member of a known message is missing or malformed.
    package func reaction(
        to message: Incoming, found: (any Sendable)? = nil
    ) throws(JSONError) -> Reaction<A.Command> {
        guard let entry = entries[message.type] else { return .ignore }
        return try entry.react(message, found)
    }

    /// The reaction to a message as it was when these events were decided; nil when they do not hold what was looked up.
    ///
    /// - Throws: `JSONError` if a member of a known message is missing or malformed.
    package func reaction(
        to message: Incoming, recalledFrom events: [A.Event]
    ) throws(JSONError) -> Reaction<A.Command>? {
        guard let entry = entries[message.type] else { return .ignore }
        guard entry.lookUp != nil else { return try entry.react(message, nil) }
        guard let found = try entry.recall(message, events) else { return nil }
        return try entry.react(message, found)
    }

    /// Whether anything may follow from a message. Reads it as a delivery would.
    ///
    /// - Throws: `JSONError` when a member is missing or malformed.
    package func concerns(_ message: Incoming) throws(JSONError) -> Bool {
        guard let entry = entries[message.type] else { return false }
        guard entry.lookUp == nil else {
            _ = try entry.recall(message, [])
            return true
        }
        if case .ignore = try entry.react(message, nil) { return false }
        return true
    }

    /// Whether commands that follow from a type concern users who are erased.
    func concernsErased(_ type: MessageType) -> Bool { entries[type]?.thoughErased ?? false }
}
