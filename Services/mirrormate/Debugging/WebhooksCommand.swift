import Contracts
import JSON
import Primitives
import Replay
import Runtime

/// `mirrormate explain webhooks`: where an owner is told something, and what came of it. No address is shown.
@Loop struct WebhooksCommand {
    private let arguments: Arguments
    private let logs: ServiceLogs
    private let console: Console

    init(_ arguments: Arguments, _ logs: ServiceLogs, _ console: Console) {
        self.arguments = arguments
        self.logs = logs
        self.console = console
    }

    func run() async throws -> ExitCode {
        let owner = try await logs.owner(
            arguments[Operands.keyOrOwner], usage: "mirrormate explain webhooks OWNER")
        let endpoints = try await logs.store(.notifications).endpoints(of: owner)
        if arguments[Flags.json] {
            console.answer(["owner": .uuid(owner), "endpoints": .array(endpoints.map(Self.document))])
        } else {
            console.print(Self.text(owner, endpoints, console.style))
        }
        return endpoints.isEmpty ? .failure : .success
    }

    /// For people: a line for each endpoint, and below it one for each delivery.
    nonisolated static func text(_ owner: UUID, _ endpoints: [ToldEndpoint], _ style: Style) -> String {
        if endpoints.isEmpty { return "\(owner) has no webhook endpoint." }
        return endpoints.flatMap { endpoint in
            [
                "endpoint \(style.bold("\(endpoint.id)")), \(standing(endpoint))",
                "  \(endpoint.kinds.joined(separator: ", "))",
            ]
                + endpoint.deliveries.map { one in
                    "    \(style.dim(Format.moment(one.queuedAt)))  \(one.kind)  \(outcome(one))  \(style.dim("\(one.id)"))"
                }
        }.joined(separator: "\n")
    }

    private nonisolated static func standing(_ endpoint: ToldEndpoint) -> String {
        switch (endpoint.ended, endpoint.failingSince) {
        case ("gone"?, _): "sent nothing more: its receiver answered that it is gone"
        case (let ended?, _): "sent nothing more: it is \(ended), nothing had arrived for three days"
        case (nil, let since?): "told, and nothing arrives since \(Format.moment(since))"
        case (nil, nil): "told"
        }
    }

    private nonisolated static func outcome(_ one: ToldDelivery) -> String {
        let tried = one.attempts == 0 ? "not tried yet" : "tried \(Format.count(Int(one.attempts), "time"))"
        let answer = one.answer.map { ", the last answer \($0)" } ?? ""
        let next = one.dueAt.map { ", next at \(Format.moment($0))" } ?? ""
        return "\(one.state), \(tried)\(answer)\(next)"
    }

    private static func document(_ endpoint: ToldEndpoint) -> JSONValue {
        [
            "id": .uuid(endpoint.id), "kinds": .array(endpoint.kinds.map(JSONValue.string)),
            "addedAt": .time(endpoint.addedAt), "standing": .string(endpoint.ended ?? "told"),
            "failingSince": .optional(endpoint.failingSince),
            "deliveries": .array(
                endpoint.deliveries.map { one in
                    [
                        "id": .uuid(one.id), "kind": .string(one.kind), "queuedAt": .time(one.queuedAt),
                        "state": .string(one.state), "attempts": .int(one.attempts),
                        "dueAt": .optional(one.dueAt), "answer": .optional(one.answer),
                    ]
                }),
        ]
    }
}
