import Testing

@testable import mirrormate

@Suite("The gateway's configuration") struct GatewayTests {
    private func text(isRoot: Bool) -> String {
        Gateway.configuration(
            template: "@USER@|@LISTEN@|@LOGS@/a|@LOGS@/b|@UPSTREAMS@", port: 8_080, stamp: "stamp", logs: "/logs",
            isRoot: isRoot,
            upstreams: [("identity", [1, 2]), ("quota", [3])])
    }

    @Test("names every copy of every service")
    func copies() {
        let text = text(isRoot: false)
        #expect(text.hasPrefix("|127.0.0.1:8080|/logs/a|/logs/b|"))
        #expect(
            text.contains("upstream identity {\n        server 127.0.0.1:1 max_fails=0;\n        server 127.0.0.1:2"))
        #expect(text.contains("upstream quota {\n        server 127.0.0.1:3"))
        #expect(!text.contains("@"))
    }

    @Test("gives the workers no rights when root starts it")
    func root() {
        #expect(text(isRoot: true).hasPrefix("user nobody nogroup;|"))
    }
}
