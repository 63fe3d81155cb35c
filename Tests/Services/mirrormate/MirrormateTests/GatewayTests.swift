import CompatibleSurface
import HTTPServer
import JSON
import Testing
import TestingSupport

@testable import mirrormate

@Suite("The gateway's configuration") struct GatewayTests {
    private func text(isRoot: Bool) throws -> String {
        Gateway.configuration(
            template: "@USER@|@LISTEN@|@LOGS@/a|@LOGS@/b|@KEYS@|@UPSTREAMS@", port: 8_080,
            keys: [("identity", "one"), ("quota", "two")], stamp: "stamp", page: "/web", logs: "/logs", isRoot: isRoot,
            limits: try GatewayLimits { _ in nil },
            upstreams: [("identity", [1, 2]), ("quota", [3])])
    }

    @Test("names every copy of every service")
    func copies() throws {
        let text = try text(isRoot: false)
        #expect(text.hasPrefix("|127.0.0.1:8080|/logs/a|/logs/b|"))
        #expect(
            text.contains("upstream identity {\n        server 127.0.0.1:1 max_fails=0;\n        server 127.0.0.1:2"))
        #expect(text.contains("upstream quota {\n        server 127.0.0.1:3"))
        #expect(!text.contains("@"))
        #expect(text.contains("\"~^identity(:|$)\" one;\n        \"~^quota(:|$)\" two;"))
    }

    @Test("answers its own errors in the words of the services' list")
    func problems() throws {
        let template = try #require(try Files.readText("\(Checkout.root)/infra/gateway/nginx.conf.template"))
        var found = 0
        for match in template.matches(of: #/return (\d+) '(\{.*\})';/#) {
            let problem = try JSONObject.parse(Array(match.2.utf8))
            // In the words of the compatible surface, below.
            if problem["type"] == nil { continue }
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
        let text = Gateway.configuration(
            template: template, port: 1, keys: [], stamp: "s", page: "/web", logs: "/l", isRoot: true,
            limits: try GatewayLimits { _ in nil },
            upstreams: [])
        #expect(!text.contains(#/@[A-Z]/#))
    }

    @Test("answers its own errors on the compatible surface with the members of each of its prefixes")
    func compatibleErrors() throws {
        let template = try #require(try Files.readText("\(Checkout.root)/infra/gateway/nginx.conf.template"))
        var statuses: [Int] = []
        for match in template.matches(of: #/return (\d+) '(\{.*\})';/#) {
            let body = try JSONObject.parse(Array(match.2.utf8))
            guard body["type"] == nil else { continue }
            let status = try #require(Int(match.1))
            statuses.append(status)
            for prefix in CompatiblePrefix.allCases {
                let told = CompatibleError(status, try body.string("code"), try body.string("message"))
                guard case .bytes(let bytes) = told.response(on: prefix).body else { continue }
                for name in try JSONObject.parse(bytes).keys {
                    #expect(body[name] != nil, "\(status) has no \(name), which \(prefix.rawValue) has")
                }
            }
            #expect(body["statusCode"] == .string("\(status)") && body["error_code"] == body["code"])
            #expect(body["error"]?.stringValue?.isEmpty == false)
            #expect(!match.2.contains("'"))
        }
        #expect(statuses == [400, 408, 413, 414, 429, 431, 500, 503])
    }

    @Test("lets through what the services are told too, and is not made of what is no number")
    func limits() throws {
        let template = try #require(try Files.readText("\(Checkout.root)/infra/gateway/nginx.conf.template"))
        func text(_ variables: [String: String]) throws -> String {
            Gateway.configuration(
                template: template, port: 1, keys: [], stamp: "s", page: "/web", logs: "/l", isRoot: true,
                limits: try GatewayLimits { variables[$0] }, upstreams: [])
        }
        let other = try text(["UPLOAD_LIMIT_BYTES": "5000000", "EVENT_STREAMS_PER_ADDRESS": "7"])
        #expect(other.contains("client_max_body_size 5000000;") && other.contains("limit_conn streams 7;"))
        // A form has a little besides the file.
        #expect(other.contains("client_max_body_size 5065536;"))
        for name in ["UPLOAD_LIMIT_BYTES", "EVENT_STREAMS_PER_ADDRESS"] {
            for value in ["many", "-1", "0", "1m"] {
                #expect(throws: Failure.self) { try GatewayLimits { $0 == name ? value : nil } }
            }
        }
    }

    @Test("believes of clients' addresses the load balancers that are named, and nobody else")
    func proxies() throws {
        func text(_ proxies: String?) throws -> String {
            Gateway.configuration(
                template: "@HTTP@", port: 1, keys: [], stamp: "s", page: "/web", logs: "/l", isRoot: true,
                limits: try GatewayLimits { $0 == "TRUSTED_PROXIES" ? proxies : nil }, upstreams: [])
        }
        #expect(try text(nil).isEmpty && text("").isEmpty)
        #expect(
            try text("10.1.0.0/16,fd00:1::/64") == """
                    real_ip_header X-Forwarded-For;
                    real_ip_recursive on;
                    set_real_ip_from 10.1.0.0/16;
                    set_real_ip_from fd00:1::/64;

                """)
        for wrong in ["10.0.0.1; deny all", "unix:", "10.0.0.0/8 172.16.0.0/12", "example.org", "10.0.0.0/"] {
            #expect(throws: Failure.self) { try text(wrong) }
        }
    }

    @Test("gives the workers no rights when root starts it")
    func root() throws {
        #expect(try text(isRoot: true).hasPrefix("user nobody nogroup;|"))
    }
}
