import Contracts
import Crypto
import Glibc
import HTTPServer
import Primitives
import Runtime

/// Serves the API's description: the service's own, and for the gateway that of all services, as OpenAPI and as a page.
@Loop struct DocumentRoutes {
    private let folder: String
    private let service: ServiceName

    /// - Parameter folder: where the documents are (`API_DOCUMENTS`).
    init(_ folder: String, _ service: ServiceName) {
        self.folder = folder
        self.service = service
    }

    /// Adds a route for each document that is there.
    func add(to router: Router) {
        add("/openapi.json", "openapi-\(service.rawValue).json", "application/json", router)
        add("/openapi/merged.json", "openapi.json", "application/json", router)
        add("/docs", "api.html", "text/html; charset=utf-8", router)
    }

    private func add(_ path: String, _ file: String, _ type: String, _ router: Router) {
        guard let bytes = read("\(folder)/\(file)") else { return }
        var headers: Headers = ["Cache-Control": "public, max-age=300"]
        if type.hasPrefix("text/html") { headers["Content-Security-Policy"] = Self.policy(bytes) }
        let fields = headers
        router.on("GET", path) { _ in .bytes(bytes, contentType: type, headers: fields) }
    }

    /// Lets the page have its own style sheet, told by its hash, and the module by which the gateway's visitors try a route: a script and
    /// connections of the same origin alone, of which a service itself has no script.
    static func policy(_ page: [UInt8]) -> String {
        let text = String(decoding: page, as: UTF8.self)
        guard let start = text.firstRange(of: "<style>"),
            let end = text[start.upperBound...].firstRange(of: "</style>")
        else { return "default-src 'none'; base-uri 'none'; frame-ancestors 'none'" }
        let hash = Base64.encode(SHA256.digest(Array(text[start.upperBound..<end.lowerBound].utf8)))
        return "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'sha256-\(hash)'; "
            + "form-action 'none'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; "
            + "trusted-types 'none'"
    }

    private func read(_ path: String) -> [UInt8]? {
        guard let file = fopen(path, "re") else { return nil }
        defer { fclose(file) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = fread(&buffer, 1, buffer.count, file)
            if count <= 0 { return content.isEmpty ? nil : content }
            content += buffer[..<count]
        }
    }
}
