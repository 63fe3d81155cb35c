import Contracts
import EventStore
import JSON
import Measuring
import Providers
import Runtime

/// What a job asks providers for one purpose: what is sent, and what of an answer is believed. That it is asked with a consent, within limits
/// and once is the same for all of them (`Attempt+Asking`).
@Loop protocol JobQuestion {
    associatedtype Model: ProviderModel
    associatedtype Answer: Sendable
    associatedtype Finding: JobFinding

    static var purpose: ConsentPurpose { get }
    /// What the store calls the document with the finding.
    static var document: String { get }
    /// What a provider has for it; nil when it has nothing.
    static func model(of provider: ProviderDeclaration) -> Model?

    /// SHA-256 of what is sent, 64 hexadecimal digits.
    var sha256: String { get }
    /// Whether a model takes as much.
    func fits(_ model: Model) -> Bool
    /// What a call costs at most, in millionths of the provider's currency.
    func mostMicros(_ candidate: ProviderCandidate<Model>) -> Int64
    /// What is written with the event that a call begins.
    func rowCalls(with call: ProviderCall, _ candidate: ProviderCandidate<Model>) -> [RowCall]
    /// Sends it.
    ///
    /// - Throws: `CancellationError` when the task is cancelled; whether the call was charged is not known then.
    func send(to candidate: ProviderCandidate<Model>) async throws -> Provider.Outcome<Answer>
    /// Enters into an outcome what was read and written; nil where there is no answer.
    func count(_ answer: Answer?, in outcome: inout ProviderCallOutcome)
    func read(_ answer: Answer, of call: ProviderCall) -> Result<Finding, UnfitAnswer>
}

extension JobQuestion {
    func fits(_: Model) -> Bool { true }
    func rowCalls(with _: ProviderCall, _: ProviderCandidate<Model>) -> [RowCall] { [] }
}

/// What is made of an answer, stored before it is used.
protocol JobFinding: Sendable {
    var json: JSONObject { get }
    /// - Throws: `JSONError` when a member is missing or has another form.
    init(_ object: JSONObject) throws(JSONError)
}

extension HeardWords: JobFinding {}
extension SeenMeasures: JobFinding {}
extension SeenEmotions: JobFinding {}

/// An answer that came, was charged, and cannot be used.
struct UnfitAnswer: Error {
    /// For events.
    let code: String
}
