import HTTPServer
import Primitives
import Runtime
import Testing

@testable import ServiceKit

@Suite @Loop struct `The places of clients` {
    private static let full = ProblemCode("all-taken", 429, "All are taken", "Come again.")
    private let places = ClientPlaces(all: 4, perUser: 2, perAddress: 3, share: 1, refusal: full)

    /// The status and code with which a user is refused; nil for a place, which is free again at once.
    private func refusal(of user: UUID, at address: String) -> String? {
        do {
            _ = try places.place(of: user, in: ClientNetwork.all(of: address))
            return nil
        } catch { return "\(error.status) \(error.code)" }
    }

    @Test func `are as many for each user and each network as they may have, and free again behind them`() throws {
        let (one, other, third) = (UUID.v7(), UUID.v7(), UUID.v7())
        let network = ClientNetwork.all(of: "192.0.2.1")
        var held = [try places.place(of: one, in: network), try places.place(of: one, in: network)]
        #expect(refusal(of: one, at: "192.0.2.2") == "429 all-taken")
        held.append(try places.place(of: other, in: network))
        #expect(refusal(of: third, at: "192.0.2.1") == "429 all-taken")
        #expect(places.count == 3)
        held.removeFirst()
        #expect(places.count == 2)
        #expect(refusal(of: third, at: "192.0.2.1") == nil)
        held = []
        #expect(places.count == 0)
    }

    @Test func `are refused with 503 to those who have none, when others have them all`() throws {
        let held = try (1...4).map { try places.place(of: .v7(), in: ClientNetwork.all(of: "192.0.2.\($0)")) }
        #expect(refusal(of: .v7(), at: "192.0.2.5") == "503 temporarily-unavailable")
        withExtendedLifetime(held) {}
    }
}
