import Configuration
import HTTPServer
import Primitives
import ServiceKit
import Testing

@testable import quota

/// Stripe's way to sign, by a value that was computed elsewhere.
@Suite struct `The signature of a notification` {
    private let body = Array(#"{"id":"evt_1","object":"event"}"#.utf8)
    private let good = "v1=fc3ecbf12b394c0caa9c663a66da1ef1ad6180cb9d5dc20c17c9e4b64f536c47"
    private let secret = Secret("whsec_5f2d1c9b8a7e6f4d3c2b1a09")
    private let time = Timestamp(seconds: 1_764_000_000)

    private func fault(_ header: String?, after seconds: Int64 = 0, body: [UInt8]? = nil) -> ProblemCode? {
        do throws(Problem) {
            try StripeSignature.check(
                body ?? self.body, header, secrets: [Secret("whsec_another_secret_1"), secret],
                now: time.adding(seconds: seconds), tolerance: .seconds(300))
            return nil
        } catch {
            return error.code
        }
    }

    @Test func `is an HMAC over the time and the body`() {
        for header in ["t=1764000000,\(good)", "t=1764000000,v1=00,\(good),v0=11", " t=1764000000, \(good)"] {
            #expect(fault(header) == nil, "\(header)")
        }
        for header in [
            nil, "", good, "t=1764000000", "t=1764000001,\(good)", "t=-1,\(good)",
            "t=1764000000,v0\(good.dropFirst(2))",
        ] {
            #expect(fault(header) == .webhookSignatureWrong, "\(header ?? "")")
        }
        #expect(fault("t=1764000000,\(good)", body: body + [0x0A]) == .webhookSignatureWrong)
    }

    @Test func `is good for a while, before and after`() {
        for seconds in [-300, 0, 300] as [Int64] { #expect(fault("t=1764000000,\(good)", after: seconds) == nil) }
        for seconds in [-301, 301] as [Int64] {
            #expect(fault("t=1764000000,\(good)", after: seconds) == .webhookSignatureLate)
        }
        #expect(fault("t=1764000000,v1=00", after: 301) == .webhookSignatureWrong, "a wrong one says nothing of clocks")
    }

    @Test func `beyond the eighth of a header is not looked at`() {
        let many = Array(repeating: "v1=00", count: 8).joined(separator: ",")
        #expect(fault("t=1764000000,\(many),\(good)") == .webhookSignatureWrong)
    }
}
