import Configuration
import ServiceKit
import Testing
import TestingSupport
import TestingTools
import Uploads

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

    /// The lines of the template for what holds a connection for as long as its client takes.
    @Test(arguments: ["location ~ ^/v1/exports/[^/]+/archive$ {", "location /v1/media/ {"])
    func `bound downloads for each address, besides all of its requests`(location: String) throws {
        let template = try Checkout.text(of: "infra/gateway/nginx.conf.template")
        #expect(template.contains("limit_conn_zone $binary_remote_addr zone=downloads:10m;"))
        let start = try #require(template.firstRange(of: location))
        let block = template[start.upperBound...].prefix { $0 != "}" }
        // One in a location takes the place of those around it.
        for line in ["limit_conn downloads 16;", "limit_conn connections @CONNECTIONS@;", "send_timeout 30s;"] {
            #expect(block.contains(line), "\(line)")
        }
        #expect(block.contains("proxy_buffering off;"), "the service sees how fast the client reads")
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
