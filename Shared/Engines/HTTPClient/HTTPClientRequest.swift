import Runtime

/// A request to another server.
package struct HTTPClientRequest: Sendable {
    /// What is sent.
    package enum Body: Sendable {
        case none
        case bytes([UInt8])
        /// A file's content, read while it is sent.
        case file(path: String)
        /// So many bytes, handed over while they are sent; only for ``HTTPClient/upload(_:)``.
        case pieces(size: Int64)
    }

    /// Who signs a request, by AWS Signature Version 4, which S3 servers of all makers understand.
    package struct Signature: Sendable {
        package var accessKey: String
        package var secretKey: String
        package var region: String
        /// The name that the server's maker has given it, `s3` for object storage.
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
    /// Told how much of the body has been taken for sending, and how much there is. It must not start another request
    /// itself; a task may.
    package var onUpload: (@Loop (_ sent: Int64, _ total: Int64) -> Void)?
    /// Bytes of the answer's body at most; more fails. Streams have no limit.
    package var responseLimit = 1 << 20
    /// How long connecting, with name lookup and TLS, may take.
    package var connectDeadline: Duration = .seconds(5)
    /// The schemes that may be used.
    package var protocols = ["http", "https"]
    /// Signs the request. Query and path must be encoded as the signature wants them: parameters in the order of their
    /// names, everything but unreserved characters as `%XX`.
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

/// An answer with its whole body. Redirects are not followed: they arrive as what they are.
package struct HTTPClientResponse: Sendable {
    package let status: Int
    package let headers: [(name: String, value: String)]
    package let body: [UInt8]

    /// The first value of a field, whatever the case of its name.
    package func header(_ name: String) -> String? {
        headers.first { $0.name.lowercased() == name.lowercased() }?.value
    }
}
