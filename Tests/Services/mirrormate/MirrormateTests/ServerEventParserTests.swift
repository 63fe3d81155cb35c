import Testing

@testable import mirrormate

@Suite("A parser of server-sent events") struct ServerEventParserTests {
    private let text =
        ": hello\n\nid: 7\nevent: session\ndata: {\"a\":1}\n\nid: 8\r\ndata: one\r\ndata:two\r\n\r\nid: 9\n\ndata\n\n"

    private let expected = [
        ServerEvent(id: "7", event: "session", data: "{\"a\":1}"),
        ServerEvent(id: "8", event: "message", data: "one\ntwo"),
        // An event without data is none, but its id counts; an empty data field is data.
        ServerEvent(id: "9", event: "message", data: ""),
    ]

    @Test("reads the same events however the bytes are cut", arguments: [1, 2, 3, 7, 1_000])
    func cuts(size: Int) {
        var parser = ServerEventParser()
        var events: [ServerEvent] = []
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            events += parser.take(Array(rest.prefix(size)))
            rest = rest.dropFirst(size)
        }
        #expect(events == expected)
    }

    @Test("gives nothing for an event that is not complete")
    func incomplete() {
        var parser = ServerEventParser()
        #expect(parser.take(Array("data: x\n".utf8)).isEmpty)
    }
}
