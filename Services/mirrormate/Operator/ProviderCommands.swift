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
        let (answers, isWhole) = try await answers()
        if arguments[Flags.json] {
            let instances = answers.map { one -> JSONValue in
                ["instance": .string(one.instance), "providers": one.answer["providers"] ?? []]
            }
            console.answer(["instances": .array(instances)])
        } else if answers.allSatisfy({ $0.answer["providers"]?.arrayValue?.isEmpty ?? true }) {
            console.print(
                "No provider is named: everything is measured and worded on this server. See docs/providers.md.")
        } else {
            console.print(
                Self.table(answers.map { ($0.instance, $0.answer) }).paragraphs(console.style, within: console.room))
        }
        return isWhole ? .success : .unavailable
    }

    /// `mirrormate providers try`.
    func attempt() async throws -> ExitCode {
        let name = arguments[Operands.provider]
        let answers = try await answers().found
        // One that does not name it says so.
        let asked = answers.first { Self.names($0.answer).contains(name) } ?? answers[0]
        let answer = try await Self.call(
            "POST", "\(asked.url)/operator/providers/\(name)/try", OperatorServices.key(arguments))
        let tried = (answer["tried"]?.arrayValue ?? []).compactMap(\.objectValue)
        if arguments[Flags.json] {
            console.answer(.object(answer))
        } else {
            for one in tried { for line in Self.lines(one, answer["currency"]) { console.print(line) } }
        }
        return tried.allSatisfy { $0["code"] == "answered" } ? .success : .failure
    }

    /// What an instance that asks providers knows of them.
    private struct Answer {
        let instance: String
        let url: String
        let answer: JSONObject
    }

    /// The instances of the services that ask providers; where options name some of these services, the others are not asked.
    private func places() throws -> [(name: String, url: String)] {
        let services = [("analysis", Flags.analysis), ("reporting", Flags.reporting)]
        let named = services.filter { arguments[$0.1] != nil }
        return try (named.isEmpty ? services : named).flatMap { service, flag in
            try OperatorServices.adminPorts(of: service, flag, arguments)
        }
    }

    /// What each instance knows, one at least, and whether all have answered.
    private func answers() async throws -> (found: [Answer], isWhole: Bool) {
        let places = try places()
        let key = try OperatorServices.key(arguments)
        var found: [Answer] = []
        var last: Failure?
        for place in places {
            do {
                let answer = try await Self.call("GET", place.url + "/operator/providers", key)
                found.append(Answer(instance: place.name, url: place.url, answer: answer))
            } catch let failure as Failure {
                last = failure
                // Of one that is down the others may know more.
                if places.count > 1 { console.note("\(place.name) is left out: \(failure.message)") }
            }
        }
        if found.isEmpty, let last { throw last }
        return (found, last == nil)
    }

    private static func call(_ method: String, _ url: String, _ key: String) async throws -> JSONObject {
        try JSONObject.parse(
            try await OperatorServices.send(
                method, url, nil, secret: key,
                // As long as a call of each purpose may take.
                deadline: .seconds(3_700)))
    }

    nonisolated private static func names(_ answer: JSONObject) -> [String] {
        (answer["providers"]?.arrayValue ?? []).compactMap { $0["name"]?.stringValue }
    }

    /// A line for each model of each instance, which is named where there are several.
    nonisolated static func table(_ answers: [(instance: String, answer: JSONObject)]) -> Columns {
        let areSeveral = answers.count > 1
        var table = Columns(
            (areSeveral ? ["INSTANCE"] : [])
                + ["PROVIDER", "PURPOSE", "MODEL", "CIRCUIT", "CALLS", "ANSWERED", "COST", "LAST FAILURE"],
            right: areSeveral ? [5, 6, 7] : [4, 5, 6])
        for (instance, answer) in answers {
            for cells in cells(answer) { table.add((areSeveral ? [instance] : []) + cells) }
        }
        return table
    }

    private nonisolated static func cells(_ answer: JSONObject) -> [[String]] {
        var lines: [[String]] = []
        for provider in (answer["providers"]?.arrayValue ?? []).compactMap(\.objectValue) {
            let isOff = provider["off"]?.boolValue ?? false
            for model in (provider["models"]?.arrayValue ?? []).compactMap(\.objectValue) {
                let failure = model["lastFailure"]?.objectValue
                lines.append([
                    provider["name"].map(Format.value) ?? "", model["purpose"].map(Format.value) ?? "",
                    model["model"].map(Format.value) ?? "",
                    isOff ? "off" : model["circuit"].map(Format.value) ?? "",
                    model["calls"].map(Format.value) ?? "", model["answered"].map(Format.value) ?? "",
                    cost(model, provider["currency"]),
                    failure.map { "\($0["code"].map(Format.value) ?? "") \($0["at"].map(Format.value) ?? "")" } ?? "",
                ])
            }
        }
        return lines
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
