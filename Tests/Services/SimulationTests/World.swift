import Coaching
import Contracts
import EventSourcing
import JSON
import Primitives

@testable import analysis
@testable import quota
@testable import reporting
@testable import sessions

/// Four services and their topics, in which messages of one topic and key arrive in order, at least once, and as late
/// as the dice say.
struct World {
    struct Route: Hashable {
        let from: ServiceName
        let to: ServiceName
        let owner: UUID
    }

    static let readers: [(to: ServiceName, from: [ServiceName])] = [
        (.sessions, [.quota, .analysis, .reporting, .identity]), (.quota, [.sessions, .identity]),
        (.analysis, [.sessions, .identity]), (.reporting, [.analysis, .sessions, .identity]),
    ]

    var dice: Dice
    var now = Timestamp(rfc3339: "2026-11-21T08:00:00Z")!
    let owners: [UUID]
    var zones: [UUID: Int64] = [:]
    var uploads: UInt64 = 0
    var created: UInt64 = 0

    var sessions = SimulatedService<Session>(.sessions, SessionMessages.outgoing)
    var quota = SimulatedService<Allowance>(.quota, QuotaMessages.outgoing)
    var analysis = SimulatedService<Job>(.analysis, JobMessages.outgoing)
    var reporting = SimulatedService<Report>(.reporting, ReportMessages.outgoing)
    /// What identity published.
    var erasures: [UUID: [Incoming]] = [:]
    /// Every way from a topic to a reader, and how far the reader is on it.
    let ways: [Route]
    var cursors: [Int]
    /// What must never happen and did.
    var faults: [String] = []

    init(seed: UInt64) {
        dice = Dice(seed: seed)
        let owners = (0...(dice.next() % 3)).map { UUID(high: 0x0190_0000_0000_7000, low: 0x8000_0000_0000_0000 + $0) }
        self.owners = owners
        ways = Self.readers.flatMap { reader in
            reader.from.flatMap { source in owners.map { Route(from: source, to: reader.to, owner: $0) } }
        }
        cursors = Array(repeating: 0, count: ways.count)
    }

    // MARK: Delivery

    func topic(of way: Int) -> [Incoming] {
        let owner = ways[way].owner
        return switch ways[way].from {
        case .sessions: sessions.topic[owner] ?? []
        case .quota: quota.topic[owner] ?? []
        case .analysis: analysis.topic[owner] ?? []
        case .reporting: reporting.topic[owner] ?? []
        case .identity: erasures[owner] ?? []
        }
    }

    /// A way with something that was not delivered yet.
    mutating func somePending() -> Int? {
        dice.pick(ways.indices.filter { cursors[$0] < topic(of: $0).count })
    }

    /// Delivers the next message of a way.
    mutating func deliver(_ way: Int) {
        let message = topic(of: way)[cursors[way]]
        cursors[way] += 1
        react(ways[way].to, to: message, ways[way].owner)
    }

    /// Sets some reader back a little, as one does that lost its newest offsets.
    mutating func rewindSome() {
        guard let way = dice.pick(ways.indices.filter { cursors[$0] > 0 }) else { return }
        cursors[way] = max(0, cursors[way] - Int(dice.next() % 4) - 1)
    }

    private mutating func react(_ service: ServiceName, to message: Incoming, _ owner: UUID) {
        do {
            switch service {
            case .sessions: try reactInSessions(message, owner)
            case .quota: try reactInQuota(message, owner)
            case .analysis: try reactInAnalysis(message, owner)
            case .reporting: try reactInReporting(message, owner)
            case .identity: break
            }
        } catch {
            faults.append("\(service) refused \(message.type): \(error)")
        }
    }

    private mutating func reactInSessions(_ message: Incoming, _ owner: UUID) throws {
        switch try Session.reactions.reaction(to: message) {
        case .ignore: break
        case .apply(let stream, let command): try sessions.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            for stream in sessions.order where sessions.state(stream).identity?.ownerId == subject {
                try sessions.handle(stream, .erase, owner: subject, at: now)
            }
            let done = SessionCommand.recordErasure(subject: subject, removed: .init(rows: 0, objects: 0))
            try sessions.handle(Session.subjectStream(subject), done, owner: subject, at: now)
            sessions.guardAgainst(subject)
        }
    }

    private mutating func reactInQuota(_ message: Incoming, _ owner: UUID) throws {
        switch try QuotaReactions.reaction(to: message, plans: .builtIn, localDayEnd: World.dayEnd) {
        case .ignore: break
        case .apply(let stream, let command): try quota.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            let done = QuotaCommand.erase(subject: subject, removed: .init(rows: 0, objects: 0))
            try quota.handle(Allowance.stream(subject), done, owner: subject, at: now)
            quota.guardAgainst(subject)
        }
    }

    private mutating func reactInAnalysis(_ message: Incoming, _ owner: UUID) throws {
        switch try Job.reactions.reaction(to: message) {
        case .ignore: break
        case .apply(let stream, let command): try analysis.handle(stream, command, owner: owner, at: now)
        case .erase(let subject):
            for stream in analysis.order where analysis.state(stream).identity?.ownerId == subject {
                try analysis.handle(stream, .erase, owner: subject, at: now)
            }
            analysis.guardAgainst(subject)
        }
    }

    private mutating func reactInReporting(_ message: Incoming, _ owner: UUID) throws {
        switch try ReportReactions.reply(to: message) {
        case .read(let completed):
            // One document in ten has gone or cannot be read.
            let document: JSONObject? =
                dice.chance(5) ? nil : dice.chance(5) ? [:] : ["durationSec": 30, "impressionTags": []]
            let command = ReportReactions.command(for: completed, document: document)
            reporting.handle(Report.stream(completed.sessionId), command, owner: owner, at: now)
        case .reaction(.ignore): break
        case .reaction(.apply(let stream, let command)):
            reporting.handle(stream, command, owner: owner, at: now)
        case .reaction(.erase(let subject)):
            for stream in reporting.order where reporting.state(stream).identity?.ownerId == subject {
                reporting.handle(stream, .erase, owner: subject, at: now)
            }
            reporting.guardAgainst(subject)
        }
    }

    /// Zones here are whole hours east of UTC, written as a number.
    static let dayEnd: QuotaReactions.LocalDayEnd = { zone, moment in
        let offset = (Int64(zone) ?? 0) * 3_600
        let local = moment.seconds + offset
        return Timestamp(seconds: (local / 86_400 + 1) * 86_400 - offset)
    }
}
