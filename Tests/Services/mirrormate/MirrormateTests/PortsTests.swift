import Glibc
import ServiceTesting
import Testing

@testable import mirrormate

@Suite struct `A port` {
    @Test func `belongs to its stack while nobody listens there, until the stack's folder is gone`() throws {
        var one: TemporaryFolder? = TemporaryFolder()
        let two = TemporaryFolder()
        let first = try #require(one?.path)
        var taken: Set<UInt16> = []
        let port = try Ports.choose(wanted: nil, taken: &taken, for: first)
        #expect(Ports.isFree(port))

        taken = []
        #expect(try Ports.choose(wanted: port, taken: &taken, for: first) == port)
        taken = []
        #expect(try Ports.choose(wanted: port, taken: &taken, for: two.path) != port)

        one = nil
        taken = []
        #expect(try Ports.choose(wanted: port, taken: &taken, for: two.path) == port)
    }
}
