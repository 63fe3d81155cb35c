import HTTPServer
package import JSON
package import Primitives
package import Providers

/// The Gemini API, at the same address.
///
/// The answers' members are those of `GenerateContentResponse` and `File` in github.com/googleapis/python-genai, which reads them in a test; none was
/// recorded.
extension StandIn {
    nonisolated static let geminiRoutes = [
        ("POST", "/v1/models/{call}"), ("POST", "/upload/v1/files"), ("GET", "/v1/files"),
        ("GET", "/v1/files/{name}"), ("DELETE", "/v1/files/{name}"),
    ]

    /// A provider of this API that is tried again at once, without chance.
    package func gemini(pause: Duration = .seconds(3_600), hedgeAfter: Duration? = nil) -> Provider {
        var declared = declaration()
        declared.speech = .gemini
        declared.hedgeAfter = hedgeAfter
        var rules = Breaker.Rules()
        rules.pause = pause
        var plan = RetryPlan()
        plan.first = .zero
        plan.jitter = .zero
        return Provider(declared, rules: rules, plan: plan)
    }

    package nonisolated static func geminiChat(_ deadline: Duration = .seconds(30)) -> ProviderDeclaration.Chat {
        ProviderDeclaration.Chat(model: "gemini-2.5-flash-lite", deadline: deadline, mostOutputTokens: 500)
    }

    package nonisolated static func geminiVideo(_ deadline: Duration = .seconds(30)) -> ProviderDeclaration.Video {
        ProviderDeclaration.Video(chat: geminiChat(deadline), price: price, limitBytes: 100_000_000)
    }

    /// An answer of a model.
    package nonisolated static func generated(_ text: String, reason: String = "STOP") -> [UInt8] {
        let filled = answer("generated", of: "gemini").replacing("\"CONTENT\"", with: JSONValue.string(text).text)
        return Array(filled.replacing("REASON", with: reason).utf8)
    }

    /// What it says of a file.
    package nonisolated static func file(_ name: UUID, _ state: String) -> JSONValue {
        let filled = answer("file", of: "gemini").replacing("NAME", with: name.description)
        guard let value = try? JSONValue.parse(Array(filled.replacing("STATE", with: state).utf8)) else {
            preconditionFailure("file.json is no JSON.")
        }
        return value
    }

    /// An upload has begun. The place is one that no upload may go to.
    package nonisolated static let started = Behaviour.answer(
        [],
        headers: [
            "X-Goog-Upload-URL": "https://elsewhere.example.org/upload/v1/files?upload_id=1",
            "X-Goog-Upload-Status": "active",
        ])

    /// The last bytes of an upload have come.
    package nonisolated static func uploaded(_ name: UUID, _ state: String = "PROCESSING") -> Behaviour {
        .answer(JSONValue.object(["file": file(name, state)]).bytes, headers: ["X-Goog-Upload-Status": "final"])
    }

    package nonisolated static func looked(_ name: UUID, _ state: String) -> Behaviour {
        .answer(file(name, state).bytes)
    }

    /// What the API does with files that are lent: takes each, has it ready at once, and deletes it; `answer` is what questions get.
    package nonisolated static func lending(_ answer: Behaviour) -> Behaviour {
        .following { asked in
            guard let request = asked.last else { return answer }
            let starts = asked.filter { $0.headers["x-goog-upload-command"] == "start" }
            let named = starts.last.flatMap { try? JSONObject.parse($0.body) }?["file"]?["name"]?.stringValue
            let name = named.flatMap { UUID(String($0.dropFirst("files/".count))) } ?? .zero
            return switch (request.method, request.headers["x-goog-upload-command"]) {
            case ("DELETE", _): .answer(Array("{}".utf8))
            case ("GET", _): looked(name, "ACTIVE")
            case (_, "start"): started
            case (_, nil): answer
            default: uploaded(name, "ACTIVE")
            }
        }
    }

    /// What it says of a key that it does not know, and of too many calls.
    package nonisolated static let unknownKey = Array(answer("unknown-key", of: "gemini").utf8)
    package nonisolated static let exhausted = Array(answer("exhausted", of: "gemini").utf8)
}
