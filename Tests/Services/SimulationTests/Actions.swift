import Contracts
import EventSourcing
import Primitives
import TestingSupport

@testable import analysis
@testable import quota
@testable import sessions

/// Actions from outside: people, workers, clocks, operators.
extension Simulation {
    static let uploadTime: Int64 = 900
    static let processingTime: Int64 = 3_600

    /// Performs one random action, usually a delivery.
    mutating func act() {
        switch random.next() % 100 {
        case 0..<45: if let route = somePending() { deliver(route) }
        case 45..<50: rewindSome()
        case 50..<60: create()
        case 60..<70: upload()
        case 70..<76: finalize()
        case 76..<79: if let session = someSession() { attempt(session, .cancel(by: session.ownerId)) }
        case 79..<80: if let session = someSession() { attempt(session, .delete(by: session.ownerId)) }
        case 80..<95: if let stream = someJob() { work(on: stream) }
        case 95..<97: pass(Int64(random.next() % 1_800))
        case 97: pass(Int64(random.next() % (8 * 3_600)))
        case 98: if let owner = random.pick(owners) { zones[owner] = Int64(random.next() % 27) - 12 }
        default: operate()
        }
    }

    // MARK: People

    mutating func create(count: Int = 1) {
        guard let owner = random.pick(owners), !sessions.erased.contains(owner) else { return }
        for _ in 0..<count {
            created += 1
            let session = SessionIdentity(
                sessionId: UUID(high: 0x0190_0000_0000_7001, low: 0x8000_0000_0000_0000 + created), ownerId: owner,
                kind: .mirrormate)
            // As if by two instances whose clocks differ by up to a second.
            let moment = now.adding(milliseconds: Int64(random.next() % 1_000))
            var creation = SessionCreation(
                timeZone: String(zones[owner] ?? 0), createdAt: moment,
                expiresAt: moment.adding(seconds: Self.uploadTime),
                contentType: "video/mp4", contentLength: 1_000)
            let stream = Session.stream(session.sessionId)
            guard random.chance(30), let old = someSession(), old.ownerId == owner else {
                attempt(session, .create(session, creation))
                continue
            }
            creation.replaces = old.sessionId
            let oldStream = Session.stream(old.sessionId)
            do throws(SessionRefusal) {
                let ending = try Session.decide(
                    .giveWay(by: owner, to: session.sessionId), sessions.state(oldStream))
                let beginning = try Session.decide(.create(session, creation), .absent)
                sessions.append(ending, to: oldStream, at: now)
                sessions.append(beginning, to: stream, at: now)
            } catch {
                if error != .unknown { faults.append("replacing was refused: \(error)") }
            }
        }
    }

    private mutating func upload() {
        guard let session = someOpenSession() else { return }
        uploads += 1
        let media = MediaReference(
            key: "uploads/\(uploads)", sha256: String(uploads, radix: 16), sizeBytes: 1_000, contentType: "video/mp4")
        attempt(session, .storeUpload(by: session.ownerId, media))
    }

    private mutating func finalize() {
        guard let session = someOpenSession() else { return }
        guard case .open(_, _, let upload?, _) = sessions.state(Session.stream(session.sessionId)) else { return }
        let deadline = now.adding(seconds: Self.processingTime)
        let finalize = SessionCommand.finalize(
            by: session.ownerId, uploaded: upload.key, sealed: "sealed/\(upload.key)", deadline: deadline)
        attempt(session, finalize)
        if random.chance(30) { attempt(session, finalize) }
    }

    private mutating func someSession() -> SessionIdentity? {
        // Usually one of the newest, where something is happening.
        let streams = random.chance(80) ? Array(sessions.order.suffix(6)) : sessions.order
        return random.pick(streams).flatMap { sessions.state($0).identity }
    }

    /// Usually a session that can take an upload: people act on what their app offers them.
    private mutating func someOpenSession() -> SessionIdentity? {
        guard random.chance(90) else { return someSession() }
        return random.pick(
            sessions.order.compactMap { stream in
                guard case .open(let session, _, _, _) = sessions.state(stream) else { return nil }
                return session
            })
    }

    /// A command of a client or a clock; a refusal is not a fault.
    private mutating func attempt(_ session: SessionIdentity, _ command: SessionCommand) {
        try? sessions.handle(Session.stream(session.sessionId), command, owner: session.ownerId, at: now)
    }

    // MARK: Clocks

    /// Lets time pass and the sweepers act on it.
    mutating func pass(_ seconds: Int64) {
        now = now.adding(seconds: seconds)
        for stream in sessions.order {
            switch sessions.state(stream) {
            case .queued(let session, _), .open(let session, _, _, _): attempt(session, .expire(at: now))
            case .processing(let session, _): attempt(session, .failOverdue(at: now))
            case .absent, .ended, .gone, .subjectErased: break
            }
        }
    }

    // MARK: Workers

    /// Usually one of those that workers find in their queue.
    private mutating func someJob() -> StreamName? {
        guard random.chance(90) else { return random.pick(analysis.order) }
        return random.pick(
            analysis.order.filter { stream in
                switch analysis.state(stream).phase {
                case .queued, .running, .waiting: true
                case .absent, .completed, .failed, .cancelled, .gone: false
                }
            })
    }

    /// A step of a worker that may be slow, dead, or unaware that another has taken over.
    mutating func work(on stream: StreamName) {
        let job = analysis.state(stream)
        guard let owner = job.identity?.ownerId else { return }
        let attempt = random.chance(10) ? job.attempt - 1 : job.attempt
        let command: JobCommand =
            switch random.next() % 10 {
            case 0..<4: .startAttempt(worker: "w", now: now, leaseEndsAt: now.adding(seconds: 120))
            case 4..<6:
                .reportStage(
                    attempt: attempt, stage: random.pick([.probe, .decode, .voice, .measure]) ?? .probe,
                    progressPercent: Int64(random.next() % 120))
            case 6..<8: .complete(attempt: attempt, result: findings(attempt))
            case 8: .failAttempt(attempt: attempt, code: .workerLost, retryable: true, now: now)
            default:
                random.chance(50)
                    ? .failAttempt(attempt: attempt, code: .workerLost, retryable: true, now: now)
                    : .failAttempt(attempt: attempt, code: .noSpeech, retryable: false, now: now)
            }
        try? analysis.handle(stream, command, owner: owner, at: now)
    }

    func findings(_ attempt: Int64) -> JobResult {
        JobResult(
            document: DocumentReference(key: "findings/\(attempt)", sha256: "00", sizeBytes: 1), durationMs: 1,
            engines: [:])
    }

    // MARK: Operators and identity

    private mutating func operate() {
        guard let owner = random.pick(owners) else { return }
        switch random.next() % 8 {
        case 0:
            let grant = AllowanceCommand.grant(ownerId: owner, kind: .mirrormate, units: 1)
            try? quota.handle(Allowance.stream(owner), grant, owner: owner, at: now)
        case 1:
            let plan = random.pick([PlanCode.free, .premium]) ?? .free
            try? quota.handle(
                Allowance.stream(owner), .changePlan(ownerId: owner, plan), owner: owner, at: now)
        case 2 where erasures[owner] == nil && random.chance(30):
            erasures[owner] = [
                Incoming(id: owner, type: UserErased.type, time: now, data: UserErased(userId: owner).json)
            ]
        default: break
        }
    }
}
