import Contracts
package import HTTPClient
import JSON
import Observability
package import Primitives
package import Runtime

/// Calls one provider: within a deadline, again where that costs nothing and may help, and not at all while its circuit is open.
///
/// Whether it may be called (consent, budget, what was paid already) the caller has decided before.
@Loop package final class Provider {
    /// What a call came to, with what it costs in the millionths of the provider's currency.
    package struct Outcome<Answer: Sendable>: Sendable {
        package var result: Result<Answer, ProviderFailure>
        /// What is charged; for a call that may have been done without a good answer, what it would be charged at most.
        package var costMicros: Int64
        /// How often the request was sent.
        package var attempts: Int
        package var took: Duration

        package init(
            result: Result<Answer, ProviderFailure>, costMicros: Int64, attempts: Int, took: Duration
        ) {
            self.result = result
            self.costMicros = costMicros
            self.attempts = attempts
            self.took = took
        }
    }

    /// What this process has seen of a model since it began.
    package struct Figures: Sendable {
        package var calls: Int64 = 0
        package var answered: Int64 = 0
        package var costMicros: Int64 = 0
        /// The last call without a good answer.
        package var lastFailure: (failure: ProviderFailure, at: Timestamp)?
    }

    package let declaration: ProviderDeclaration
    private var figures: [String: Figures] = [:]
    private let client: HTTPClient
    private let rules: Breaker.Rules
    let plan: RetryPlan
    let chance: () -> Double
    private var breakers: [String: Breaker] = [:]
    /// The models that are tried with one call just now.
    private var trials: Set<String> = []
    /// Those of them that get a file first.
    private var lendingTrials: Set<String> = []

    private static let calls = Metrics.shared.counter(
        "provider_calls_total", help: "Attempts at measuring, by their outcome.", labels: ["provider", "outcome"])
    private static let states = Metrics.shared.gauge(
        "provider_breaker_state", help: "0 when the circuit is closed, 1 while it is tried, 2 when it is open.",
        labels: ["provider", "model"])

    private static let costs = Metrics.shared.counter(
        "provider_cost_micros_total", help: "What providers charge for calls, in millionths of their currency.",
        labels: ["provider", "currency"])

    /// Counts what a call has cost that events tell of.
    package static func note(costMicros: Int64, of call: ProviderCall) {
        costs.increment(by: Double(costMicros), [call.scope.provider, call.currency])
    }

    /// Lets what an engine on this machine costs, nothing, be there beside what the others do.
    package static func announce(free name: String) { costs.increment(by: 0, [name, "none"]) }

    /// - Parameters:
    ///   - client: by default the one for what is outside, or that for the deployment, as the declaration says.
    ///   - chance: gives numbers from 0 up to but not 1.
    package init(
        _ declaration: ProviderDeclaration, client: HTTPClient? = nil, rules: Breaker.Rules = Breaker.Rules(),
        plan: RetryPlan = RetryPlan(), chance: @escaping () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.declaration = declaration
        self.client = client ?? (declaration.isDirect ? .shared : .outward)
        self.rules = rules
        self.plan = plan
        self.chance = chance
        for model in models { Self.states.set(0, [declaration.name, model]) }
        // There before the first call, or what that costs would be no increase.
        Self.costs.increment(by: 0, [declaration.name, declaration.currency])
    }

    private var models: [String] { declaration.models.map(\.model.model) }

    /// What the circuit of a model says of a call that would begin now.
    package func verdict(of model: String, at now: Timestamp) -> Breaker.Verdict {
        breakers[model]?.verdict(at: now) ?? .pass
    }

    /// What this process has seen of a model since it began.
    package func figures(of model: String) -> Figures { figures[model] ?? Figures() }

    /// How many requests of one call may be charged.
    var mostRequests: Int64 { declaration.hedgeAfter == nil ? 1 : 2 }

    /// What having a sound written down costs at most.
    package func cost(of audio: ProviderAudio) -> Int64 { price(of: audio) * mostRequests }

    private func price(of audio: ProviderAudio) -> Int64 {
        declaration.price.ofAudio(milliseconds: audio.milliseconds)
    }

    /// Has a sound written down.
    ///
    /// - Parameter alone: whether only one call may be made at a time here, because the provider is being tried.
    /// - Throws: `CancellationError` when the task is cancelled; whether the call was charged is not known then.
    package func transcribe(
        _ audio: ProviderAudio, with model: ProviderDeclaration.Transcription, alone: Bool = false
    ) async throws -> Outcome<Transcript> {
        guard Int64(audio.bytes.count) <= model.limitBytes else {
            return Outcome(result: .failure(.refused(status: 413)), costMicros: 0, attempts: 0, took: .zero)
        }
        let request = OpenAIProtocol.transcription(of: audio, by: model.model, declaration)
        return try await call(model.model, request, model.deadline, most: price(of: audio), alone) {
            (body) throws(AnswerFault) in
            (try Transcript(reading: body, audioMs: audio.milliseconds), price(of: audio))
        }
    }

    /// What having a question answered costs at most.
    package func cost(of question: ModelQuestion, with model: ProviderDeclaration.Chat) -> Int64 {
        most(of: question, with: model, declaration.price, pictures: 0) * mostRequests
    }

    /// What having pictures looked at costs at most.
    package func cost(of question: ModelQuestion, with model: ProviderDeclaration.Vision) -> Int64 {
        most(of: question, with: model.chat, model.price, pictures: model.tokens(of: question)) * mostRequests
    }

    /// What one request with a question costs at most.
    ///
    /// - Parameter pictures: how many tokens its pictures are counted as.
    func most(
        of question: ModelQuestion, with model: ProviderDeclaration.Chat, _ price: Price, pictures: Int64
    ) -> Int64 {
        // A token is a byte at least. What stands around both, and how the schema is told, is not counted by bytes.
        let schema = JSONValue.object(question.schema).bytes.count
        let input = Int64(question.instructions.utf8.count + question.material.utf8.count + schema) + pictures
        return price.ofTokens(input: input + 200, output: model.mostOutputTokens)
    }

    /// Has a question answered.
    ///
    /// - Parameter alone: as in ``transcribe(_:with:alone:)``.
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func answer(
        _ question: ModelQuestion, with model: ProviderDeclaration.Chat, alone: Bool = false
    ) async throws -> Outcome<ModelAnswer> {
        try await answer(question, model, declaration.price, pictures: 0, alone)
    }

    /// Has a question about pictures answered.
    ///
    /// - Parameter alone: as in ``transcribe(_:with:alone:)``.
    /// - Throws: as ``transcribe(_:with:alone:)``.
    package func answer(
        _ question: ModelQuestion, with model: ProviderDeclaration.Vision, alone: Bool = false
    ) async throws -> Outcome<ModelAnswer> {
        try await answer(question, model.chat, model.price, pictures: model.tokens(of: question), alone)
    }

    private func answer(
        _ question: ModelQuestion, _ model: ProviderDeclaration.Chat, _ price: Price, pictures: Int64, _ alone: Bool
    ) async throws -> Outcome<ModelAnswer> {
        let most = most(of: question, with: model, price, pictures: pictures)
        guard let dialect = declaration.speech.chat else { return Self.unsent(.invalidRequest) }
        let request = dialect.answer(to: question, by: model, declaration)
        return try await answer(request, model, price, most: most, within: model.deadline, alone)
    }

    /// Sends a question and reads its answer.
    ///
    /// - Parameter most: what one request costs at most.
    func answer(
        _ request: HTTPClientRequest, _ model: ProviderDeclaration.Chat, _ price: Price, most: Int64,
        within deadline: Duration, _ alone: Bool
    ) async throws -> Outcome<ModelAnswer> {
        guard let dialect = declaration.speech.chat else { return Self.unsent(.invalidRequest) }
        return try await call(model.model, request, deadline, most: most, alone) { (body) throws(AnswerFault) in
            let answer = try dialect.read(body)
            guard let input = answer.inputTokens, let output = answer.outputTokens else { return (answer, most) }
            return (answer, price.ofTokens(input: input, output: output))
        }
    }

    /// What a call came to that was not made.
    static func unsent<Answer>(_ failure: ProviderFailure) -> Outcome<Answer> {
        Outcome(result: .failure(failure), costMicros: 0, attempts: 0, took: .zero)
    }

    // MARK: One call

    /// - Parameters:
    ///   - most: what one request costs at most.
    ///   - isHedged: whether it may be sent a second time beside the first.
    func call<Answer: Sendable>(
        _ model: String, _ request: HTTPClientRequest, _ deadline: Duration, most: Int64, _ alone: Bool,
        isHedged: Bool = true,
        _ read: ([UInt8]) throws(AnswerFault) -> (Answer, cost: Int64)
    ) async throws -> Outcome<Answer> {
        let began = ContinuousClock.now
        func outcome(_ result: Result<Answer, ProviderFailure>, _ cost: Int64, _ attempts: Int) -> Outcome<Answer> {
            ended(
                model,
                Outcome(result: result, costMicros: cost, attempts: attempts, took: ContinuousClock.now - began))
        }
        var (tries, attempts) = (0, 0)
        var last: ProviderFailure?
        while true {
            // Of one that was sent, others have to learn how it failed, not that it was left at that.
            guard let admission = admit(model, alone) else { return outcome(.failure(last ?? .paused), 0, attempts) }
            tries += 1
            let left = deadline - (ContinuousClock.now - began)
            let sent: HedgedRequest.Outcome
            do {
                // Who is tried is asked once at a time.
                sent = try await HedgedRequest { try await self.send(request, within: $0) }
                    .run(pause: admission == .trial || !isHedged ? nil : declaration.hedgeAfter, within: left)
            } catch {
                if admission == .trial { trials.remove(model) }
                throw error
            }
            attempts += sent.sent
            let failure: ProviderFailure
            switch sent.result {
            case .success(let answer):
                do throws(AnswerFault) {
                    let (value, cost) = try read(answer)
                    end(model, admission, succeeded: true)
                    return outcome(.success(value), cost + most * sent.alsoCharged, attempts)
                } catch {
                    failure = .unreadable(error)
                }
            case .failure(let reason): failure = reason
            }
            end(model, admission, succeeded: !failure.countsAgainstProvider)
            last = failure
            let rest = deadline - (ContinuousClock.now - began)
            guard let pause = plan.pause(after: failure, attempt: tries, left: rest, luck: chance()) else {
                return outcome(
                    .failure(failure), (failure.mayBePaid ? most : 0) + most * sent.alsoCharged, attempts)
            }
            try await Loop.sleep(for: pause)
        }
    }

    /// Counts a call that has ended.
    func ended<Answer>(_ model: String, _ outcome: Outcome<Answer>) -> Outcome<Answer> {
        var name = "answered"
        figures[model, default: Figures()].calls += 1
        figures[model]?.costMicros += outcome.costMicros
        switch outcome.result {
        case .success: figures[model]?.answered += 1
        case .failure(let failure):
            name = failure.code
            figures[model]?.lastFailure = (failure, .now())
        }
        Self.calls.increment([declaration.name, name])
        return outcome
    }

    /// The body of a good answer.
    ///
    /// - Throws: ``ProviderFailure`` or `CancellationError`.
    private func send(_ request: HTTPClientRequest, within left: Duration) async throws -> [UInt8] {
        try await exchange(request, within: left).body
    }

    /// A good answer.
    ///
    /// - Throws: ``ProviderFailure`` or `CancellationError`.
    func exchange(_ request: HTTPClientRequest, within left: Duration) async throws -> HTTPClientResponse {
        guard left > .zero else { throw ProviderFailure.overdue }
        let answer: HTTPClientResponse
        do {
            answer = try await client.send(request, deadline: left)
        } catch let error as HTTPClientError {
            throw ProviderFailure(error)
        }
        if (200...299).contains(answer.status) {
            guard AudioForm.isPlausible(answer, to: request) else { throw ProviderFailure.unreadable(.notAudio) }
            return answer
        }
        let error = GoogleError(reading: answer.body)
        let after = answer.header("retry-after").flatMap { RetryAfter.read($0, at: .now()) } ?? error.pause
        switch (answer.status, ElevenLabsError(reading: answer.body)) {
        case (401, .quota): throw ProviderFailure.throttled(after: after)
        case (400, .noVoice), (400, .noSuchVoice): throw ProviderFailure.refused(status: 404)
        default: break
        }
        switch answer.status {
        case 429: throw ProviderFailure.throttled(after: after)
        case 401, 403: throw ProviderFailure.keyRefused
        case 400 where error.isOfKey: throw ProviderFailure.keyRefused
        case 408, 500...599: throw ProviderFailure.unavailable(status: answer.status, after: after)
        default: throw ProviderFailure.refused(status: answer.status)
        }
    }

    // MARK: The circuit

    private enum Admission { case pass, trial }

    private func admit(_ model: String, _ alone: Bool) -> Admission? {
        switch verdict(of: model, at: .now()) {
        case .pass where !alone: .pass
        case .pass: trials.insert(model).inserted ? .trial : nil
        case .trial: trials.insert(model).inserted ? .trial : nil
        case .refuse: nil
        }
    }

    /// Lends a file to a model, one at a time while that is tried; nil when it is left alone just now.
    func lending<Result>(
        to model: String, _ alone: Bool, _ lend: () async throws -> Result
    ) async throws -> Result? {
        switch verdict(of: model, at: .now()) {
        case .refuse: return nil
        case .pass where !alone: return try await lend()
        case .pass, .trial:
            guard lendingTrials.insert(model).inserted else { return nil }
            defer { lendingTrials.remove(model) }
            return try await lend()
        }
    }

    private func end(_ model: String, _ admission: Admission, succeeded: Bool) {
        if admission == .trial { trials.remove(model) }
        note(model, succeeded: succeeded)
    }

    /// Lets the circuit of a model know how a call has ended.
    func note(_ model: String, succeeded: Bool) {
        let now = Timestamp.now()
        breakers[model, default: Breaker(rules)].note(succeeded: succeeded, at: now)
        let state: Double =
            switch verdict(of: model, at: now) {
            case .pass: 0
            case .trial: 1
            case .refuse: 2
            }
        Self.states.set(state, [declaration.name, model])
    }
}

extension ProviderDeclaration.Vision {
    /// How many tokens a question's pictures are counted as, at most.
    fileprivate func tokens(of question: ModelQuestion) -> Int64 {
        Int64(question.pictures.count) * mostTokensPerPicture
    }
}

extension ProviderFailure {
    init(_ error: HTTPClientError) {
        self =
            switch error.code {
            case .unresolved, .unreachable, .notLetOut: .unreachable
            case .untrusted: .untrusted
            case .deadlineExceeded: .overdue
            case .answerTooLarge: .tooLarge
            case .broken: .cut
            case .invalidRequest: .invalidRequest
            }
    }
}
