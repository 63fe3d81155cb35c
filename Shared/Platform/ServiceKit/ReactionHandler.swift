import Contracts
package import EventConsumer
package import EventSourcing
package import EventStore
package import Kafka
import Primitives
package import Runtime

/// Passes messages to a service's root aggregate through the service's table of reactions; handles what every
/// service learns of identity, and erasures, itself.
@Loop package final class ReactionHandler<S: Service>: MessageHandler {
    private let store: EventStore
    private let resources: S.Resources
    private let sweeper: ObjectSweeper?
    private let trust: AnnouncementTrust
    private let exports: ExportParts?
    private let exportParts: ExportPartWork?

    init(
        _: S.Type, store: EventStore, resources: S.Resources, sweeper: ObjectSweeper?, trust: AnnouncementTrust,
        exports: ExportParts?, exportParts: ExportPartWork?
    ) {
        self.trust = trust
        self.exports = exports
        self.exportParts = exportParts
        self.store = store
        self.resources = resources
        self.sweeper = sweeper
    }

    package func doubt(_ record: KafkaRecord) async throws -> RecordDoubt? { try await trust.doubt(record) }

    package func isLastWord(_ message: ReceivedMessage) -> Bool {
        [UserErasedV2.type, UserErased.type, LoginSessionEnded.type, ConsentWithdrawn.type].contains(
            message.incoming.type)
    }

    package func handle(_ message: ReceivedMessage, through gate: any AppendGate) async throws {
        // Once identity signs, what it said before is said again.
        if Announcements.unsigned.contains(message.incoming.type), try await trust.isSigned() { return }
        if let learned = try LearnedEvent.append(message, learnedBy: S.name) {
            do {
                try await gate.append(learned)
            } catch AppendError.erased {
                // A login session or token of somebody who is gone: all of them are refused.
            }
            return
        }
        switch try await S.reactions.reaction(to: message.incoming, resources) {
        case .ignore: break
        case .erase(let subject):
            guard let erasure = S.erasure else { break }
            try await SubjectErasure(erasure, store, sweeper, service: S.name).erase(subject, message, through: gate)
        case .writeExportPart(let request): try await exports?.ask(request, message, through: gate)
        case .removeExportPart(let closed): try await ExportParts.remove(closed, message, by: S.name, through: gate)
        case .noteExportPart(let part):
            do {
                try await exportParts?(part, message, gate)
            } catch AppendError.erased {
                // Late for an erased user, as below.
            }
        case .learnConsent(let given): try await learn(.given(given), message, through: gate)
        case .learnWithdrawal(let withdrawn): try await learn(.withdrawn(withdrawn), message, through: gate)
        case .handOver(let device, let account, let moment):
            try await S.handover?(DeviceHandover(device: device, account: account, at: moment, message), store, gate)
        case .apply(let stream, let command):
            do {
                _ = try await CommandHandler<S.Root>(store, through: gate).handle(
                    command, on: stream, id: message.appendID, requestHash: message.requestHash,
                    metadata: message.metadata(actor: S.name.rawValue),
                    thoughErased: S.reactions.concernsErased(message.incoming.type))
            } catch AppendError.erased {
                // Late for an erased user: there is nothing left that it could concern, and nothing to park.
            }
        }
    }

    private func learn(
        _ event: ConsentEvent, _ message: ReceivedMessage, through gate: any AppendGate
    ) async throws {
        do {
            try await gate.append(event.append(message, by: S.name))
        } catch AppendError.erased {
            // Nothing of an erased user is left that a provider could get.
        }
    }

    /// Takes back what an event did whose cause was undone by another service's restore, as ``Service/compensation(for:)`` says,
    /// or ``Service/takeBack(_:_:through:)`` does; of what was learned of identity, that which lets somebody in.
    ///
    /// - Throws: `EventDecodingError` if this build cannot read the event, the domain's refusal, `AppendError` or
    ///   `PostgresError`.
    package func takeBack(_ event: RecordedEvent, through gate: any AppendGate) async throws {
        if LearnedEvent.isOne(event.type) {
            guard let append = try await LearnedEvent.takingBack(event, store, by: S.name) else { return }
            try await gate.append(append)
            return
        }
        if ConsentEvent.isOne(event.type) {
            guard let append = try ConsentEvent.takingBack(event, by: S.name) else { return }
            try await gate.append(append)
            return
        }
        if ExportPartEvent.isOne(event.type) {
            try await gate.append(ExportParts.takingBack(event, by: S.name))
            return
        }
        if KitEvents.isOne(event.type) { return }
        guard case .apply(let stream, let command) = S.compensation(for: try event.decoded()) else {
            return try await S.takeBack(event, store, through: gate)
        }
        var metadata = event.metadata
        metadata.causation = event.id
        metadata.origin = nil
        let id = UUID.v5(namespace: event.id, name: "orphan")
        _ = try await CommandHandler<S.Root>(store, through: gate).handle(
            command, on: stream, id: id, requestHash: id.bytes, metadata: metadata)
    }
}

extension ReceivedMessage {
    /// The same for every delivery of a message; another message under its append's id is a fault.
    var requestHash: [UInt8] { incoming.id.bytes }
}
