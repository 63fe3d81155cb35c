import JSON
import Runtime

/// `mirrormate providers`: the engines outside this server, as the services know them that ask some.
@Loop struct ProviderCommands {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// `mirrormate providers list`.
    func list() async throws -> ExitCode {
        let answer = Self.joined(try await lists().map(\.answer))
        if arguments[Flags.json] {
            console.print(JSONValue.object(answer).prettyText)
        } else if answer["providers"]?.arrayValue?.isEmpty ?? true {
            console.print(
                "No provider is named: everything is measured and worded on this server. See docs/providers.md.")
        } else {
            console.print(Self.table(answer).text(console.style))
        }
        return .success
    }

    /// `mirrormate providers try`.
    func attempt() async throws -> ExitCode {
        let name = arguments[Operands.provider]
        let lists = try await lists()
        // A service that does not name it says so.
        let asked = lists.first { Self.names($0.answer).contains(name) } ?? lists[0]
        let answer = try await call("POST", asked.address, "/operator/providers/\(name)/try")
        let tried = (answer["tried"]?.arrayValue ?? []).compactMap(\.objectValue)
        if arguments[Flags.json] {
            console.print(JSONValue.object(answer).prettyText)
        } else {
            for one in tried { for line in Self.lines(one, answer["currency"]) { console.print(line) } }
        }
        return tried.allSatisfy { $0["code"] == "answered" } ? .success : .failure
    }

    /// What each service that asks providers knows of them, with its address.
    private func lists() async throws -> [(address: String, answer: JSONObject)] {
        var lists: [(address: String, answer: JSONObject)] = []
        for (service, flag) in [("analysis", Flags.analysis), ("reporting", Flags.reporting)] {
            let address = try OperatorServices.adminPort(of: service, flag, arguments)
            lists.append((address, try await call("GET", address, "/operator/providers")))
        }
        return lists
    }

    private func call(_ method: String, _ address: String, _ path: String) async throws -> JSONObject {
        let key = try OperatorServices.key(arguments)
        return try JSONObject.parse(
            try await OperatorServices.send(
                method, address + path, nil, secret: key,
                // As long as two calls may take.
                deadline: .seconds(1_300)))
    }

    // MARK: Several services

    nonisolated private static func names(_ answer: JSONObject) -> [String] {
        (answer["providers"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    /// What several services know, as one: calls and costs of a model are added up, and the circuit is the one that is least closed.
    nonisolated static func joined(_ answers: [JSONObject]) -> JSONObject {
        var providers: [JSONObject] = []
        for provider in answers.flatMap({ $0["providers"]?.arrayValue ?? [] }).compactMap(\.objectValue) {
            guard let place = providers.firstIndex(where: { $0["name"] == provider["name"] }) else {
                providers.append(provider)
                continue
            }
            var models = (providers[place]["models"]?.arrayValue ?? []).compactMap(\.objectValue)
            for model in (provider["models"]?.arrayValue ?? []).compactMap(\.objectValue) {
                let known = models.firstIndex { $0["purpose"] == model["purpose"] && $0["model"] == model["model"] }
                if let known { models[known] = joined(models[known], model) } else { models.append(model) }
            }
            providers[place]["models"] = .array(models.map(JSONValue.object))
        }
        return ["providers": .array(providers.map(JSONValue.object))]
    }

    nonisolated private static func joined(_ one: JSONObject, _ other: JSONObject) -> JSONObject {
        var sum = one
        for member in ["calls", "answered", "costMicros"] {
            sum[member] = .int((one[member]?.intValue ?? 0) + (other[member]?.intValue ?? 0))
        }
        let circuits = ["closed", "half-open", "open"]
        func rank(_ model: JSONObject) -> Int { circuits.firstIndex(of: model["circuit"]?.stringValue ?? "") ?? 0 }
        if rank(other) > rank(one) {
            for member in ["circuit", "openUntil"] { sum[member] = other[member] }
        }
        // Times of one form, so the later one is the greater text.
        func failed(_ model: JSONObject) -> String { model["lastFailure"]?["at"]?.stringValue ?? "" }
        if failed(other) > failed(one) { sum["lastFailure"] = other["lastFailure"] }
        return sum
    }

    /// A line for each model.
    nonisolated static func table(_ answer: JSONObject) -> Columns {
        var table = Columns(
            ["PROVIDER", "PURPOSE", "MODEL", "CIRCUIT", "CALLS", "ANSWERED", "COST", "LAST FAILURE"], right: [4, 5, 6])
        for provider in (answer["providers"]?.arrayValue ?? []).compactMap(\.objectValue) {
            let isOff = provider["off"]?.boolValue ?? false
            for model in (provider["models"]?.arrayValue ?? []).compactMap(\.objectValue) {
                let failure = model["lastFailure"]?.objectValue
                table.add([
                    provider["name"].map(Format.value) ?? "", model["purpose"].map(Format.value) ?? "",
                    model["model"].map(Format.value) ?? "",
                    isOff ? "off" : model["circuit"].map(Format.value) ?? "",
                    model["calls"].map(Format.value) ?? "", model["answered"].map(Format.value) ?? "",
                    cost(model, provider["currency"]),
                    failure.map { "\($0["code"].map(Format.value) ?? "") \($0["at"].map(Format.value) ?? "")" } ?? "",
                ])
            }
        }
        return table
    }

    /// What a call of one model came to.
    nonisolated static func lines(_ tried: JSONObject, _ currency: JSONValue?) -> [String] {
        let what = "\(tried["purpose"].map(Format.value) ?? "") (\(tried["model"].map(Format.value) ?? ""))"
        let took = "in \(tried["durationMs"]?.intValue ?? 0) ms, for \(cost(tried, currency))"
        let code = tried["code"].map(Format.value) ?? ""
        let advice = tried["advice"]?.stringValue
        return ["\(what): \(code) \(took)"] + (advice.map { ["  \($0)"] } ?? [])
    }

    /// Millionths of a currency, written with the currency.
    nonisolated private static func cost(_ object: JSONObject, _ currency: JSONValue?) -> String {
        let micros = object["costMicros"]?.intValue ?? 0
        let rest = String(micros % 1_000_000)
        let digits = String(repeating: "0", count: 6 - rest.count) + rest
        return "\(micros / 1_000_000).\(digits) \(currency?.stringValue ?? "")"
    }
}
