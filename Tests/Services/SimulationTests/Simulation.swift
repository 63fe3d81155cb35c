import Contracts
import EventSourcing
import JSON
import Primitives
import ServiceKit
import TestingSupport

@testable import analysis
@testable import quota
@testable import reporting
@testable import sessions

/// Four services and their topics, in which messages of one topic and key arrive in order, at least once, and randomly
/// late.
struct Simulation {
    struct Route: Hashable {
        let from: ServiceName
        let to: ServiceName
        let owner: UUID
    }

    static let readers: [(to: ServiceName, from: [ServiceName])] = [
        (.sessions, [.quota, .analysis, .reporting, .identity]), (.quota, [.sessions, .identity]),
        (.analysis, [.sessions, .identity]), (.reporting, [.analysis, .sessions, .identity]),
    ]

    var random: SeededRandom
    var now = Timestamp(rfc3339: "2026-11-21T08:00:00Z")!
    let owners: [UUID]
    var zones: [UUID: Int64] = [:]
    var uploads: UInt64 = 0
    var created: UInt64 = 0

    var sessions = SimulatedService<Session>(.sessions, PublishedBySessions.outgoing)
    var quota = SimulatedService<Allowance>(.quota, PublishedByQuota.outgoing)
    var analysis = SimulatedService<Job>(.analysis, PublishedByAnalysis.outgoing)
    var reporting = SimulatedService<Report>(.reporting, PublishedByReporting.outgoing)
    /// The erasures published by identity.
    var erasures: [UUID: [Incoming]] = [:]
    /// Every route from a topic to a reader; ``cursors`` has how far the reader is on each.
    let routes: [Route]
    var cursors: [Int]
    /// What happened although it must never happen.
    var faults: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        let owners = (0...(random.next() % 3)).map {
            UUID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + $0)
        }
        self.owners = owners
        routes = Self.readers.flatMap { reader in
            reader.from.flatMap { source in owners.map { Route(from: source, to: reader.to, owner: $0) } }
        }
        cursors = Array(repeating: 0, count: routes.count)
    }

    // MARK: Delivery

    func topic(of route: Int) -> [Incoming] {
        let owner = routes[route].owner
        return switch routes[route].from {
        case .sessions: sessions.topic[owner] ?? []
        case .quota: quota.topic[owner] ?? []
        case .analysis: analysis.topic[owner] ?? []
        case .reporting: reporting.topic[owner] ?? []
        case .identity: erasures[owner] ?? []
        case .notifications: []
        }
    }

    /// A random route with undelivered messages. Asked before each delivery: a closure would copy the whole simulation for each route.
    mutating func somePending() -> Int? {
        var pending: [Int] = []
        for route in routes.indices where cursors[route] < topic(of: route).count { pending.append(route) }
        return random.pick(pending)
    }

    /// Delivers the next message of a route.
    mutating func deliver(_ route: Int) {
        let message = topic(of: route)[cursors[route]]
        cursors[route] += 1
        react(routes[route].to, to: message, routes[route].owner)
    }

    /// Sets a reader back a little, as if it had lost its newest offsets.
    mutating func rewindSome() {
        guard let route = random.pick(routes.indices.filter { cursors[$0] > 0 }) else { return }
        cursors[route] = max(0, cursors[route] - Int(random.next() % 4) - 1)
    }

    private mutating func react(_ service: ServiceName, to message: Incoming, _ owner: UUID) {
        do {
            switch service {
            case .sessions: try reactInSessions(message, owner)
            case .quota: try reactInQuota(message, owner)
            case .analysis: try reactInAnalysis(message, owner)
            case .reporting: try reactInReporting(message, owner)
            case .identity, .notifications: break
            }
        } catch {
            faults.append("\(service) refused \(message.type): \(error)")
        }
    }

    private mutating func reactInSessions(_ message: Incoming, _ owner: UUID) throws {
        switch try Session.reactions.reaction(to: message, found: period(of: owner)) {
        // No device is handed over here.
        case .ignore, .handOver, .writeExportPart, .removeExportPart, .noteExportPart, .learnConsent, .learnWithdrawal:
            break
        case .apply(let stream, let command): try sessions.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            for stream in sessions.order where sessions.state(stream).identity?.ownerId == subject {
                try sessions.handle(stream, .erase, owner: subject, at: now)
            }
            let done = SessionCommand.recordErasure(subject: subject, removed: .init(rows: 0, objects: 0))
            try sessions.handle(.subject(subject), done, owner: subject, at: now)
            sessions.guardAgainst(subject)
        }
    }

    /// For how long an owner keeps recordings: every second one for a week, the others not at all.
    private func period(of owner: UUID) -> MediaPeriod {
        owner.low % 2 == 0 ? .none : MediaPeriod(since: now, until: now.adding(seconds: 7 * 86_400))
    }

    private mutating func reactInQuota(_ message: Incoming, _ owner: UUID) throws {
        switch try Allowance.reactions.reaction(to: message, found: terms(message)) {
        // No device is handed over here.
        case .ignore, .handOver, .writeExportPart, .removeExportPart, .noteExportPart, .learnConsent, .learnWithdrawal:
            break
        case .apply(let stream, let command): try quota.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            let done = AllowanceCommand.recordErasure(subject: subject, removed: .init(rows: 0, objects: 0))
            try quota.handle(Allowance.stream(subject), done, owner: subject, at: now)
            quota.guardAgainst(subject)
        }
    }

    private mutating func reactInAnalysis(_ message: Incoming, _ owner: UUID) throws {
        switch try Job.reactions.reaction(to: message) {
        // No device is handed over here.
        case .ignore, .handOver, .writeExportPart, .removeExportPart, .noteExportPart, .learnConsent, .learnWithdrawal:
            break
        case .apply(let stream, let command): try analysis.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            for stream in analysis.order where analysis.state(stream).identity?.ownerId == subject {
                try analysis.handle(stream, .erase, owner: subject, at: now)
            }
            analysis.guardAgainst(subject)
        }
    }

    // Worded once: what a report says is not what is being tried, and wording it took most of the time.
    private static let gone = AnalysisFinding(measured: nil, of: .zero, after: ReportsBefore())
    private static let unreadable = AnalysisFinding(measured: [:], of: .zero, after: ReportsBefore())
    private static let found = AnalysisFinding(
        measured: ["brief": [:], "measured": ["durationMs": 30_000, "measures": [:]]], of: .zero, after: ReportsBefore()
    )

    private mutating func reactInReporting(_ message: Incoming, _ owner: UUID) throws {
        // One document in five has gone or cannot be read.
        let finding = random.chance(10) ? Self.gone : random.chance(10) ? Self.unreadable : Self.found
        let looked: any Sendable =
            message.type == SessionCreated.type ? Recording(recalledFrom: nil, of: try message.read()) : finding
        switch try Report.reactions.reaction(to: message, found: looked) {
        // No device is handed over here.
        case .ignore, .handOver, .writeExportPart, .removeExportPart, .noteExportPart, .learnConsent, .learnWithdrawal:
            break
        case .apply(let stream, let command): reporting.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            for stream in reporting.order where reporting.state(stream).identity?.ownerId == subject {
                reporting.handle(stream, .erase, owner: subject, at: now)
            }
            reporting.guardAgainst(subject)
        }
    }

    /// What a reservation depends on. Zones here are whole hours east of UTC, written as a number.
    private func terms(_ message: Incoming) throws -> ReservationTerms? {
        guard message.type == SessionCreated.type else { return nil }
        let created: SessionCreated = try message.read()
        let offset = (Int64(created.timeZone) ?? 0) * 3_600
        let local = created.createdAt.seconds + offset
        let end = Timestamp(seconds: (local / 86_400 + 1) * 86_400 - offset)
        return ReservationTerms(localDayEndsAt: end, plans: .builtIn)
    }
}
