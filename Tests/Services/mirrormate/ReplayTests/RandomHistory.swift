import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Runtime
import TestingSupport

@testable import analysis
@testable import quota
@testable import reporting
@testable import sessions

/// Random commands to one service's aggregates, decided by the real decider and appended in large batches.
@Loop struct RandomHistory<D: Decider> {
    /// The stream of an aggregate.
    let stream: (UUID) -> StreamName
    /// A random command to an aggregate.
    let command: (UUID, inout SeededRandom) -> D.Command

    init(
        stream: @escaping (UUID) -> StreamName, command: @escaping (UUID, inout SeededRandom) -> D.Command
    ) {
        self.stream = stream
        self.command = command
    }

    init(category: String, command: @escaping (UUID, inout SeededRandom) -> D.Command) {
        self.init(stream: { StreamName(category, $0) }, command: command)
    }

    /// Runs `count` commands, on about one aggregate for every eight.
    func write(_ count: Int, to log: EventStore, _ random: inout SeededRandom) async throws {
        var states: [UUID: (state: D.State, version: Int64)] = [:]
        var ids: [UUID] = []
        var pending: [UUID: [NewEvent]] = [:]
        for number in 0..<count {
            let id: UUID
            if random.chance(12) || ids.isEmpty {
                id = UUID(high: random.next(), low: random.next())
                ids.append(id)
            } else {
                id = ids[max(0, ids.count - 1 - Int(random.next() % 40))]
            }
            var (state, version) = states[id] ?? (D.initial, 0)
            if let events = try? D.decide(command(id, &random), state) {
                for event in events {
                    state = D.evolve(state, event)
                    version += 1
                    pending[id, default: []].append(NewEvent(event))
                }
                states[id] = (state, version)
            }
            if number % 250 == 249 || number == count - 1 {
                try await append(pending, states.mapValues(\.version), log)
                pending = [:]
            }
        }
    }

    private func append(_ pending: [UUID: [NewEvent]], _ versions: [UUID: Int64], _ log: EventStore) async throws {
        let writes = pending.sorted { $0.key < $1.key }.map { id, events in
            StreamWrite(
                stream(id), expectedVersion: versions[id]! - Int64(events.count), events: events)
        }
        if writes.isEmpty { return }
        try await log.append(
            Append(
                id: .v7(), requestHash: [], metadata: EventMetadata(owner: nil, correlation: .v7(), actor: "test"),
                writes: writes))
    }
}

private let start = Timestamp(seconds: 1_795_000_000)
private let hash = String(repeating: "ab", count: 32)

extension RandomHistory where D == Session {
    static var sessions: Self {
        Self(category: "session") { id, random in
            let owner = UUID(high: id.high, low: 7)
            let session = SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate)
            let media = MediaReference(key: "uploads/1", sha256: hash, sizeBytes: 9, contentType: "video/mp4")
            let at = start.adding(seconds: Int64(random.next() % 4_000))
            switch random.next() % 16 {
            case 0, 1, 2:
                return .create(
                    session,
                    SessionCreation(
                        timeZone: "Europe/Berlin", createdAt: at, expiresAt: at.adding(seconds: 900),
                        contentType: "video/mp4", contentLength: 9))
            case 3, 4:
                return .quotaReserved(
                    QuotaReserved(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate), plan: .free, limit: 1,
                        used: 0, reserved: 1, windowEndsAt: at))
            case 5:
                return .quotaRefused(
                    QuotaRefused(
                        SessionIdentity(sessionId: id, ownerId: owner, kind: .mirrormate),
                        QuotaDenial(code: .quotaExceeded, resetsAt: at, heldBy: nil)))
            case 6, 7: return .storeUpload(by: owner, media)
            case 8, 9:
                return .finalize(by: owner, uploaded: "uploads/1", sealed: "sealed/1", deadline: at)
            case 10:
                return .analysisStarted(AnalysisStarted(SessionReference(sessionId: id, ownerId: owner), attempt: 1))
            case 11:
                return .analysisProgressed(
                    AnalysisProgressed(
                        SessionReference(sessionId: id, ownerId: owner), attempt: 1, stage: .voice,
                        progressPercent: Int64(random.next() % 100)))
            case 12: return .reportReady(ReportReady(SessionReference(sessionId: id, ownerId: owner), reportId: id))
            case 13: return .failOverdue(at: at)
            case 14: return .cancel(by: owner)
            default: return random.chance(30) ? .delete(by: owner) : .expire(at: at.adding(seconds: 5_000))
            }
        }
    }
}

/// A session of ten to seventy minutes.
private func practice(_ random: inout SeededRandom, on day: LocalDay? = nil) -> PracticeTime {
    let day = day ?? LocalDay(number: 20_700 + Int64(random.next() % 9))
    let began = day.start(utcOffsetSeconds: 3_600).adding(seconds: Int64(random.next() % 82_000))
    let seconds = 600 + Int64(random.next() % 3_600)
    return PracticeTime(
        startedAt: began, endedAt: began.adding(seconds: seconds), activeSeconds: seconds - Int64(random.next() % 300),
        timeZone: "Europe/Berlin", utcOffsetSeconds: 3_600)
}

extension RandomHistory where D == LoggedSession {
    static var logged: Self {
        Self(category: LoggedSession.category) { id, random in
            let owner = UUID(high: id.high, low: 7)
            switch random.next() % 8 {
            case 0, 1, 2, 3:
                return .log(
                    SessionIdentity(sessionId: id, ownerId: owner, kind: .meditation), LoggedPractice(practice(&random))
                )
            case 4, 5, 6: return .correct(by: owner, LoggedPractice(practice(&random)))
            default: return random.chance(10) ? .erase : .delete(by: owner)
            }
        }
    }
}

extension RandomHistory where D == Practitioner {
    static var practitioners: Self {
        Self(category: Practitioner.category) { id, random in
            let today = LocalDay(number: 20_700)
            let day = today + Int64(random.next() % 50)
            switch random.next() % 8 {
            case 0, 1: return .setGrace(ownerId: id, minutes: Int64(random.next() % 400))
            case 2, 3, 4: return .freeze(ownerId: id, day, today: today)
            case 5: return .thaw(ownerId: id, day)
            default: return .reach(ownerId: id, .meditation, longestStreakDays: Int64(random.next() % 70))
            }
        }
    }
}

extension RandomHistory where D == Goals {
    static var goals: Self {
        Self(category: Goals.category) { id, random in
            let measures = [
                "confidenceScore", "eyeContactPct", "tonalVariety", "fillersPerMin", "soundQuality", "pictureQuality",
            ]
            // Few ids, so that goals are met, missed and dropped that were set before.
            let goalId = UUID(high: id.high, low: random.next() % 12)
            let set = start.adding(seconds: Int64(random.next() % 4_000))
            let hits = (0..<Int(random.next() % 4)).map { number in
                GoalHit(
                    sessionId: UUID(high: id.high, low: UInt64(100 + number)), value: 0.8,
                    rulesVersion: random.chance(80) ? 4 : nil)
            }
            switch random.next() % 8 {
            case 0, 1, 2, 3:
                return .set(
                    ownerId: id,
                    Goal(
                        goalId: goalId, kind: .mirrormate,
                        measure: measures[Int(goalId.low % UInt64(measures.count))], atLeast: 0.5,
                        atMost: random.chance(50) ? 1 : nil, recordings: Int64(1 + random.next() % 3), days: 7,
                        setAt: set, endsAt: set.adding(seconds: 604_800), timeZone: "Europe/Berlin"))
            case 4, 5, 6:
                let now = set.adding(seconds: random.chance(50) ? 3_600 : 700_000)
                return .judge(ownerId: id, goalId: goalId, hits: hits, at: now)
            default: return .drop(ownerId: id, goalId: goalId)
            }
        }
    }
}

extension RandomHistory where D == Shares {
    static var shares: Self {
        Self(category: Shares.category) { id, random in
            // Few ids, so that links are taken back that were made before.
            let shareId = UUID(high: id.high, low: random.next() % 40)
            let now = start.adding(seconds: Int64(random.next() % 4_000))
            guard random.chance(70) else { return .revoke(ownerId: id, shareId: shareId) }
            return .share(
                ownerId: id,
                Share(
                    shareId: shareId, sessionId: UUID(high: id.high, low: 100 + random.next() % 4),
                    parts: random.chance(50) ? [.score] : Share.Part.allCases, maxViews: 50, sharedAt: now,
                    expiresAt: now.adding(seconds: 604_800)),
                over: [], tokenHash: [], card: [:])
        }
    }
}

extension RandomHistory where D == Job {
    static var jobs: Self {
        Self(category: "job") { id, random in
            let job = SessionReference(sessionId: id, ownerId: UUID(high: id.high, low: 7))
            let now = start.adding(seconds: Int64(random.next() % 4_000))
            let attempt = Int64(1 + random.next() % 2)
            switch random.next() % 10 {
            case 0, 1, 2:
                let media = MediaReference(key: "sealed/1", sha256: hash, sizeBytes: 9, contentType: "video/mp4")
                return .queue(job, JobOrder(kind: .mirrormate, media: media))
            case 3, 4: return .startAttempt(worker: "w", now: now, leaseEndsAt: now.adding(seconds: 60))
            case 5: return .extendLease(attempt: attempt, leaseEndsAt: now.adding(seconds: 90))
            case 6:
                let document = DocumentReference(key: "documents/1", sha256: hash, sizeBytes: 7)
                return .complete(attempt: attempt, result: JobResult(document: document, durationMs: 8, engines: [:]))
            case 7:
                return .failAttempt(
                    attempt: attempt, code: FailureCode(rawValue: "busy"), retryable: random.chance(70), now: now)
            case 8: return .returnAttempt(attempt: attempt, now: now)
            default: return random.chance(30) ? .erase : .cancel(job, .cancelled)
            }
        }
    }
}

extension RandomHistory where D == Report {
    static var reports: Self {
        Self(category: "report") { id, random in
            let report = ReportIdentity(sessionId: id, ownerId: UUID(high: id.high, low: 7))
            switch random.next() % 9 {
            case 8: return .noteUpload(report, sizeBytes: Int64(random.next() % 9_000))
            case 7:
                return .learnRetention(
                    report, until: random.chance(70) ? start.adding(seconds: Int64(random.next() % 4_000)) : nil)
            case 6:
                return .learn(
                    report,
                    Recording(
                        kind: .mirrormate, timeZone: "Asia/Tokyo", utcOffsetSeconds: 32_400,
                        begunAt: start.adding(seconds: Int64(random.next() % 4_000))))
            case 0, 1, 2:
                return .write(
                    report, document: DocumentReference(key: "documents/1", sha256: hash, sizeBytes: 7),
                    ReportSummary(
                        confidenceScore: Int64(random.next() % 100), scoreCoverage: random.chance(80) ? 65 : nil,
                        scoreRange: random.chance(80) ? 40...44 : nil, paceWordsPerMin: random.chance(80) ? 150 : nil,
                        eyeContactPct: random.chance(80) ? 0.25 : nil, fillerCount: Int64(random.next() % 9),
                        durationSec: 28, tags: random.chance(50) ? ["confident", "poised"] : []),
                    random.chance(80)
                        ? ReportWording(language: "en", variants: ["feedback.strong": Int64(random.next() % 3)]) : nil,
                    random.chance(80)
                        ? ReportBasis(
                            rulesVersion: random.chance(80) ? 4 : nil, language: random.chance(50) ? "en" : nil,
                            scenario: "general", engines: ["asr": "moonshine"],
                            measures: ["tonalVariety": .init(random.chance(80) ? 0.1 : nil, code: nil)]) : nil,
                    content: [:])
            case 3: return .fail(report, .reportMissing)
            case 4: return .discard(report, .deleted)
            default: return random.chance(30) ? .erase : .discard(report, .cancelled)
            }
        }
    }
}

extension RandomHistory where D == Report {
    /// Days on which somebody practised.
    static var practisedDays: Self {
        func identity(_ id: UUID) -> PracticeDayIdentity {
            PracticeDayIdentity(
                ownerId: UUID(high: id.high, low: 7), kind: .meditation,
                day: LocalDay(number: 20_700 + Int64(id.low % 9)))
        }
        return Self(stream: { identity($0).stream }) { id, random in
            let day = identity(id)
            let session = UUID(high: id.high, low: random.next() % 4)
            switch random.next() % 8 {
            case 0, 1, 2, 3, 4: return .count(day, sessionId: session, practice(&random, on: day.day))
            case 5, 6: return .withdraw(day, sessionId: session)
            default: return random.chance(20) ? .erase : .withdraw(day, sessionId: session)
            }
        }
    }
}

extension RandomHistory where D == Allowance {
    static var allowances: Self {
        Self(category: "allowance") { id, random in
            let session = SessionIdentity(
                sessionId: UUID(high: id.high, low: random.next() % 4), ownerId: id, kind: .mirrormate)
            let at = start.adding(seconds: Int64(random.next() % 400_000))
            switch random.next() % 10 {
            case 0, 1, 2, 3:
                return .reserve(
                    UnitRequest(
                        sessionId: session.sessionId, ownerId: id, kind: .mirrormate, createdAt: at,
                        expiresAt: at.adding(seconds: 900),
                        timeZone: random.chance(80) ? "Europe/Berlin" : "Asia/Tokyo",
                        localDayEndsAt: at.adding(seconds: Int64(random.next() % 86_400)), plans: .builtIn))
            case 4: return .settle(session, .completed)
            case 5:
                return .settle(session, .cancelled(analysisStarted: random.chance(50)))
            case 6: return .settle(session, random.chance(50) ? .failed : .unusable)
            case 7, 8: return .grant(ownerId: id, kind: .mirrormate, units: Int64(1 + random.next() % 3))
            default:
                return random.chance(20)
                    ? .recordErasure(subject: id, removed: .init(rows: 1, objects: 0))
                    : .orphan(sessionId: session.sessionId)
            }
        }
    }
}
