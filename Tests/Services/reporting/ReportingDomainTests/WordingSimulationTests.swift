import Contracts
import EventSourcing
import EventStore
import JSON
import Primitives
import Providers
import Testing
import TestingSupport

@testable import reporting

/// One report, its workers and two providers, with deaths, withdrawals and endings in any order.
///
/// Workers do what `WordingAttempt` does, step by step: look, begin a call, make it, end it, write. What stands between two steps is where they die.
private struct WordingWorld {
    /// How far a worker is.
    enum Step {
        case looking
        case calling(ConsentScope)
        case knowing(ProviderCallOutcome)
        case givingUp
    }

    static let scopes = [Fixture.scope, Fixture.otherScope]

    var random: SeededRandom
    var now = Fixture.start
    var report = Report.initial
    var log: [ReportEvent] = []
    var consents: [ConsentScope: Bool] = [scopes[0]: true, scopes[1]: true]
    /// The living workers.
    var workers: [Int: Step] = [:]
    private var born = 0
    /// How often each provider was asked.
    var asked: [ConsentScope: Int] = [:]
    /// How many calls were charged for, or may be.
    var paid = 0
    var faults: [String] = []

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        if random.chance(50) { put(.learn(Fixture.report, Fixture.recording)) }
        put(.wording(.draft(Fixture.report, Fixture.draft, content: [:])))
    }

    /// Puts a command, as an append does with its guards; nil when they refuse it.
    @discardableResult
    mutating func put(_ command: ReportCommand) -> [ReportEvent]? {
        let events = Report.decide(command, report)
        for call in Report.rowCalls(for: command, report, events) where call.name == "require_consent" {
            let scope = Self.scopes.first { .string($0.provider) == call.arguments["provider"] }
            guard let scope, consents[scope] == true else { return nil }
        }
        log += events
        report = events.reduce(report, Report.evolve)
        return events
    }

    var isWaiting: Bool { if case .waiting = report { true } else { false } }

    mutating func beBorn() {
        guard isWaiting, workers.count < 3 else { return }
        born += 1
        workers[born] = .looking
    }

    mutating func step(_ worker: Int) {
        switch workers[worker] {
        case .looking?: look(worker)
        case .calling(let scope)?: call(scope, worker)
        case .knowing(let outcome)?: know(outcome, worker)
        case .givingUp?:
            put(.wording(.giveUp(Fixture.report, now: now, content: [:])))
            workers[worker] = nil
        case nil: break
        }
    }

    private mutating func look(_ worker: Int) {
        workers[worker] = .givingUp
        guard case .waiting(let waiting) = report, waiting.pending == nil, waiting.mayAsk else { return }
        for scope in Self.scopes.shuffled(using: &random) where waiting.calls[scope] == nil {
            var call = Fixture.call(scope)
            call.begunAt = now
            let begin = WordingCommand.begin(Fixture.report, call, giveUpAt: now.adding(seconds: 45))
            guard let events = put(.wording(begin)) else { continue }
            workers[worker] = events.isEmpty ? nil : .calling(scope)
            return
        }
    }

    /// The request goes out.
    private mutating func call(_ scope: ConsentScope, _ worker: Int) {
        let begun = log.filter {
            if case .wording(.callBegun(_, let call, _)) = $0 { call.scope == scope } else { false }
        }
        if begun.count != 1 { faults.append("\(scope.provider) is asked, and the log has \(begun.count) beginnings") }
        asked[scope, default: 0] += 1
        let outcomes: [ProviderCallOutcome] = [
            Fixture.came("answered", cost: 210, scope), Fixture.came("nothing-usable", cost: 210, scope),
            Fixture.came("overdue", cost: 900, scope), Fixture.came("unreachable", cost: 0, scope),
            Fixture.came("refused", cost: 0, scope),
        ]
        let outcome = random.pick(outcomes) ?? outcomes[0]
        if outcome.costMicros > 0 { paid += 1 }
        workers[worker] = .knowing(outcome)
    }

    private mutating func know(_ outcome: ProviderCallOutcome, _ worker: Int) {
        if outcome.code == ProviderCallOutcome.answered {
            put(.wording(.adopt(Fixture.report, outcome, Fixture.wordedBasis, content: [:])))
            workers[worker] = nil
        } else {
            put(.wording(.end(Fixture.report, outcome)))
            workers[worker] = .looking
        }
    }

    /// Anything that can happen.
    mutating func happen() {
        switch random.below(24) {
        case 0...3: beBorn()
        case 4...15: if let worker = random.pick(workers.keys.sorted()) { step(worker) }
        case 16...17: if let worker = random.pick(workers.keys.sorted()) { workers[worker] = nil }
        case 18: now = now.adding(seconds: Int64(random.below(60)))
        case 19...20: if let scope = random.pick(Self.scopes) { consents[scope] = random.chance(50) }
        case 21: put(.learnRetention(Fixture.report, until: random.chance(50) ? Fixture.start : nil))
        case 22: put(.write(Fixture.report, document: Fixture.otherDocument, Fixture.summary, nil, nil, content: [:]))
        default: if random.chance(10) { put(.discard(Fixture.report, .deleted)) }
        }
    }

    /// Nobody dies any more.
    mutating func settle() {
        for _ in 0..<50 where isWaiting {
            now = now.adding(seconds: 46)
            beBorn()
            while let worker = workers.keys.sorted().last { step(worker) }
        }
    }
}

@Suite("A report, its workers and providers") struct WordingSimulationTests {
    @Test(
        "end in one report, with one call that is paid at most, each provider asked once, and none without a consent",
        arguments: (0..<20).map { UInt64($0) * 100 })
    func anyOrder(first: UInt64) {
        for seed in first..<first + 100 {
            var world = WordingWorld(seed: seed)
            for _ in 0..<50 { world.happen() }
            world.settle()
            #expect(world.faults == [], "seed \(seed)")
            #expect(world.paid <= 1 && world.asked.values.allSatisfy { $0 == 1 }, "seed \(seed): \(world.asked)")
            let written = world.log.count { if case .written = $0 { true } else { false } }
            let deleted = world.log.contains { if case .deleted = $0 { true } else { false } }
            #expect(written == 1 || written == 0 && deleted, "seed \(seed)")
            #expect(!world.isWaiting, "seed \(seed)")
            // Whatever came between, folding the log again leads to the same.
            #expect(world.log.reduce(Report.initial, Report.evolve) == world.report, "seed \(seed)")
        }
    }

    @Test("comes by all that can happen, or the simulation proves nothing")
    func reach() {
        var found: Set<String> = []
        for seed in UInt64(0)..<300 {
            var world = WordingWorld(seed: seed)
            for _ in 0..<50 { world.happen() }
            world.settle()
            var begun: Set<ConsentScope> = []
            var ended: Set<ConsentScope> = []
            for event in world.log {
                switch event {
                case .wording(.callBegun(_, let call, _)): begun.insert(call.scope)
                case .wording(.callEnded(_, let outcome)):
                    ended.insert(outcome.scope)
                    found.insert(outcome.code)
                case .deleted(_, _, wasWritten: false): found.insert("deleted before")
                case .deleted: found.insert("deleted after")
                case .written(_, _, _, _, let basis, _):
                    found.insert(basis == Fixture.wordedBasis ? "worded" : "plain")
                default: break
                }
            }
            if begun != ended { found.insert("lost call") }
            if begun.count == 2 { found.insert("both") }
            if begun.isEmpty { found.insert("nobody") }
        }
        #expect(
            found == [
                "answered", "nothing-usable", "overdue", "unreachable", "refused", "deleted before", "deleted after",
                "worded", "plain", "lost call", "both", "nobody",
            ])
    }
}
