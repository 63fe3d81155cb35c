package import HTTPServer
package import Primitives
package import Runtime

/// The places of a process for answers that hold a connection for as long as their clients like: so many in all, of one user, and of one
/// network of clients.
@Loop package final class ClientPlaces {
    /// One place; free again as soon as nobody holds it.
    @Loop package final class Place {
        private let places: ClientPlaces
        private let user: UUID
        private let networks: [ClientNetwork]

        fileprivate init(_ places: ClientPlaces, _ user: UUID, _ networks: [ClientNetwork]) {
            self.places = places
            self.user = user
            self.networks = networks
        }

        isolated deinit { places.leave(user, networks) }
    }

    private let perUser: Int
    private let refusal: ProblemCode
    private let advice: String?
    private var ofUser: [UUID: Int] = [:]
    private var ofNetworks: NetworkShares
    var count: Int { ofNetworks.count }

    /// - Parameters:
    ///   - perAddress: how many one address has; a /56 four times as many, a /48 sixteen times, as far as `share` leaves them.
    ///   - share: one address has at most one of so many parts of what the others leave; 1 for all of it.
    ///   - refusal: what whoever has as many as they may is told.
    ///   - advice: what they can do, a sentence; nil for that of `refusal`.
    package init(
        all: Int, perUser: Int, perAddress: Int, share: Int, refusal: ProblemCode = .tooManyRequests,
        advice: String? = nil
    ) {
        self.perUser = perUser
        self.refusal = refusal
        self.advice = advice
        ofNetworks = NetworkShares(all: all, most: perAddress, share: share)
    }

    /// A place of a user in client networks.
    ///
    /// - Throws: the problem `too-many-requests`, or the other one that was named, when the user or a network has as many as they may, and
    ///   `temporarily-unavailable` when the process has.
    package func place(of user: UUID, in networks: [ClientNetwork]) throws(Problem) -> Place {
        guard ofUser[user, default: 0] < perUser, ofNetworks.mayTake(networks) else {
            throw Problem(refusal, detail: advice, headers: ["Retry-After": "10"])
        }
        guard !ofNetworks.isFull else { throw .unavailable }
        ofUser[user, default: 0] += 1
        ofNetworks.take(networks)
        return Place(self, user, networks)
    }

    private func leave(_ user: UUID, _ networks: [ClientNetwork]) {
        ofUser[user, default: 1] -= 1
        if ofUser[user] == 0 { ofUser[user] = nil }
        ofNetworks.leave(networks)
    }
}
