import Contracts
import EventStore
import ServiceKit
import Testing

/// Refusals that no client hears of in these words: whoever appends catches them, and goes on or says something else.
private let caught: [ServiceName: Set<String>] = [
    .identity: [
        // Another attempt, or another instance, was quicker.
        "login-begun", "signing-key-exists",
        // A mail that was tried before has its code already.
        "code-opened",
        // Only the compatible surface takes such metadata, and has its own form of errors.
        "metadata-too-long",
    ],
    .sessions: [
        // With when it may be tried again.
        "network-used-up", "refusals-used-up", "inits-used-up",
        // A step of a hand-over looks again at what has changed.
        "handover-elsewhere", "handover-account-told", "handover-device-erased",
    ],
    // With when it may be tried again.
    .quota: ["purchase-pages-used-up"],
    // No provider is asked.
    .analysis: ["owner-budget", "budget"], .reporting: ["owner-budget", "budget"],
]

@Suite struct `The refusals of row functions` {
    @Test(arguments: ServiceName.allCases)
    func `are problems to clients, or known to be caught before`(service: ServiceName) {
        let declaration = service.declaration
        let refusals = Set(declaration.rowFunctions.flatMap(\.refusals))
        let unheard = Set(refusals.filter { declaration.problem(of: $0) == nil }.map(\.description))
        let known = caught[service] ?? []
        for refusal in unheard.subtracting(known).sorted() {
            Issue.record(
                "\(service): \(refusal) would be answered as a fault: say in `problem(of:)` which problem it is.")
        }
        #expect(known.isSubset(of: unheard), "\(service): \(known.subtracting(unheard)) need no exception.")
    }
}
