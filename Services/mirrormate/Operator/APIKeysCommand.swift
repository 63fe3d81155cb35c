import JSON
import Runtime

/// The commands `keys make`, `keys api` and `keys revoke`: the API keys of the compatible surface.
@Loop struct APIKeysCommand {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// Makes a key of each kind, and says what they are: nobody can find that out later.
    func make() async throws -> ExitCode {
        let answer = try await operate(["make"] + (arguments[Flags.opaque] ? ["--opaque"] : []))
        if arguments[Flags.json] {
            console.answer(.object(answer))
            return .success
        }
        var table = Columns(["KEY", "FOR", "TEXT"])
        table.add([Self.text(answer, "anonKeyId"), "clients", Self.text(answer, "anonKey")])
        table.add([Self.text(answer, "serviceKeyId"), "your own server alone", Self.text(answer, "serviceKey")])
        console.print(table.paragraphs(console.style, within: console.room))
        console.note("Keep them: only their hashes are stored.")
        return .success
    }

    func list() async throws -> ExitCode {
        let answer = try await operate(["list"])
        if arguments[Flags.json] {
            console.answer(.object(answer))
            return .success
        }
        console.print(
            Self.table(answer)?.paragraphs(console.style, within: console.room)
                ?? "There is no API key; mirrormate keys makes two.")
        return .success
    }

    /// A line for each key; nil without any.
    nonisolated static func table(_ answer: JSONObject) -> Columns? {
        let keys = (answer["apiKeys"]?.arrayValue ?? []).compactMap(\.objectValue)
        if keys.isEmpty { return nil }
        var table = Columns(["KEY", "ROLE", "MADE", "REVOKED"])
        for key in keys {
            let isRevoked = key["revoked"]?.boolValue == true
            table.add([text(key, "id"), text(key, "role"), text(key, "createdAt"), isRevoked ? "yes" : ""])
        }
        return table
    }

    func revoke() async throws -> ExitCode {
        let word = arguments[Operands.apiKey]
        try ComposeDeployment.refuse("keys", instead: Self.advice(["revoke", word]))
        // Nobody is asked about a key that is not there.
        let key = try Self.key(word, of: try await operate(["list"]))
        try Confirmation.ask(
            "Every client that has the key \(key) is shut out, for good.", typing: "revoke", arguments, console)
        let answer = try await operate(["revoke", key])
        if arguments[Flags.json] {
            console.answer(.object(answer))
        } else {
            console.print("The key counts no longer, in every service within a second.")
        }
        return .success
    }

    /// The id of a key that is named by it or by its first digits.
    ///
    /// - Throws: a failure that lists which there are.
    nonisolated static func key(_ word: String, of answer: JSONObject) throws(Failure) -> String {
        let ids = (answer["apiKeys"]?.arrayValue ?? []).compactMap { $0["id"]?.stringValue }
        let found = ids.filter { $0.hasPrefix(word.lowercased()) }
        if let id = found.first, found.count == 1, word.count >= SubjectName.fewest { return id }
        if found.count > 1, word.count >= SubjectName.fewest { throw .ambiguous(word, among: found) }
        throw .unknown("There is no API key \(word)", word, among: ids)
    }

    /// What identity answers to its command.
    private func operate(_ words: [String]) async throws -> JSONObject {
        try ComposeDeployment.refuse("keys", instead: Self.advice(words))
        let text = try await Stack(try Settings(arguments), console).operate("identity", ["api-keys"] + words)
        return try JSONValue.parse(text).objectValue ?? [:]
    }

    nonisolated private static func advice(_ words: [String]) -> String {
        "docker compose exec identity service api-keys \(words.joined(separator: " "))"
    }

    nonisolated private static func text(_ object: JSONObject, _ name: String) -> String {
        object[name]?.stringValue ?? ""
    }
}
