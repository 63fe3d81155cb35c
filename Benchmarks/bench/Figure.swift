import JSON

/// One line of the result.
struct Figure: Sendable {
    var name: String
    /// Nil if it could not be measured; ``note`` then says why.
    var value: Double?
    var unit: String
    /// The bound to meet, such as `>= 1.5`; nil if the line is only informative.
    var goal: Goal?
    /// How to measure the figure again.
    var command: String
    /// What the figure is compared with.
    var peer: (name: String, value: Double, unit: String)?
    var note: String?

    /// A bound on the value.
    enum Goal: Sendable {
        case atLeast(Double)
        case atMost(Double)

        var text: String {
            switch self {
            case .atLeast(let bound): ">= \(bound.short)"
            case .atMost(let bound): "<= \(bound.short)"
            }
        }

        func isMet(by value: Double) -> Bool {
            switch self {
            case .atLeast(let bound): value >= bound
            case .atMost(let bound): value <= bound
            }
        }
    }

    /// Whether the goal is met; nil without a goal or a value.
    var isMet: Bool? {
        guard let goal, let value else { return nil }
        return goal.isMet(by: value)
    }

    var json: JSONValue {
        var object: JSONObject = [
            "name": .string(name), "value": .optional(value), "unit": .string(unit), "goal": .optional(goal?.text),
            "met": isMet.map(JSONValue.bool) ?? .null, "command": .string(command),
        ]
        if let peer {
            object["peer"] = ["name": .string(peer.name), "value": .double(peer.value), "unit": .string(peer.unit)]
        }
        if let note { object["note"] = .string(note) }
        return .object(object)
    }

    var line: String {
        var text = "  \(name): \(value.map(\.short) ?? "not measured") \(value == nil ? "" : unit)"
        if let goal {
            text += "  (goal \(goal.text): \(isMet.map { $0 ? "met" : "NOT met" } ?? "not measured"))"
        }
        if let peer { text += "\n      compared with \(peer.name): \(peer.value.short) \(peer.unit)" }
        if let note { text += "\n      \(note)" }
        return text
    }
}

extension Double {
    /// With as many digits as are significant.
    var short: String {
        let digits = abs(self) >= 100 ? 0 : abs(self) >= 10 ? 1 : 2
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let rounded = (self * scale).rounded() / scale
        return digits == 0 ? "\(Int64(rounded))" : "\(rounded)"
    }
}

extension [Double] {
    /// The median; the lower of the two middle values for an even count, 0 for none.
    var median: Double { isEmpty ? 0 : sorted()[(count - 1) / 2] }

    /// All values for a note.
    var listed: String { map(\.short).joined(separator: ", ") }
}

/// Times of single operations.
struct Latencies: Sendable {
    private var nanoseconds: [Int64] = []

    init(_ nanoseconds: [Int64]) { self.nanoseconds = nanoseconds.sorted() }

    /// The time within which a share of the operations finished, in milliseconds.
    func quantile(_ part: Double) -> Double {
        guard !nanoseconds.isEmpty else { return 0 }
        let index = Swift.min(nanoseconds.count - 1, Int(Double(nanoseconds.count) * part))
        return Double(nanoseconds[index]) / 1e6
    }
}
