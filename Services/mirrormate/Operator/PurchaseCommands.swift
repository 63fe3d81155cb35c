import JSON
import Runtime

/// The commands `purchases …`: what shops have told, and what became of it, as quota knows it.
@Loop struct PurchaseCommands {
    private let arguments: Arguments
    private let console: Console
    private let services: OperatorServices

    init(_ arguments: Arguments, _ console: Console) throws(Failure) {
        self.arguments = arguments
        self.console = console
        services = try OperatorServices(arguments)
    }

    /// `mirrormate purchases list`.
    func list() async throws -> ExitCode {
        let query = arguments[Flags.outcome].map { "?outcome=\($0)" } ?? ""
        let answer = try await call("GET", query)
        if arguments[Flags.json] {
            console.answer(.object(answer))
        } else if answer["notices"]?.arrayValue?.isEmpty ?? true {
            console.print("No shop has told anything\(arguments[Flags.outcome].map { " that is \($0)" } ?? "").")
        } else {
            console.print(Self.table(answer).paragraphs(console.style, within: console.room))
        }
        return .success
    }

    /// `mirrormate purchases show`.
    func show() async throws -> ExitCode {
        let answer = try await call("GET", "/\(try await services.user(arguments[Operands.account]))")
        if arguments[Flags.json] {
            console.answer(.object(answer))
        } else {
            for line in Self.lines(answer) { console.print(line) }
        }
        return .success
    }

    /// `mirrormate purchases replay`.
    func replay() async throws -> ExitCode {
        let notice = arguments[Operands.notice]
        let answer = try await call(
            "POST", "/replay", JSONObject().adding(["notice": notice.map(JSONValue.string)]))
        let count = answer["applied"]?.intValue ?? 0
        if let notice, count == 0 {
            throw Failure(
                .failure, "notice-unknown", "No notification \(notice) is kept that says anything of a purchase.",
                advice: "See those that are with `mirrormate purchases list`; let the shop send others again.")
        }
        if arguments[Flags.json] {
            console.answer(.object(answer))
        } else {
            console.print(
                count == 1 ? "One notification was applied again." : "\(count) notifications were applied again.")
        }
        return .success
    }

    private func call(_ method: String, _ path: String, _ body: JSONObject? = nil) async throws -> JSONObject {
        do {
            return try await services.call(method, services.quota, "/operator/purchases" + path, body)
        } catch let failure as Failure {
            // There are no such routes where nothing is sold.
            guard failure.code == "not-found" else { throw failure }
            throw Failure(
                .failure, "purchases-off", "No shop is set up here.",
                advice: "Give quota the secrets and prices of a shop, as docs/purchases.md says.")
        }
    }

    /// A line for each notification.
    nonisolated static func table(_ answer: JSONObject) -> Columns {
        var table = Columns(["RECEIVED", "NOTIFICATION", "TYPE", "OUTCOME", "CUSTOMER", "ACCOUNT"])
        for notice in (answer["notices"]?.arrayValue ?? []).compactMap(\.objectValue) {
            table.add(
                ["receivedAt", "notice", "type", "outcome", "customer", "ownerId"].map {
                    notice[$0].map(Format.value) ?? "–"
                })
        }
        return table
    }

    /// The plan in force, and a line for each purchase.
    nonisolated static func lines(_ answer: JSONObject) -> [String] {
        let isPremium = answer["isPremium"]?.boolValue ?? false
        let purchases = (answer["purchases"]?.arrayValue ?? []).compactMap(\.objectValue)
        let renews = isPremium && answer["renews"]?.boolValue ?? false
        let first =
            "plan \(text(answer, "plan")) (\(text(answer, "reason"))\(end(answer, isPremium))\(renews ? ", renews" : ""))"
        return [first]
            + purchases.map { purchase in
                let gives = purchase["isEntitling"]?.boolValue ?? false
                return "  \(text(purchase, "purchase")), \(text(purchase, "status")): "
                    + "\(gives ? "gives" : "does not give") \(purchase["plan"]?.stringValue ?? "any plan") "
                    + "(\(text(purchase, "reason"))\(end(purchase, gives)))"
            }
    }

    private nonisolated static func text(_ object: JSONObject, _ name: String) -> String {
        object[name]?.stringValue ?? "?"
    }

    private nonisolated static func end(_ object: JSONObject, _ isInForce: Bool) -> String {
        object["endsAt"]?.stringValue.map { isInForce ? ", until \($0)" : ", since \($0)" } ?? ""
    }
}
