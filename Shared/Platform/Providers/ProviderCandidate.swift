package import Contracts
package import EventStore
import Postgres
package import Primitives
package import Runtime
import ServiceKit

/// What a provider is asked with.
package protocol ProviderModel: Sendable {
    /// What it is asked for.
    static var use: ProviderUse { get }
    var model: String { get }
    /// How long a call may take, with all that is tried.
    var deadline: Duration { get }
}

extension ProviderDeclaration.Transcription: ProviderModel { package static let use = ProviderUse.transcription }
extension ProviderDeclaration.Chat: ProviderModel { package static let use = ProviderUse.chat }

extension ProviderDeclaration.Vision: ProviderModel {
    package static let use = ProviderUse.vision
    package var model: String { chat.model }
    package var deadline: Duration { chat.deadline }
}

extension ProviderDeclaration.Video: ProviderModel {
    package static let use = ProviderUse.video
    package var model: String { chat.model }
    package var deadline: Duration { chat.deadline }
}

extension ProviderDeclaration.Emotions: ProviderModel {
    package static let use = ProviderUse.emotions
    package var model: String { vision.model }
    package var deadline: Duration { vision.deadline }
}

/// A provider that may be asked for something of an owner.
@Loop package struct ProviderCandidate<Model: ProviderModel> {
    package let provider: Provider
    package let model: Model
    package let scope: ConsentScope
    /// Whether its circuit is being tried, so that only one call is made at a time here.
    package let isTrial: Bool

    /// Those that are not forbidden, were not asked before, may have the owner's data, and are not left alone just now; in their order.
    ///
    /// - Parameters:
    ///   - asked: for the same thing before.
    ///   - model: what a provider has for the purpose; nil when it has nothing.
    /// - Throws: `PostgresError`.
    package static func all(
        of providers: [Provider], for purpose: ConsentPurpose, owner: UUID, asked: Set<ConsentScope>,
        _ store: EventStore, with model: (ProviderDeclaration) -> Model?
    ) async throws -> [ProviderCandidate] {
        var found: [ProviderCandidate] = []
        for provider in providers.ranked(for: Model.use) {
            let scope = ConsentScope(provider: provider.declaration.name, purpose: purpose)
            guard let model = model(provider.declaration), !provider.declaration.isOff, !asked.contains(scope) else {
                continue
            }
            if case .refuse = provider.verdict(of: model.model, at: .now()) { continue }
            guard try await Consented.isAllowed(scope, owner, store) else { continue }
            let candidate = ProviderCandidate(provider, model, scope, isTrial: false)
            if let candidate = try await candidate.renewed(store) { found.append(candidate) }
        }
        return found
    }

    /// The same as all instances see its circuit now, which may be some time after it was found; nil when it is left alone.
    ///
    /// - Throws: `PostgresError`.
    package func renewed(_ store: EventStore) async throws -> ProviderCandidate? {
        if case .refuse = provider.verdict(of: model.model, at: .now()) { return nil }
        let now = try await Consented.now(store)
        return switch try await store.verdict(of: model.model, by: scope.provider, at: now) {
        case .pass: ProviderCandidate(provider, model, scope, isTrial: false)
        case .trial: ProviderCandidate(provider, model, scope, isTrial: true)
        case .refuse: nil
        }
    }

    private init(_ provider: Provider, _ model: Model, _ scope: ConsentScope, isTrial: Bool) {
        self.provider = provider
        self.model = model
        self.scope = scope
        self.isTrial = isTrial
    }
}

/// What a service's own copy of consents says.
@Loop package enum Consented {
    /// Whether an owner lets a provider have the data of a purpose now. What counts is asked again by the append that begins a call.
    ///
    /// - Throws: `PostgresError`.
    package static func isAllowed(_ scope: ConsentScope, _ owner: UUID, _ store: EventStore) async throws -> Bool {
        let classes = scope.purpose.dataClasses.map(\.rawValue)
        return try await store.pool.query(
            """
            select exists (select from consents where owner_id = $1 and provider = $2 and purpose = $3
                and $4::text[] <@ data_classes and $4::text[] <> '{}')
            """, [.uuid(owner), .text(scope.provider), .text(scope.purpose.rawValue), .texts(classes)]
        ).rows[0].bool(0)
    }

    fileprivate static func now(_ store: EventStore) async throws -> Timestamp {
        try await store.pool.query("select clock_timestamp()").rows[0].time(0)
    }
}
