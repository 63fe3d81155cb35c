import Runtime

/// A request to another server.
package struct HTTPClientRequest: Sendable {
    /// The body to send.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A file's content, read while it is being sent.
        case file(path: String)
        /// `size` bytes, handed over while they are being sent; only for ``HTTPClient/upload(_:)``.
        case pieces(size: Int64)
    }

    /// Credentials for AWS Signature Version 4, which all S3 servers support.
    package struct Signature: Sendable {
        package var accessKey: String
        package var secretKey: String
        package var region: String
        /// The service's name in the signature, `s3` for object storage.
        package var service: String

        package init(accessKey: String, secretKey: String, region: String, service: String) {
            self.accessKey = accessKey
            self.secretKey = secretKey
            self.region = region
            self.service = service
        }
    }

    package var method: String
    /// An absolute URL of one of ``protocols``.
    package var url: String
    package var headers: [(name: String, value: String)]
    package var body: Body
    /// Called with the number of bytes taken for sending, and the total. It must not start another request itself, only in
    /// a new task.
    package var onUpload: (@Loop (_ sent: Int64, _ total: Int64) -> Void)?
    /// The maximum size of the response's body in bytes; more is an error. Streams have no limit.
    package var responseLimit = 1 << 20
    /// How long connecting may take, including name lookup and TLS.
    package var connectDeadline: Duration = .seconds(5)
    /// The allowed URL schemes.
    package var protocols = ["http", "https"]
    /// Whether the request goes out on a connection of its own, which is closed behind it. On a connection that was used before, libcurl sends a
    /// request again by itself when that ends without a byte of an answer, though the server may have done what was asked.
    package var isSentOnce = false
    /// Whether it goes to addresses of the public internet alone (``PublicAddress``), whatever a name server says. Behind a proxy, which
    /// looks names up itself, that is the proxy's to see to.
    package var isForPublicAddress = false
    /// Signs the request. Query and path must be encoded as the signature requires: parameters sorted by name, everything
    /// but unreserved characters as `%XX`.
    package var signature: Signature?

    package init(
        _ method: String = "GET", _ url: String, headers: [(name: String, value: String)] = [], body: Body = .none,
        onUpload: (@Loop (_ sent: Int64, _ total: Int64) -> Void)? = nil
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.onUpload = onUpload
    }
}

/// A response with its complete body. Redirects are not followed; they are returned as they are.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first value of a field; names are case-insensitive.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
