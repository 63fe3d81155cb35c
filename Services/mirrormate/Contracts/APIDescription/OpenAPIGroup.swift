/// Routes that a client needs for the same thing, in the order in which somebody meets them.
struct OpenAPIGroup {
    let id: String
    let title: String
    let operations: [Operation]

    /// What a group is of: the beginnings of its paths; the first that fits counts.
    private static let kinds: [(id: String, title: String, paths: [String])] = [
        ("signing-in", "Signing in", ["/v1/auth/", "/.well-known/"]),
        ("recording", "Recording, and following it", ["/v1/sessions", "/v1/uploads", "/v1/media"]),
        (
            "allowance", "What is left",
            ["/v1/quota", "/v1/plans", "/v1/entitlements", "/v1/purchases", "/v1/webhooks/stripe"]
        ),
        ("reports", "Reading reports and figures", ["/v1/reports", "/v1/share", "/v1/progress", "/v1/goals"]),
        ("practice", "Practice", ["/v1/practice", "/api/"]),
        ("telling", "Being told what happened", ["/v1/webhooks/"]),
        ("account", "The account and what is kept", ["/v1/"]),
    ]

    /// All groups; every route is in one.
    static let all = grouped(Operations.all)

    /// Routes in their groups; what fits none is in one of its own, so that nothing is left out.
    static func grouped(_ operations: [Operation]) -> [OpenAPIGroup] {
        var left = operations
        var groups: [OpenAPIGroup] = []
        for kind in kinds {
            let own = left.filter { operation in kind.paths.contains { operation.path.hasPrefix($0) } }
            left.removeAll { operation in own.contains { $0.id == operation.id } }
            if !own.isEmpty { groups.append(OpenAPIGroup(id: kind.id, title: kind.title, operations: own)) }
        }
        return left.isEmpty ? groups : groups + [OpenAPIGroup(id: "others", title: "Everything else", operations: left)]
    }
}
