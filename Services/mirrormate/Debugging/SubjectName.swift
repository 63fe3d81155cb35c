import Contracts
import EventSourcing
import Postgres
import Primitives
import Replay
import Runtime

/// A session, a user or an event, in any of the forms in which outputs show it and people know it.
enum SubjectName: Sendable, Equatable {
    case id(UUID)
    /// An account, by its mail address.
    case email(String)
    /// An event, by its place in a log, such as `sessions/12`.
    case place(ServiceName, Int64)
    /// The first digits of an id.
    case start(String)

    /// How many digits of an id are wanted at least: fewer are hardly ever enough, and many a word is made of them.
    static let fewest = 4

    /// Reads a word: an id, also behind the names of a service and an aggregate (`sessions/session-…`), a mail address, an event's
    /// place, or the beginning of an id.
    init?(_ word: String) {
        // A table that has little room shows the beginning of an id so.
        let word = word.hasSuffix("…") ? String(word.dropLast()) : word
        let rest = word.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if let id = UUID(String(word.suffix(36))), word.utf8.count == 36 || "-/".contains(word.dropLast(36).last ?? " ")
        {
            self = .id(id)
        } else if word.contains("@") {
            guard word.first != "@", word.last != "@" else { return nil }
            self = .email(word)
        } else if rest.count == 2, let service = ServiceName(rawValue: String(rest[0])), let position = Int64(rest[1]) {
            guard position > 0 else { return nil }
            self = .place(service, position)
        } else {
            let isStart = word.utf8.count < 36 && word.allSatisfy { $0 == "-" || $0.isHexDigit }
            guard isStart, word.filter({ $0 != "-" }).count >= Self.fewest else { return nil }
            self = .start(word.lowercased())
        }
    }
}

extension ValueType where Value == SubjectName {
    /// What something is about, in any form; see ``SubjectName``.
    static func subject(_ placeholder: String = "ID") -> Self {
        Self(
            placeholder,
            expected:
                "an id or its first digits (4 or more), an account's mail address, or an event as SERVICE/POSITION"
        ) { SubjectName($0) }
    }
}

extension ServiceLogs {
    /// The id that somebody means.
    ///
    /// - Throws: a failure when there is none, or more than one.
    func id(_ name: SubjectName) async throws -> UUID {
        switch name {
        case .id(let id): return id
        case .email(let email):
            return try uuid(try await OperatorServices(arguments).user(email))
        case .place(let service, let position):
            guard let event = try await store(service).events(where: "position = $1", [.int(position)]).first else {
                throw Failure.usage(
                    "The log of \(service.rawValue) has no event at position \(position).",
                    advice: "It ends at \(try await store(service).head()).")
            }
            return event.id
        case .start(let digits): return try await id(startingWith: digits)
        }
    }

    private func uuid(_ text: String) throws(Failure) -> UUID {
        guard let id = UUID(text) else {
            throw Failure(.failure, "no-id", "\(text) is no id.", advice: "Use tools and services of one version.")
        }
        return id
    }

    private func id(startingWith digits: String) async throws -> UUID {
        // Sessions and users stand at the end of streams' names. There are many more events, so theirs are looked for only when
        // nobody else is meant.
        var found = try await ids(
            """
            select distinct right(stream, 36)::uuid from events
            where version = 1 and stream !~ '^life-' and right(stream, 36) ~ '^[0-9a-f-]{36}$' and right(stream, 36) like $1
            limit 10
            """, [.text(digits + "%")])
        if found.isEmpty {
            let plain = digits.filter { $0 != "-" }
            if plain.count <= 32, plain.allSatisfy(\.isASCII) {
                let bounds = ["0", "f"].map { plain + String(repeating: $0, count: 32 - plain.count) }
                found = try await ids(
                    "select id from events where id between $1::text::uuid and $2::text::uuid limit 10",
                    bounds.map(PostgresValue.text))
            }
        }
        if let id = found.first, found.count == 1 { return id }
        if found.isEmpty {
            throw Failure(
                .usage, "unknown", "No session, user or event has an id that begins with \(digits).",
                advice: "`mirrormate sessions list` shows sessions and their owners.")
        }
        throw Failure.ambiguous(digits, among: found.map(\.description).sorted())
    }

    /// The ids that a query finds in the logs of all services.
    private func ids(_ query: String, _ parameters: [PostgresValue]) async throws -> Set<UUID> {
        var found: Set<UUID> = []
        for store in stores { found.formUnion(try await store.pool.query(query, parameters).rows.map { $0.uuid(0) }) }
        return found
    }

    /// The id of an owner as a person names them.
    ///
    /// - Parameter usage: how the command is written, for whoever has named nobody.
    func owner(_ word: String?, usage: String) async throws -> UUID {
        guard let word else { throw Failure.usage("Name the owner: \(usage).") }
        guard let name = SubjectName(word) else {
            throw Failure.usage("“\(word)” is neither an id nor a mail address: \(usage).")
        }
        return try await id(name)
    }
}
