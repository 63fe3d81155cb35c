import Access
import Glibc
import HTTPServer
import Runtime
import ServiceKit
import ServiceTesting
import Testing

/// Passwords that wait to be hashed while the only thread for it is held up.
@Suite(.timeLimit(.minutes(2))) @Loop struct `Passwords that wait` {
    /// A thread for hashes that waits until `release` is called, and the passwords that wait for it.
    @Loop private final class HeldUp {
        let passwords: Passwords
        private let end: Int32

        init(limit: Int) {
            var ends: [Int32] = [0, 0]
            precondition(pipe(&ends) == 0, "The kernel gave no pipe.")
            let begin = ends[0]
            end = ends[1]
            let pool = Offload(threads: 1)
            passwords = Passwords(limit: limit, in: pool)
            _ = Loop.task {
                try await pool.run {
                    var byte: UInt8 = 0
                    _ = read(begin, &byte, 1)
                }
            }
        }

        deinit { close(end) }

        /// A sign-in to no account from an address: whether it was looked at, and not sent away.
        func check(from address: String) -> Task<Bool, any Error> {
            let passwords = passwords
            return Loop.task {
                do {
                    _ = try await passwords.check("a guess", against: nil, from: ClientNetwork.all(of: address))
                    return true
                } catch let problem as Problem where problem.code == .busy {
                    return false
                }
            }
        }

        func release() { _ = write(end, "x", 1) }
    }

    private func results(_ tasks: [Task<Bool, any Error>]) async throws -> [Bool] {
        var results: [Bool] = []
        for task in tasks { results.append(try await task.value) }
        return results
    }

    @Test
    func `are of one address no more than a quarter of what the others leave, so that there is room for who comes`()
        async throws
    {
        let held = HeldUp(limit: 16)
        let first = (1...6).map { _ in held.check(from: "192.0.2.1") }
        let second = (1...6).map { _ in held.check(from: "192.0.2.2") }
        let owner = held.check(from: "198.51.100.7")
        // The last one to come is let in, so all that came before have been decided about.
        while held.passwords.runs < 4 + 3 + 1 { try await Loop.sleep(for: .milliseconds(1)) }
        held.release()
        #expect(try await results(first).count { $0 } == 4)
        #expect(try await results(second).count { $0 } == 3)
        #expect(try await owner.value)
        #expect(held.passwords.runs == 8)
        // What was looked at waits no more.
        #expect(try await held.check(from: "192.0.2.1").value)
    }

    @Test func `take turns by their networks, so that who comes last waits for one of each`() async throws {
        let held = HeldUp(limit: 64)
        var order: [String] = []
        @Loop func check(_ address: String, _ count: Int) -> [Task<Void, any Error>] {
            (0..<count).map { _ in
                let task = held.check(from: address)
                return Loop.task {
                    let isAnswered = try await task.value
                    #expect(isAnswered)
                    order.append(address)
                }
            }
        }
        var tasks = check("192.0.2.1", 16)
        while held.passwords.runs < 16 { try await Loop.sleep(for: .milliseconds(1)) }
        tasks += check("198.51.100.7", 1)
        while held.passwords.runs < 17 { try await Loop.sleep(for: .milliseconds(1)) }
        held.release()
        for task in tasks { try await task.value }
        // Two are on their way when it comes, and one more is ahead of it in its turn.
        let place = try #require(order.firstIndex(of: "198.51.100.7"))
        #expect(order.count == 17 && place <= 5, "\(order)")
    }

    @Test func `are never more than there is room for, whoever comes`() async throws {
        let held = HeldUp(limit: 4)
        let all = (1...9).map { held.check(from: "192.0.2.\($0)") }
        while held.passwords.runs < 4 { try await Loop.sleep(for: .milliseconds(1)) }
        held.release()
        #expect(try await results(all).count { $0 } == 4)
        #expect(held.passwords.runs == 4)
    }
}
