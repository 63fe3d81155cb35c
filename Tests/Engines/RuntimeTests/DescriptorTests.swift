import Glibc
import Runtime
import Testing

@Suite("A descriptor", .timeLimit(.minutes(10)))
struct DescriptorTests {
    /// Two connected sockets.
    @Loop private func pair() -> (near: Descriptor, far: Descriptor) {
        var numbers: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers) == 0)
        return (Descriptor(owning: numbers[0]), Descriptor(owning: numbers[1]))
    }

    @Loop private func readAll(_ descriptor: Descriptor, count: Int) async throws -> Int {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        var total = 0
        while total < count {
            let got = read(descriptor.number, &buffer, buffer.count)
            if got > 0 { total += got } else if got == 0 { return total } else { try await descriptor.readable() }
        }
        return total
    }

    @Loop @Test("Reading waits until the peer has written")
    func readable() async throws {
        let (near, far) = pair()
        let reader = Loop.task { try await readAll(near, count: 3) }
        try await Loop.sleep(for: .milliseconds(1))
        #expect(write(far.number, "abc", 3) == 3)
        #expect(try await reader.value == 3)
        near.close()
        far.close()
    }

    @Loop @Test("Four megabytes pass through a full socket with both sides waiting in turn")
    func backpressure() async throws {
        let (near, far) = pair()
        let size = 4 << 20
        let writer = Loop.task {
            let bytes = [UInt8](repeating: 7, count: 65_536)
            var left = size
            var waits = 0
            while left > 0 {
                let sent = write(far.number, bytes, min(left, bytes.count))
                if sent > 0 { left -= sent } else { waits += 1; try await far.writable() }
            }
            return waits
        }
        #expect(try await readAll(near, count: size) == size)
        #expect(try await writer.value > 0)
        near.close()
        far.close()
    }

    @Loop @Test("A hang-up of the peer is reported once and ends reading")
    func hangUp() async throws {
        let (near, far) = pair()
        let told = LoopWait()
        near.onHangUp = { told.resume() }
        far.close()
        try await told.wait()
        #expect(near.hungUp)
        #expect(try await readAll(near, count: 1) == 0)
        near.close()
    }

    @Loop @Test("Closing wakes waiters, and a closed descriptor cannot be waited for")
    func close() async throws {
        let (near, far) = pair()
        let started = LoopWait()
        let reader = Loop.task {
            // After this, the first edge (writable, nothing to read) has passed.
            started.resume()
            return try await readAll(near, count: 1)
        }
        try await started.wait()
        try await Loop.sleep(for: .milliseconds(1))
        near.close()
        near.close()
        await #expect(throws: CancellationError.self) { try await reader.value }
        await #expect(throws: CancellationError.self) { try await near.readable() }
        far.close()
    }

    @Loop @Test("Cancelling a task ends its wait for reading")
    func cancelled() async throws {
        let (near, far) = pair()
        let reader = Loop.task { try await readAll(near, count: 1) }
        try await Loop.sleep(for: .milliseconds(1))
        reader.cancel()
        await #expect(throws: CancellationError.self) { try await reader.value }
        near.close()
        far.close()
    }

    @Loop @Test("A level-triggered handler is called as long as there is something to read")
    func level() async throws {
        var numbers: [Int32] = [0, 0]
        #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &numbers) == 0)
        let byteReader = OneByteReader(numbers[0])
        #expect(write(numbers[1], "abcd", 4) == 4)
        try await byteReader.gotFour.wait()
        #expect(byteReader.count == 4)
        EventLoop.shared.unregister(numbers[0])
        for number in numbers { _ = Glibc.close(number) }
    }
}

/// Reads a single byte each time it is called.
@Loop private final class OneByteReader: DescriptorHandler {
    let number: Int32
    var count = 0
    let gotFour = LoopWait()

    init(_ number: Int32) {
        self.number = number
        EventLoop.shared.register(number, for: .level(reading: true, writing: false), handler: self)
    }

    func ready(_ readiness: Readiness) {
        var byte: UInt8 = 0
        count += read(number, &byte, 1)
        if count == 4 { gotFour.resume() }
    }
}
