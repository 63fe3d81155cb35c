import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Providers
import Testing
import TestingSupport

@testable import analysis

/// One job, its workers and two providers for words, the whole recording, pictures and emotions, with deaths, withdrawals and endings in any order.
///
/// Workers do what `Attempt` does, step by step: begin a call for words, make it, end it, measure; the same for the whole recording, which is lent
/// and taken back, and for pictures; hand in. What stands between two steps is where they die.
private struct ProviderWorld {
    /// How far a worker is.
    enum Step {
        case looking(ConsentPurpose)
        /// Its provider gets the whole recording.
        case lending(ConsentScope)
        case calling(ConsentScope)
        case knowing(ProviderCallOutcome)
        case finishing
    }

    static let purposes: [ConsentPurpose] = [.transcription, .video, .vision, .emotions]
    static let scopes = purposes.flatMap { purpose in
        ["first", "second"].map { ConsentScope(provider: $0, purpose: purpose) }
    }

    var random: SeededRandom
    var now = Fixture.start
    var job = Job.initial
    var log: [JobEvent] = []
    var consents: [ConsentScope: Bool] = [:]
    /// The living workers, by their attempt.
    var workers: [Int64: Step] = [:]
    /// How often each provider was asked, and may charge for it.
    var asked: [ConsentScope: Int] = [:]
    /// What is written down as lent, with when nobody needs it any more, and what providers have.
    var lent: [ConsentScope: Timestamp] = [:]
    var files: Set<ConsentScope> = []
    var faults: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        for scope in Self.scopes { consents[scope] = random.chance(50) }
        put(.queue(Fixture.job, Fixture.order))
    }

    /// Puts a command, as an append does with its guards.
    @discardableResult
    mutating func put(_ command: JobCommand) -> [JobEvent]? {
        guard let events = try? Job.decide(command, job) else { return nil }
        for call in Job.rowCalls(for: command, job, events) where call.name == "require_consent" {
            let scope = Self.scopes.first {
                .string($0.provider) == call.arguments["provider"] && $0.purpose.json == call.arguments["purpose"]
            }
            guard let scope, consents[scope] == true else { return nil }
        }
        log += events
        job = events.reduce(job, Job.evolve)
        return events
    }

    var hasEnded: Bool { [.completed, .failed, .cancelled].contains(job.phase) }

    mutating func claim() {
        let command = JobCommand.startAttempt(worker: "w", now: now, leaseEndsAt: now.adding(seconds: 60))
        guard let events = put(command), case .attemptStarted = events.last else { return }
        workers[job.attempt] = .looking(.transcription)
    }

    mutating func step(_ attempt: Int64) {
        switch workers[attempt] {
        case .looking(let purpose)?: look(purpose, attempt)
        case .lending(let scope)?: lend(scope, attempt)
        case .calling(let scope)?: call(scope, attempt)
        case .knowing(let outcome)?:
            let isHeard = put(.endCall(attempt: attempt, outcome)) != nil
            workers[attempt] = isHeard ? .looking(outcome.scope.purpose) : nil
        case .finishing?: finish(attempt)
        case nil: break
        }
    }

    private mutating func look(_ purpose: ConsentPurpose, _ attempt: Int64) {
        if Self.same(as: purpose).allSatisfy({ job.answer(for: $0) == nil }) {
            for scope in Self.scopes.shuffled(using: &random) where scope.purpose == purpose && job.calls[scope] == nil
            {
                var call = Fixture.call
                (call.scope, call.begunAt) = (scope, now)
                guard put(.beginCall(attempt: attempt, call)) != nil else { continue }
                if consents[scope] != true { faults.append("\(scope.provider) is about to be asked without a consent") }
                if purpose == .video {
                    lent[scope] = now.adding(seconds: 120)
                    workers[attempt] = .lending(scope)
                } else {
                    workers[attempt] = .calling(scope)
                }
                return
            }
        }
        // The measuring is done behind the first.
        let next = Self.purposes.drop { $0 != purpose }.dropFirst().first
        workers[attempt] = next.map(Step.looking) ?? .finishing
    }

    private mutating func lend(_ scope: ConsentScope, _ attempt: Int64) {
        // Who comes to it too late has no time left for the call, and sends nothing.
        if let begun = job.calls[scope]?.call.begunAt, now >= begun.adding(seconds: 60) {
            var outcome = Fixture.noAnswer
            outcome.scope = scope
            workers[attempt] = .knowing(outcome)
            return
        }
        if lent[scope] == nil { faults.append("\(scope.provider) gets a file of which nothing is written down") }
        files.insert(scope)
        workers[attempt] = .calling(scope)
    }

    /// The purposes for which the same is asked.
    private static func same(as purpose: ConsentPurpose) -> [ConsentPurpose] {
        Job.seeing.contains(purpose) ? [.video, .vision] : [purpose]
    }

    /// Whoever keeps what is lent takes back what is due, if the provider answers.
    private mutating func takeBack() {
        for (scope, due) in lent.sorted(by: { $0.key < $1.key }) where due <= now && random.chance(70) {
            files.remove(scope)
            lent[scope] = nil
        }
    }

    /// The request goes out.
    private mutating func call(_ scope: ConsentScope, _ attempt: Int64) {
        let begun = log.filter { if case .callBegun(_, attempt, let call) = $0 { call.scope == scope } else { false } }
        if begun.count != 1 { faults.append("\(scope.provider) is asked, and the log has \(begun.count) beginnings") }
        if Self.same(as: scope.purpose).contains(where: { job.answer(for: $0) != nil }), job.attempt == attempt {
            faults.append("\(scope.provider) is asked for what is there")
        }
        asked[scope, default: 0] += 1
        var outcome = random.chance(50) ? Fixture.answer : Fixture.noAnswer
        outcome.scope = scope
        // Taken back in order, unless the provider does not answer; who dies before has taken back nothing.
        if scope.purpose == .video, random.chance(70) {
            files.remove(scope)
            lent[scope] = nil
        }
        workers[attempt] = .knowing(outcome)
    }

    private mutating func finish(_ attempt: Int64) {
        if random.chance(70) {
            put(.complete(attempt: attempt, result: Fixture.result))
        } else {
            put(.failAttempt(attempt: attempt, code: "engine-busy", retryable: random.chance(80), now: now))
        }
        workers[attempt] = nil
    }

    /// Anything that can happen.
    mutating func happen() {
        switch random.below(21) {
        case 0...3: claim()
        case 4...13: if let attempt = random.pick(workers.keys.sorted()) { step(attempt) }
        case 14...15: if let attempt = random.pick(workers.keys.sorted()) { workers[attempt] = nil }
        case 16: now = now.adding(seconds: Int64(random.below(90)))
        case 17...18:
            if let scope = random.pick(Self.scopes) { consents[scope] = random.chance(50) }
        case 19: takeBack()
        default: if random.chance(5) { put(.cancel(Fixture.job, .cancelled)) }
        }
    }

    /// Nobody dies any more.
    mutating func settle() {
        for _ in 0..<200 where !hasEnded {
            now = now.adding(seconds: 301)
            claim()
            while let attempt = workers.keys.sorted().last { step(attempt) }
        }
        // What was lent is taken back also of a job that has ended.
        workers = [:]
        now = now.adding(seconds: 301)
        for _ in 0..<200 where !lent.isEmpty { takeBack() }
    }
}

@Suite("A job with providers") struct ProviderSimulationTests {
    @Test(
        "ends once, asks each provider once at most, only with a consent, and nobody for what is there",
        arguments: (0..<20).map { UInt64($0) * 100 })
    func anyOrder(first: UInt64) {
        for seed in first..<first + 100 {
            var world = ProviderWorld(seed: seed)
            for _ in 0..<80 { world.happen() }
            world.settle()
            #expect(world.faults == [], "seed \(seed)")
            #expect(world.asked.values.allSatisfy { $0 == 1 }, "seed \(seed): \(world.asked)")
            #expect(world.files.isEmpty && world.lent.isEmpty, "seed \(seed): a provider keeps a recording")
            let endings = world.log.filter {
                switch $0 {
                case .completed, .failed, .cancelled: true
                default: false
                }
            }
            #expect(endings.count == 1, "seed \(seed)")
            for purposes: [ConsentPurpose] in [[.transcription], [.video, .vision], [.emotions]] {
                let answers = world.log.filter {
                    guard case .callEnded(_, _, let outcome) = $0 else { return false }
                    return purposes.contains(outcome.scope.purpose) && outcome.document != nil
                }
                #expect(answers.count <= 1, "seed \(seed), \(purposes)")
            }
        }
    }

    @Test("comes by all that can happen, or the simulation proves nothing")
    func reach() {
        var found: Set<String> = []
        for seed in UInt64(0)..<500 {
            var world = ProviderWorld(seed: seed)
            for _ in 0..<80 {
                world.happen()
                let isHeld = world.files.contains { scope in
                    !world.workers.values.contains { step in
                        switch step {
                        case .lending(scope), .calling(scope): true
                        default: false
                        }
                    }
                }
                if isHeld { found.insert("left file") }
            }
            world.settle()
            for event in world.log {
                switch event {
                case .callEnded(_, _, let outcome): found.insert(outcome.document == nil ? "none" : "answer")
                case .attemptFailed(_, _, .workerLost, _, _): found.insert("death")
                case .completed, .failed, .cancelled: found.insert(event.type.name)
                default: break
                }
            }
            if world.job.calls.values.contains(where: { $0.outcome == nil }) { found.insert("lost call") }
            for purpose in ProviderWorld.purposes {
                if world.job.calls.keys.filter({ $0.purpose == purpose }).count == 2 { found.insert("both") }
                if world.job.answer(for: purpose) != nil { found.insert(purpose.rawValue) }
            }
            if world.job.calls.isEmpty { found.insert("nobody") }
        }
        #expect(
            found == [
                "none", "answer", "death", "JobCompleted", "JobFailed", "JobCancelled", "lost call", "both", "nobody",
                "transcription", "video", "vision", "emotions", "left file",
            ])
    }
}
