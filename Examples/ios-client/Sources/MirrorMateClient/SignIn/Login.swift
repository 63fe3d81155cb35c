import Foundation

/// The tokens of whoever is signed in: one refresh at a time, whoever needs it.
actor Login {
    private let store: any TokenStore
    private let refresh: @Sendable (String) async throws -> Tokens
    private var loaded: Kept?
    private var refreshing: Task<TokenPair, any Error>?

    /// - Parameter refresh: exchanges a refresh token for new tokens.
    init(_ store: any TokenStore, refresh: @escaping @Sendable (String) async throws -> Tokens) {
        self.store = store
        self.refresh = refresh
    }

    /// An access token that is still good for a request.
    ///
    /// - Parameter refused: one that the server refused, although its time was not over.
    /// - Throws: ``ClientError/notSignedIn``, or what the refresh throws.
    func accessToken(insteadOf refused: String? = nil) async throws -> String {
        guard let pair = try kept().tokens else { throw ClientError.notSignedIn }
        if pair.expiresAt.timeIntervalSinceNow > 30, pair.access != refused { return pair.access }
        return try await refreshed(pair).access
    }

    func kept() throws -> Kept {
        if let loaded { return loaded }
        let kept = try store.load() ?? Kept()
        loaded = kept
        return kept
    }

    /// Keeps what a sign-in gave.
    func keep(_ tokens: TokenPair, _ device: KnownDevice?) throws {
        var kept = Kept()
        (kept.tokens, kept.device) = (tokens, device)
        try save(kept)
    }

    /// Forgets the tokens, if they are still those with this access token.
    func forget(_ access: String) throws {
        var kept = try kept()
        guard kept.tokens?.access == access else { return }
        kept.tokens = nil
        try save(kept)
    }

    private func save(_ kept: Kept) throws {
        try store.save(kept)
        loaded = kept
    }

    private func refreshed(_ old: TokenPair) async throws -> TokenPair {
        // A task of its own: a caller who gives up leaves the others theirs, and loses no token that was given out.
        let task = refreshing ?? Task { try await exchange(old) }
        refreshing = task
        return try await task.value
    }

    private func exchange(_ old: TokenPair) async throws -> TokenPair {
        defer { refreshing = nil }
        do {
            let new = try TokenPair(try await refresh(old.refresh))
            var kept = try kept()
            // Somebody may have signed out meanwhile, or in.
            guard kept.tokens == old else { throw ClientError.notSignedIn }
            kept.tokens = new
            try save(kept)
            return new
        } catch let problem as Problem where problem.code.endsLogin {
            try forget(old.access)
            throw problem
        }
    }
}

extension TokenPair {
    init(_ tokens: Tokens) throws {
        try self.init(tokens.accessToken, tokens.refreshToken, tokens.expiresIn)
    }

    init(_ welcome: Welcome) throws {
        try self.init(welcome.accessToken, welcome.refreshToken, welcome.expiresIn)
    }

    private init(_ access: String, _ refresh: String?, _ seconds: Int) throws {
        // Left out only for pages, which have it in a cookie.
        guard let refresh else { throw URLError(.cannotParseResponse) }
        self.init(access: access, refresh: refresh, expiresAt: .now + Double(seconds))
    }
}
