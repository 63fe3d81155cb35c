import Contracts
import EventSourcing
import EventStore
import HTTPServer
import Postgres
import Primitives
import Runtime
import ServiceKit

/// Creates sessions, on whatever surface somebody asks: what the limits allow, and with quota's decision.
@Loop struct NewSessions {
    /// What is asked for.
    struct Wish {
        let session: SessionIdentity
        let creation: SessionCreation
        /// The same for a repeat of the same request.
        let command: UUID
        let requestHash: [UInt8]
        /// Whether the caller has confirmed their address; nil for a caller without one, or who is not asked.
        let isEmailVerified: Bool?
        /// The networks that the request comes from.
        let networks: [ClientNetwork]
        let metadata: EventMetadata
        /// Further row writes of the append.
        var calls: [RowCall] = []
    }

    private let store: EventStore
    private let settings: SessionsSettings
    private let networks: NetworkLimit
    private let refusals: RefusalLimit

    init(_ store: EventStore, _ settings: SessionsSettings, _ networks: NetworkLimit, _ refusals: RefusalLimit) {
        self.store = store
        self.settings = settings
        self.networks = networks
        self.refusals = refusals
    }

    private var commands: CommandHandler<Session> { CommandHandler(store) }

    /// Creates the session, or finds it when the same was asked before, and waits a bounded time for quota's decision.
    ///
    /// - Returns: the session, which quota may have refused.
    /// - Throws: `SessionRefusal`, a problem 403, 429 or 503, `AppendError`, `PostgresError`.
    func create(_ wish: Wish) async throws -> SessionView {
        let owner = wish.session.ownerId
        // A repeat is no second analysis.
        if try await isKnown(wish) { return try await decided(wish.session) }
        let receipt: AppendReceipt
        do {
            let guards = try await confirmedAddress(wish)
            // At no cost for the log; who comes beside others is counted with the append.
            try await networks.check(wish.networks)
            try await refusals.check(owner)
            receipt = try await store.append {
                Append(
                    id: wish.command, requestHash: wish.requestHash, metadata: wish.metadata,
                    decisions: try await beginning(wish.session, wish.creation),
                    calls: guards + networks.taking(wish.networks) + [refusals.taking(owner)] + wish.calls)
            }
        } catch let error where Self.isRefusal(error) {
            // What was accepted once, meanwhile, is answered as accepted, whatever a repeat of it would be told now.
            if try await isKnown(wish) { return try await decided(wish.session) }
            guard case AppendError.guarded(let used) = error, [.networkUsedUp, .refusalsUsedUp].contains(used) else {
                throw error
            }
            try await networks.check(wish.networks)
            try await refusals.check(owner)
            // One has come back in between.
            throw Problem.unavailable
        }
        let view = try await decided(wish.session)
        // Whoever only stops waiting for the answer gets nothing back.
        if view.row.refusal != nil, !receipt.isRepeat { try await networks.giveBack(wish.networks) }
        return view
    }

    private func isKnown(_ wish: Wish) async throws -> Bool {
        try await store.receipt(id: wish.command, requestHash: wish.requestHash) != nil
    }

    /// Whether an error says that a session must not be created now, and not that it cannot be known.
    private nonisolated static func isRefusal(_ error: any Error) -> Bool {
        switch error {
        case is SessionRefusal, is Problem, AppendError.guarded: true
        default: false
        }
    }

    /// Whoever signs up is let in at once, and has one session; for more an account shows that its address is its own. Deleted
    /// sessions count too.
    ///
    /// - Returns: what holds that in the append, because others may be created at the same moment.
    /// - Throws: the problem `address-unconfirmed`, or `PostgresError`.
    private func confirmedAddress(_ wish: Wish) async throws -> [RowCall] {
        guard settings.mustConfirmAddress, wish.isEmailVerified == false else { return [] }
        let sessions = try await store.pool.query(
            "select from stream_owners where owner = $1 and starts_with(stream, $2) limit 1",
            [.uuid(wish.session.ownerId), .text("\(Session.category)-")])
        guard sessions.count == 0 else { throw Problem(.addressUnconfirmed) }
        return [SessionRows.beginOnlySession(wish.session)]
    }

    /// The first event of a session, after the ending of the one that it replaces, if that has not ended: so quota sees
    /// the unit come back before it is asked for it again.
    private func beginning(_ session: SessionIdentity, _ creation: SessionCreation) async throws -> [Decision] {
        var decisions: [Decision] = []
        if let replaced = creation.replaces {
            let old = try await commands.load(Session.stream(replaced))
            decisions.append(try old.decide(.giveWay(by: session.ownerId, to: session.sessionId)))
        }
        let known = try await commands.load(Session.stream(session.sessionId))
        decisions.append(try known.decide(.create(session, creation)))
        return decisions
    }

    /// Waits a bounded time for quota's decision.
    private func decided(_ session: SessionIdentity) async throws -> SessionView {
        let loaded = try await commands.loadDecided(session.sessionId, within: settings.quotaWait)
        return try SessionView(session.sessionId, loaded, of: session.ownerId)
    }
}

extension CommandHandler<Session> {
    /// A session as soon as quota has decided on it, or as it is after `limit`; at once where there is nothing to decide.
    ///
    /// - Throws: as ``load(_:)``, or `CancellationError`.
    func loadDecided(_ id: UUID, within limit: Duration) async throws -> Loaded {
        try await load(Session.stream(id), waiting: limit) { if case .queued = $0.state { false } else { true } }
    }
}
