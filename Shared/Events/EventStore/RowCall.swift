package import JSON
package import Runtime

/// A guard or row write that runs with an append, under the head lock and after its verdict: it stands or falls with it.
package struct RowCall: Sendable {
    /// The SQL function's name without its prefix `row_`.
    package let name: String
    package let arguments: JSONObject
    /// Who takes the append over instead of the store, when it is a ``through(_:)``.
    let gate: (any AppendGate)?

    package init(_ name: String, _ arguments: JSONObject) {
        self.name = name
        self.arguments = arguments
        gate = nil
    }

    private init(gate: any AppendGate) {
        name = ""
        arguments = [:]
        self.gate = gate
    }

    /// Sends the append that carries it to a gate, which commits it together with something of its own.
    package static func through(_ gate: any AppendGate) -> RowCall { RowCall(gate: gate) }
}

/// Takes appends over before they reach the store, to commit them together with others.
@Loop package protocol AppendGate: AnyObject, Sendable {
    /// Sees to it that the append is committed, and answers as the store would.
    func append(_ append: Append) async throws(AppendError) -> AppendReceipt
}
