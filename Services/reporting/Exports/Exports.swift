import Contracts
package import EventSourcing
package import EventStore
package import Primitives
import ServiceKit

/// Somebody's exports of all that the platform has of them: one at a time, and few a day.
package struct Exports: Sendable, Equatable {
    /// How many exports somebody can ask for within a day.
    package static let dayLimit = 3
    /// How many that are over are remembered, for lists.
    package static let rememberedLimit = 10
    /// The services that write a part of every export; `analysis` keeps nothing that outlasts its job.
    package static let services = [ServiceName.identity, .sessions, .quota, .reporting].map(\.rawValue)

    /// The largest archive, in bytes of its files and in files: that of the plain form of ZIP, with room for its headers.
    package static let sizeLimit: Int64 = 4_000_000_000
    package static let fileLimit: Int64 = 60_000

    /// One export.
    package struct Export: Sendable, Equatable {
        package enum Standing: Sendable, Equatable {
            case open
            case ready(at: Timestamp, until: Timestamp)
            /// These services wrote no part in time; none when all did and it is too large.
            case failed(missing: [String])
            case closed(ExportEnd)
        }

        package var identity: ExportIdentity
        package var terms: ExportTerms
        package var standing: Standing = .open
        /// What each service has written that has answered; nothing any more when it is over.
        package var parts: [String: ExportPart] = [:]

        /// The services that have not answered, in their order.
        package var missing: [String] { Exports.services.filter { parts[$0] == nil } }

        /// Whether bytes of it may be left.
        var isStanding: Bool {
            switch standing {
            case .open, .ready: true
            case .failed, .closed: false
            }
        }
    }

    /// The last ones, in their order.
    package var last: [Export] = []

    /// The export with an id.
    package subscript(_ id: UUID) -> Export? { last.first { $0.identity.exportId == id } }
}

/// What can be asked of somebody's exports.
package enum ExportsCommand: Sendable, Equatable {
    case request(ExportIdentity, ExportTerms)
    /// A service has written its part.
    case receive(ExportIdentity, service: String, ExportPart, at: Timestamp)
    /// Whether the time of an export is over.
    case look(ExportIdentity, at: Timestamp)
    /// Not wanted any more.
    case delete(ExportIdentity)
}

/// Why a command to somebody's exports is refused.
package enum ExportsRefusal: Error, Sendable, Equatable, CaseIterable {
    /// One is open, or can be fetched still.
    case open
    /// As many as may be were asked for within a day.
    case usedUp
    /// There is no such export.
    case unknown
}

extension Exports: Decider {
    package typealias Command = ExportsCommand
    package typealias Event = ReportEvent
    package typealias State = Exports
    package typealias Refusal = ExportsRefusal

    package static let initial = Exports()

    /// The category of the streams of exports.
    package static let category = "exports"

    /// The stream of one person's exports.
    package static func stream(_ ownerId: UUID) -> StreamName { StreamName(category, ownerId) }

    package static func evolve(_ state: Exports, _ event: ReportEvent) -> Exports {
        guard case .export(let event) = event else { return state }
        var next = state
        if case .requested(let export, let terms) = event {
            next.last = Array((next.last + [Export(identity: export, terms: terms)]).suffix(rememberedLimit))
            return next
        }
        guard let index = next.last.firstIndex(where: { $0.identity == event.export }) else { return state }
        switch event {
        case .requested: break
        case .partReceived(_, let service, let part): next.last[index].parts[service] = part
        case .ready(_, let readyAt, let expiresAt): next.last[index].standing = .ready(at: readyAt, until: expiresAt)
        case .failed(_, let missing):
            next.last[index].standing = .failed(missing: missing)
            next.last[index].parts = [:]
        case .closed(_, let end):
            next.last[index].standing = .closed(end)
            next.last[index].parts = [:]
        }
        return next
    }

    package static func decide(_ command: ExportsCommand, _ state: Exports) throws(ExportsRefusal) -> [ReportEvent] {
        switch command {
        case .request(let export, let terms): try state.request(export, terms).map(ReportEvent.export)
        case .receive(let export, let service, let part, let now):
            state.receive(export, service, part, now).map(ReportEvent.export)
        case .look(let export, let now): state.look(export, now).map(ReportEvent.export)
        case .delete(let export): try state.delete(export).map(ReportEvent.export)
        }
    }

    private func request(_ export: ExportIdentity, _ terms: ExportTerms) throws(ExportsRefusal) -> [ExportEvent] {
        // A repeat of a request.
        if self[export.exportId] != nil { return [] }
        guard !last.contains(where: { $0.standing == .open }) else { throw .open }
        let today = last.filter { $0.terms.requestedAt.adding(seconds: 86_400) > terms.requestedAt }
        guard today.count < Self.dayLimit else { throw .usedUp }
        // The newest one replaces what can be fetched: two archives are twice the risk.
        return last.filter(\.isStanding).map { .closed($0.identity, .deleted) } + [.requested(export, terms)]
    }

    /// The first part of a service counts; a late one belongs to nothing.
    private func receive(
        _ export: ExportIdentity, _ service: String, _ part: ExportPart, _ now: Timestamp
    ) -> [ExportEvent] {
        guard let known = self[export.exportId], known.identity == export, known.standing == .open,
            known.missing.contains(service)
        else { return [] }
        let received = ExportEvent.partReceived(export, service: service, part)
        guard known.missing == [service] else { return [received] }
        let all = known.parts.values + [part]
        guard all.reduce(0, { $0 + $1.files }) <= Self.fileLimit,
            all.reduce(0, { $0 + $1.sizeBytes }) <= Self.sizeLimit
        else {
            return [received, .failed(export, missing: [])]
        }
        return [
            received,
            .ready(export, readyAt: now, expiresAt: now.adding(seconds: known.terms.lifetimeSeconds)),
        ]
    }

    /// An archive with a hole looks like a whole one, so without a part there is none.
    private func look(_ export: ExportIdentity, _ now: Timestamp) -> [ExportEvent] {
        guard let known = self[export.exportId] else { return [] }
        switch known.standing {
        case .open: return now >= known.terms.deadline ? [.failed(export, missing: known.missing)] : []
        case .ready(_, let end): return now >= end ? [.closed(export, .expired)] : []
        case .failed, .closed: return []
        }
    }

    private func delete(_ export: ExportIdentity) throws(ExportsRefusal) -> [ExportEvent] {
        guard let known = self[export.exportId] else { throw .unknown }
        return known.isStanding ? [.closed(export, .deleted)] : []
    }
}

extension Exports: Aggregate {
    /// When the clock is to look again, and what goes with an export that is over.
    package static func rowCalls(for _: ExportsCommand, _ state: Exports, _ events: [ReportEvent]) -> [RowCall] {
        events.flatMap { event -> [RowCall] in
            guard case .export(let event) = event else { return [] }
            let export = event.export
            switch event {
            case .requested(_, let terms): return [ExportRows.watch(export, from: terms.requestedAt)]
            case .partReceived(_, let service, _):
                // Until then the clock had this service's own part to write. A later event of the same append may say otherwise.
                guard service == ServiceName.reporting.rawValue, let known = state[export.exportId] else { return [] }
                return [ExportRows.watch(export, from: known.terms.deadline)]
            case .ready(_, _, let expiresAt): return [ExportRows.watch(export, from: expiresAt)]
            case .failed, .closed:
                return [
                    ExportRows.unwatch(export), KitRows.discardPurpose(ExportWriter.purpose(export.exportId)),
                ]
            }
        }
    }
}
