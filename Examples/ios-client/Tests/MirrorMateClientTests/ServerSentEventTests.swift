import Foundation
import Testing

@testable import MirrorMateClient

@Suite("An event stream")
struct ServerSentEventTests {
    private static let text =
        ": hello\n\nid: 3\nevent: session\ndata: {\"a\":\ndata: 1}\n\nid:4\r\ndata: ö\r\n\r\ndata: begun"

    private static let events = [
        ServerSentEvent(id: "3", name: "session", data: "{\"a\":\n1}"), ServerSentEvent(id: "4", data: "ö"),
    ]

    @Test("is the same however its bytes are cut", arguments: 1...9)
    func cut(size: Int) {
        var parser = ServerSentEventParser()
        let bytes = Array(Self.text.utf8)
        let pieces = stride(from: 0, to: bytes.count, by: size).map { Data(bytes[$0..<min($0 + size, bytes.count)]) }
        #expect(pieces.flatMap { parser.take($0) } == Self.events)
    }

    @Test("keeps the id of the last event for those without one")
    func id() {
        var parser = ServerSentEventParser()
        #expect(parser.take(Data("id: 1\ndata: a\n\ndata: b\n\n".utf8)).map(\.id) == ["1", "1"])
    }
}
