import Crypto
import Primitives
import Testing

@Suite("A certificate") struct CertificateTests {
    /// `openssl x509 -enddate`: notAfter=Dec 27 18:55:19 2027 GMT.
    private let pem = """
        -----BEGIN CERTIFICATE-----
        MIIBczCCARmgAwIBAgIUOgRThZeOChjgLLTkrdAH46vqBawwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEdGVzdDAeFw0yNjExMjIxODU1MTlaFw0yNzEyMjcxODU1MTla
        MA8xDTALBgNVBAMMBHRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARVX7zq
        +twH+mfOthYPhe60r7RtUl9wpN3hJyHJ+HM/pLQ62uTOa8VgShXcCfjRBwUFkXON
        zcZk+TOgNdtZVOzto1MwUTAdBgNVHQ4EFgQUfk441ih8QSoe0YqeqhiQhf4sx5gw
        HwYDVR0jBBgwFoAUfk441ih8QSoe0YqeqhiQhf4sx5gwDwYDVR0TAQH/BAUwAwEB
        /zAKBggqhkjOPQQDAgNIADBFAiBvOhS9rRrZUYTRPTMaNz0v5qdURaJsIGglw14/
        lmLqXAIhAOZGAbt9VvN6eHFoyWiIUbYPH5/sNRpW4CjZOb3S3mhB
        -----END CERTIFICATE-----
        """

    @Test func `says when it ends`() throws {
        #expect(try Certificate(pem: pem).end == Timestamp(rfc3339: "2027-12-27T18:55:19.000000Z"))
    }

    @Test func `is found behind its private key`() throws {
        #expect(try Certificate(pem: PEM.block("PRIVATE KEY", [1, 2, 3]) + pem) == Certificate(pem: pem))
    }

    @Test(arguments: ["", "nonsense", PEM.block("CERTIFICATE", [0x30, 0x03, 1, 2, 3]), PEM.block("PRIVATE KEY", [1])])
    func `is refused when it is none`(text: String) {
        #expect(throws: CryptoError.malformedKey) { try Certificate(pem: text) }
    }
}
