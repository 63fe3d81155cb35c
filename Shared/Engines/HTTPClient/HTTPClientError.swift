import CCurl

/// Why there is no response.
package struct HTTPClientError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The kinds of failure.
    package enum Code: String, Sendable {
        /// The request itself cannot be sent: its URL, scheme, fields or file.
        case invalidRequest = "invalid-request"
        /// The server's name cannot be resolved.
        case unresolved
        /// The server cannot be connected to.
        case unreachable
        /// The proxy does not let requests through to the server, or the server is none of the public internet and had to be.
        case notLetOut = "not-let-out"
        /// A deadline has passed.
        case deadlineExceeded = "deadline-exceeded"
        /// The server's certificate or the TLS handshake was not accepted.
        case untrusted
        /// The response is larger than the request allows.
        case answerTooLarge = "answer-too-large"
        /// The connection broke, or the response is invalid.
        case broken
    }

    package let code: Code
    /// A sentence that says what to do next; it never contains the URL, which may carry a secret.
    package let description: String

    /// Whether the same request may succeed later.
    package var isRetryable: Bool {
        switch code {
        case .unresolved, .unreachable, .deadlineExceeded, .broken: true
        case .invalidRequest, .notLetOut, .untrusted, .answerTooLarge: false
        }
    }

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    /// That a proxy answered `CONNECT` with another status than 2xx.
    init(_ code: Code, proxyStatus status: Int) {
        let advice =
            code == .notLetOut
            ? "see that its host and port are among those that the way out lets through." : "try again later."
        self.init(code, "The proxy made no connection to the server (status \(status)); \(advice)")
    }

    /// That all addresses of a server are private ones, and the request was for the public internet.
    static let inward = HTTPClientError(
        .notLetOut, "The server's address is none of the public internet; name a server that is.")

    init(_ result: CURLcode) {
        let reason = String(cString: curl_easy_strerror(result))
        switch result {
        case CURLE_URL_MALFORMAT, CURLE_UNSUPPORTED_PROTOCOL, CURLE_READ_ERROR:
            self.init(.invalidRequest, "The request cannot be sent (\(reason)); correct its URL or body.")
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.unresolved, "The server's name cannot be resolved (\(reason)); check the address or try again.")
        case CURLE_COULDNT_CONNECT:
            self.init(
                .unreachable, "There is no connection to the server (\(reason)); check that it runs, or try again.")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.deadlineExceeded, "The server took too long (\(reason)); try again later.")
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CACERT_BADFILE:
            self.init(.untrusted, "The server cannot be trusted (\(reason)); check its certificate.")
        default:
            self.init(.broken, "The exchange broke (\(reason)); try again.")
        }
    }
}
