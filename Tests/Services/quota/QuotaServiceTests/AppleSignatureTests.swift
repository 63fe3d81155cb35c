import Crypto
import HTTPServer
import JSON
import Primitives
import ServiceTesting
import Testing

@testable import quota

/// Apple's way to sign, with a root of our own: what is good, and every way in which it is not.
@Suite struct `A signature of the App Store` {
    private let chain: AppleChain
    private let payload: JSONObject

    init() throws {
        chain = try AppleChain()
        payload = ["signedDate": .int(Timestamp.now().seconds * 1_000), "hello": "world"]
    }

    private func signature(_ file: String) throws -> AppleSignature {
        AppleSignature(roots: try TrustedRoots(Array(file.utf8)))
    }

    private func isGood(_ text: String, roots: String? = nil) throws -> Bool {
        do {
            return try signature(roots ?? chain.root.pem).payload(of: text)["hello"] == "world"
        } catch let problem as Problem {
            #expect(problem.code == .appStoreSignatureWrong)
            return false
        }
    }

    private func issued(
        _ name: String, isAuthority: Bool = false, _ markers: [String] = [AppleChain.leafMarker],
        by issuer: TestCertificate, info: [UInt8]? = nil
    ) throws -> TestCertificate {
        try TestCertificate(
            .init(
                name, isAuthority: isAuthority, markers: markers, from: chain.leaf.form.start, to: chain.leaf.form.end),
            by: issuer, info: info)
    }

    /// Signs with a leaf of one's own.
    private func signed(_ leaf: TestCertificate, _ intermediate: TestCertificate? = nil) throws -> String {
        try chain.sign(
            payload, chain: [leaf.der, (intermediate ?? chain.intermediate).der, chain.root.der], key: leaf.key)
    }

    @Test func `is good by a chain of three to the root of the file`() throws {
        let text = try chain.sign(payload)
        #expect(try isGood(text))
        // The file may have others beside it, or be as Apple gives it.
        let other = try AppleChain()
        #expect(try isGood(text, roots: other.root.pem + chain.root.pem))
        #expect(
            try AppleSignature(roots: TrustedRoots(chain.root.der)).payload(of: text) == payload)
    }

    @Test func `is nothing by a root that only the message names`() throws {
        let other = try AppleChain()
        #expect(try !isGood(try other.sign(payload)))
        // Nor with the good root at its end.
        #expect(try !isGood(try other.sign(payload, chain: [other.leaf.der, other.intermediate.der, chain.root.der])))
        #expect(try !isGood(try other.sign(payload, chain: [other.leaf.der, chain.intermediate.der, chain.root.der])))
    }

    @Test func `is nothing by a chain of another length or order`() throws {
        let (leaf, intermediate, root) = (chain.leaf.der, chain.intermediate.der, chain.root.der)
        for certificates in [
            [], [leaf], [leaf, intermediate], [leaf, root], [leaf, intermediate, root, root],
            [leaf, root, intermediate],
            [intermediate, leaf, root], [[], intermediate, root], [leaf, [1, 2, 3], root],
            [leaf + [0], intermediate, root],
        ] {
            #expect(try !isGood(try chain.sign(payload, chain: certificates)), "\(certificates.map(\.count))")
        }
    }

    @Test func `is nothing by certificates that were issued for something else`() throws {
        let (leaf, intermediate) = ([AppleChain.leafMarker], [AppleChain.intermediateMarker])
        #expect(try isGood(try signed(try issued("Good", by: chain.intermediate))))
        for markers in [[], intermediate, ["1.2.840.113635.100.6.11.2"]] {
            #expect(try !isGood(try signed(try issued("Unmarked", markers, by: chain.intermediate))), "\(markers)")
        }
        for markers in [[], leaf] {
            let unmarked = try issued("Unmarked", isAuthority: true, markers, by: chain.root)
            #expect(try !isGood(try signed(try issued("Leaf", by: unmarked), unmarked)), "\(markers)")
        }
    }

    @Test func `is nothing by who may issue and signs, or issues and may not`() throws {
        #expect(try !isGood(try signed(try issued("Authority", isAuthority: true, by: chain.intermediate))))
        // The root itself has issued it.
        #expect(try !isGood(try signed(try issued("Skipped", by: chain.root))))
        // Who signs has issued one more.
        let leaf = try issued("Leaf", AppleChain.both, by: chain.intermediate)
        #expect(try !isGood(try signed(try issued("Below", by: leaf), leaf)))
        let noAuthority = try issued("None", [AppleChain.intermediateMarker], by: chain.root)
        #expect(try !isGood(try signed(try issued("Leaf", by: noAuthority), noAuthority)))
    }

    @Test func `is nothing by certificates that were not in force when it was made`() throws {
        for (start, end) in [(-20, -10), (10, 20)] as [(Int64, Int64)] {
            let other = try AppleChain(from: start, to: end)
            #expect(try !isGood(try other.sign(payload), roots: other.root.pem))
            // In their time they were good, and what was signed then still is.
            let then = Timestamp.now().adding(seconds: (start + 5) * 86_400)
            let text = try other.sign(payload.adding(["signedDate": .int(then.seconds * 1_000)]))
            #expect(try isGood(text, roots: other.root.pem))
        }
    }

    @Test func `is nothing by another algorithm or key`() throws {
        for algorithm in ["none", "HS256", "RS256", "ES384", "es256", "", .null, 256] as [JSONValue] {
            #expect(try !isGood(try chain.sign(payload, algorithm: algorithm)), "\(algorithm)")
        }
        #expect(try !isGood(try chain.sign(payload, key: try .generate())))
        // With the certificate's public key, which everybody knows, as the secret of a code.
        let header: JSONObject = [
            "alg": "HS256",
            "x5c": .array([chain.leaf, chain.intermediate, chain.root].map { .string(Base64.encode($0.der)) }),
        ]
        let text =
            Base64URL.encode(JSONValue.object(header).bytes) + "." + Base64URL.encode(JSONValue.object(payload).bytes)
        let code = HMACSHA256.authenticate(Array(text.utf8), key: chain.leaf.key.publicKey.der)
        #expect(try !isGood("\(text).\(Base64URL.encode(code))"))
        let none = text.replacing(
            text.prefix { $0 != "." }, with: Base64URL.encode(JSONValue.object(header.adding(["alg": "none"])).bytes))
        #expect(try !isGood("\(none)."))
        #expect(try !isGood(try chain.sign(payload, header: ["crit": ["exp"]])))
    }

    @Test func `is nothing when anything was changed or is missing`() throws {
        let text = try chain.sign(payload)
        let parts = text.split(separator: ".").map(String.init)
        let other = Base64URL.encode(JSONValue.object(payload.adding(["hello": "others"])).bytes)
        var bytes = try #require(Base64URL.decode(parts[2]))
        bytes[0] ^= 1
        for wrong in [
            "\(parts[0]).\(other).\(parts[2])", "\(parts[0]).\(parts[1]).\(Base64URL.encode(bytes))",
            "\(parts[0]).\(parts[1]).", "\(parts[0]).\(parts[1])", "\(text).", "\(text).\(parts[2])", "", "..", ".",
            " \(text)", "\(text)=", String(text.dropLast(4)), "\(parts[1]).\(parts[0]).\(parts[2])",
        ] {
            #expect(try !isGood(wrong), "\(wrong.count)")
        }
        // Without the time no certificate can be judged.
        for date in [nil, .null, "now", -1, .int(.max)] as [JSONValue?] {
            #expect(try !isGood(try chain.sign(JSONObject().adding(["hello": "world", "signedDate": date]))))
        }
        for chain in [nil, .null, "text", [1, 2, 3]] as [JSONValue?] {
            let header = JSONObject().adding(["alg": "ES256", "x5c": chain])
            let signed = Base64URL.encode(JSONValue.object(header).bytes) + "." + parts[1]
            let signature = Base64URL.encode(try self.chain.leaf.key.sign(Array(signed.utf8)))
            #expect(try !isGood("\(signed).\(signature)"))
        }
    }

    @Test func `is nothing by a certificate of a key of another kind`() throws {
        // A point of P-384, which the certificate names well.
        let info = try #require(Hex.decode(Self.otherCurve))
        #expect(try !isGood(try signed(try issued("Curve", by: chain.intermediate, info: info))))
    }

    /// `openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 | openssl pkey -pubout -outform DER`
    private static let otherCurve =
        "3076301006072a8648ce3d020106052b8104002203620004d689c66ea1f3d43f993ca52ea150da4cc610ffb6dfba824492e2021146602f252d7fcc7b8623dff3c5791942f8fb0e02a4e2e607d61c34b4a9c9770d208c91557a1fab7c74da0944ea424f0ddba8b719b7170dc9b4ecd1a31dfe51b40c65bf1e"

    @Test func `needs a file with roots`() throws {
        for file in ["", "text", chain.leaf.pem, chain.intermediate.pem, chain.root.pem + chain.leaf.pem] {
            #expect(throws: CryptoError.malformedKey) { try TrustedRoots(Array(file.utf8)) }
        }
        #expect(throws: CryptoError.malformedKey) { try TrustedRoots(chain.root.der + [0]) }
    }

    @Test func `says which check fails first`() throws {
        let roots = try TrustedRoots(chain.root.der)
        let markers = TrustedRoots.Markers(leaf: AppleChain.leafMarker, intermediate: AppleChain.intermediateMarker)
        func fault(_ certificates: [TestCertificate], after days: Int64 = 0) -> CertificateChainError? {
            do throws(CertificateChainError) {
                _ = try roots.key(
                    of: certificates.map(\.der), markers: markers, at: .now().adding(seconds: days * 86_400))
                return nil
            } catch {
                return error
            }
        }
        let (leaf, between, root) = (chain.leaf, chain.intermediate, chain.root)
        let authority = try issued("Authority", isAuthority: true, by: between)
        let unmarked = try issued("Unmarked", [], by: between)
        let info = try #require(Hex.decode(Self.otherCurve))
        let curve = try issued("Curve", by: between, info: info)
        let stranger = try AppleChain()
        #expect(fault([leaf, between, root]) == nil)
        #expect(fault([leaf, between]) == .wrongLength)
        #expect(fault([leaf, between, root], after: 401) == .notInForce)
        #expect(fault([leaf, between, root], after: -401) == .notInForce)
        #expect(fault([stranger.leaf, stranger.intermediate, root]) == .untrusted)
        #expect(fault([authority, between, root]) == .leafIsAuthority)
        #expect(fault([unmarked, between, root]) == .unmarked)
        #expect(fault([curve, between, root]) == .unsuitableKey)
        #expect(throws: CertificateChainError.malformed) {
            try roots.key(of: [[1], between.der, root.der], markers: markers, at: .now())
        }
    }
}

extension AppleChain {
    /// What no certificate of Apple has.
    fileprivate static let both = [leafMarker, intermediateMarker]
}
