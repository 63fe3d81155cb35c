import Contracts
import EventSourcing
import Postgres
import Replay
import Runtime

/// Names of rows and streams that end with an id, which may be given by its first digits.
extension ServiceLogs {
    /// The key of a row of a read model: the one that begins so where only digits of an id are given, else the word as it is.
    ///
    /// - Throws: `PostgresError`, or a failure when several begin so.
    func key(_ word: String, of model: ReadModelName) async throws -> String {
        guard case .start(let digits) = SubjectName(word) else { return word }
        let keys = try await readModel(model).0.pool.query(
            "select key from \(model.name) where starts_with(key, $1) order by key limit 6", [.text(digits)]
        ).rows.map { $0.text(0) }
        return try Self.only(keys, startingWith: digits) ?? word
    }

    /// The key of a row that may be missing: one of the read model that begins so, else what a stream of the service's has at its end.
    ///
    /// - Throws: `PostgresError`, or a failure when several begin so.
    func repaired(_ word: String, of model: ReadModelName) async throws -> String {
        guard case .start(let digits) = SubjectName(word) else { return word }
        let key = try await key(word, of: model)
        if key != word { return key }
        let keys = try await readModel(model).0.pool.query(
            """
            select distinct right(stream, 36) from events
            where version = 1 and stream !~ '^life-' and right(stream, 36) ~ '^[0-9a-f-]{36}$' and right(stream, 36) like $1
            order by 1 limit 6
            """, [.text(digits + "%")]
        ).rows.map { $0.text(0) }
        return try Self.only(keys, startingWith: digits) ?? word
    }

    /// The stream that begins so where only digits of its id are given, else the name as it is.
    ///
    /// - Throws: `PostgresError`, or a failure when several begin so.
    func stream(_ stream: StreamName, of service: ServiceName) async throws -> StreamName {
        guard let (category, digits) = Self.beginning("\(stream)") else { return stream }
        let streams = try await store(service).pool.query(
            "select stream from events where version = 1 and starts_with(stream, $1) order by stream limit 6",
            [.text(category + digits)]
        ).rows.map { $0.text(0) }
        return try Self.only(streams, startingWith: category + digits).map { StreamName(rawValue: $0) } ?? stream
    }

    /// The same of a stream that has events.
    ///
    /// - Throws: `PostgresError`, or a failure when several begin so, or none is called so.
    func knownStream(_ name: StreamName, of service: ServiceName) async throws -> StreamName {
        let stream = try await stream(name, of: service)
        guard try await !store(service).stream(stream, upTo: 1).isEmpty else {
            throw Failure.usage(
                "The log of \(service.rawValue) has no stream \(name).",
                advice: "`mirrormate events \(service.rawValue)` shows names of streams.")
        }
        return stream
    }

    /// The category of a stream, with the hyphen behind it, and the first digits of the id that stand in the place of the whole;
    /// nil for any other name.
    nonisolated static func beginning(_ stream: String) -> (category: String, digits: String)? {
        guard let hyphen = stream.firstIndex(of: "-") else { return nil }
        let start = stream.index(after: hyphen)
        guard case .start(let digits) = SubjectName(String(stream[start...])) else { return nil }
        return (String(stream[..<start]), digits)
    }

    nonisolated private static func only(_ found: [String], startingWith digits: String) throws(Failure) -> String? {
        if found.count > 1 { throw .ambiguous(digits, among: found) }
        return found.first
    }
}
