import HTTPServer
import JSON
import Testing
import TestingSupport

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

    @Test("answers its own errors in the words of the services' list")
    func problems() throws {
        let template = try #require(try Files.readText("\(Checkout.root)/infra/gateway/nginx.conf.template"))
        var found = 0
        for match in template.matches(of: #/return (\d+) '(\{.*\})';/#) {
            let problem = try JSONObject.parse(Array(match.2.utf8))
            let code = try problem.string("code")
            let entry = try #require(ProblemCode.http.first { $0.description == code })
            #expect(problem["status"] == .int(Int64(entry.status)) && String(match.1) == "\(entry.status)")
            #expect(try problem.string("title") == entry.title)
            #expect(try problem.string("type") == "urn:mirrormate:problem:\(problem.string("code"))")
            // nginx ends the text at an apostrophe.
            #expect(!match.2.contains("'"))
            found += 1
        }
        #expect(found == 13)
        #expect(
            !Gateway.configuration(
                template: template, port: 1, stamp: "s", logs: "/l", isRoot: true, upstreams: []
            ).contains("@HTTP"))
    }

    @Test("gives the workers no rights when root starts it")
    func root() {
        #expect(text(isRoot: true).hasPrefix("user nobody nogroup;|"))
    }
}
