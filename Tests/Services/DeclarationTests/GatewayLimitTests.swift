import Configuration
import Photos
import ServiceKit
import Testing
import TestingSupport
import TestingTools
import Uploads

@testable import sessions

/// What holds in the gateway and in the services is said in both, and is the same when nobody says otherwise.
@Suite struct `The limits of the gateway` {
    private static let limits: [(variable: String, word: String, standard: String)] = {
        // Nothing is set, so these are the defaults; that a key is missing does not matter here.
        let environment = Environment([:])
        return [
            ("UPLOAD_LIMIT_BYTES", "client_max_body_size @UPLOAD_LIMIT@;", "\(UploadSettings(environment).limit)"),
            (
                "EVENT_STREAMS_PER_ADDRESS", "limit_conn streams @STREAMS@;",
                "\(EventStreamLimits(environment).perAddress)"
            ),
        ]
    }()

    /// The locations whose answers are too long for the gateway's buffers, and whether it takes them as fast as they come.
    private static let long: [(location: String, isBuffered: Bool)] = [
        ("~ ^/v1/exports/[^/]+/archive$", false), ("/v1/media/", false), ("= /v1/practice/export", false),
        ("= /openapi.json", true), ("= /docs", true),
    ]

    @Test(arguments: long) func `bound downloads for each address, besides all of its requests`(
        location: String, isBuffered: Bool
    ) throws {
        let template = try Checkout.text(of: "infra/gateway/nginx.conf.template")
        #expect(template.contains("limit_conn_zone $client_network zone=downloads:10m;"))
        let block = try Self.block(location)
        // One in a location takes the place of those around it.
        for line in ["limit_conn downloads 16;", "limit_conn connections @CONNECTIONS@;", "send_timeout 30s;"] {
            #expect(block.contains(line), "\(line)")
        }
        #expect(block.contains("proxy_buffering off;") != isBuffered, "the service sees how fast the client reads")
    }

    /// A field that a location adds takes the place of all that are added around it.
    @Test func `tell browsers the same everywhere, in what the gateway refuses itself, too`() throws {
        let template = try Checkout.text(of: "infra/gateway/nginx.conf.template")
        let adding = template.split(separator: "        location ").dropFirst().filter { $0.contains("add_header ") }
        #expect(adding.count == 11)
        for location in adding {
            for field in [
                "X-Content-Type-Options $own_options", "Content-Security-Policy $own_policy",
                "Referrer-Policy $own_referrer", "Strict-Transport-Security $own_transport",
                "Cache-Control $own_caching",
            ] {
                #expect(location.contains("add_header \(field) always;"), "\(field): \(location.prefix(60))")
            }
        }
    }

    /// The lines of a location of the template.
    private static func block(_ location: String) throws -> Substring {
        let template = try Checkout.text(of: "infra/gateway/nginx.conf.template")
        let start = try #require(template.firstRange(of: "        location \(location) {\n"))
        return template[start.upperBound...].prefix { $0 != "}" }
    }

    /// The locations that take large bodies, and from how many requests of one address at once.
    private static let large: [(location: String, most: Int)] = [
        ("= /v1/practice/sessions/batch", 8), ("/api/sessions", 32),
    ]

    @Test(arguments: large)
    func `hold large bodies in memory for few requests of an address, and let as much through as the service`(
        location: String, most: Int
    ) throws {
        let block = try Self.block(location)
        let size = "\(PracticeBatch.limitBytes / 1_024)k"
        for line in [
            "client_max_body_size \(size);", "client_body_buffer_size \(size);", "limit_conn bodies \(most);",
            "limit_conn connections @CONNECTIONS@;",
        ] { #expect(block.contains(line), "\(line)") }
    }

    @Test func `let a photo through that is as large as the service takes one, and hold none of it`() throws {
        let block = try Self.block("= /v1/me/photo")
        #expect(block.contains("client_max_body_size \(PhotoMaker.mostBytes >> 20)m;"))
        #expect(block.contains("proxy_request_buffering off;"))
    }

    @Test func `leave memory for every connection with a body that never ends`() throws {
        let template = try Checkout.text(of: "infra/gateway/nginx.conf.template")
        func number(_ directive: String) throws -> Int {
            let rest = template[try #require(template.firstRange(of: directive)).upperBound...]
            return try #require(Int(rest.prefix { $0.isNumber }))
        }
        let connections = try number("worker_processes ") * number("worker_connections ")
        // Of its body, and with TLS.
        let each = try number("\n    client_body_buffer_size ") + 48
        // What is passed on holds two connections, and an answer.
        let answered = connections / 2 * (each + 8 + 16 * 8)
        #expect(template.contains("proxy_buffer_size 8k;\n    proxy_buffers 16 8k;"))
        // Large ones, of as many addresses as there are connections for when each has as many as it may.
        let most = Self.large.map(\.most).max() ?? 0
        let large = connections / 200 * most * (PracticeBatch.limitBytes / 1_024 - each)
        let compose = try Checkout.text(of: "docker-compose.yml")
        let gateway = compose[try #require(compose.firstRange(of: "\n  gateway:\n")).upperBound...]
        let limit = try #require(gateway.firstMatch(of: #/mem_limit: (\d+)m/#).flatMap { Int($0.1) })
        // With what nginx and its tables need themselves.
        #expect(max(connections * each, answered) + large + 65_536 <= limit << 10, "in KiB")
    }

    /// Uploads come to the same place, and are held to a pace by the service.
    @Test func `bound downloads of objects in the same way, and not their uploads`() throws {
        let template = try Checkout.text(of: "infra/gateway/nginx.conf.template")
        #expect(template.contains("map $request_method $object_reader { default \"\"; GET $"))
        #expect(template.contains("limit_conn_zone $object_reader zone=objects:10m;"))
        let start = try #require(template.firstRange(of: "location /storage/v1/ {"))
        let block = template[start.upperBound...].prefix { $0 != "}" }
        for line in ["limit_conn objects 16;", "limit_conn connections @CONNECTIONS@;", "send_timeout 30s;"] {
            #expect(block.contains(line), "\(line)")
        }
        #expect(block.contains("proxy_buffering off;") && block.contains("proxy_request_buffering off;"))
    }

    @Test(arguments: limits.indices) func `are those of the services, in Compose and on a developer's machine`(
        index: Int
    ) throws {
        let limit = Self.limits[index]
        #expect(try Checkout.text(of: "infra/gateway/nginx.conf.template").contains(limit.word))
        let start = try Checkout.text(of: "infra/gateway/start")
        #expect(start.contains("${\(limit.variable):-\(limit.standard)}"))
        let local = try Checkout.text(of: "Services/mirrormate/Local/GatewayLimits.swift")
        #expect(
            local.filter { $0 != "_" }.contains("\(limit.variable.filter { $0 != "_" })\", default: \(limit.standard))")
        )
        // Compose gives one value to both.
        let compose = try Checkout.text(of: "docker-compose.yml")
        #expect(
            compose.matches(of: #/([A-Z_]+): "?\$\{([A-Z_]+):-\}/#).count { $0.1 == limit.variable && $0.1 == $0.2 }
                == 2)
    }
}
