import JSON
import Runtime

/// `mirrormate providers`: the engines outside this server, as analysis knows them.
@Loop struct ProviderCommands {
    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    /// `mirrormate providers list`.
    func list() async throws -> ExitCode {
        let answer = try await call("GET", "/operator/providers")
        if arguments[Flags.json] {
            console.print(JSONValue.object(answer).prettyText)
        } else if answer["providers"]?.arrayValue?.isEmpty ?? true {
            console.print("No provider is named: everything is measured on this server. See docs/providers.md.")
        } else {
            console.print(Self.table(answer).text(console.style))
        }
        return .success
    }

    /// `mirrormate providers try`.
    func attempt() async throws -> ExitCode {
        let answer = try await call("POST", "/operator/providers/\(arguments[Operands.provider])/try")
        let tried = (answer["tried"]?.arrayValue ?? []).compactMap(\.objectValue)
        if arguments[Flags.json] {
            console.print(JSONValue.object(answer).prettyText)
        } else {
            for one in tried { for line in Self.lines(one, answer["currency"]) { console.print(line) } }
        }
        return tried.allSatisfy { $0["code"] == "answered" } ? .success : .failure
    }

    private func call(_ method: String, _ path: String) async throws -> JSONObject {
        let analysis = try OperatorServices.adminPort(of: "analysis", Flags.analysis, arguments)
        let key = try OperatorServices.key(arguments)
        return try JSONObject.parse(
            try await OperatorServices.send(
                method, analysis + path, nil, secret: key,
                // As long as two calls may take.
                deadline: .seconds(1_300)))
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
