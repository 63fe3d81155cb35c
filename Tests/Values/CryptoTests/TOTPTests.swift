import Crypto
import Primitives
import Testing

@Suite struct `Codes that follow from the time` {
    private let totp = TOTP(secret: Array("12345678901234567890".utf8))

    /// RFC 4226, appendix D.
    @Test func `are those of the standard`() {
        let codes = [
            "755224", "287082", "359152", "969429", "338314", "254676", "287922", "162583", "399871", "520489",
        ]
        #expect((0...9).map { totp.code(of: $0) } == codes)
    }

    /// RFC 6238, appendix B: the last six of eight digits.
    @Test(arguments: [
        (59, "287082"), (1_111_111_109, "081804"), (1_111_111_111, "050471"), (1_234_567_890, "005924"),
        (2_000_000_000, "279037"), (20_000_000_000, "353130"),
    ])
    func `come at the standard's times`(seconds: Int64, code: String) {
        #expect(totp.code(of: TOTP.step(at: Timestamp(seconds: seconds))) == code)
    }

    @Test func `count in their step and beside it, and once`() {
        let now = Timestamp(seconds: 2_000_000_000)
        let step = TOTP.step(at: now)
        for distance in -3...3 as ClosedRange<Int64> {
            let found = totp.step(of: totp.code(of: step + distance), at: now, after: 0)
            #expect(found == (abs(distance) <= 1 ? step + distance : nil))
        }
        #expect(totp.step(of: totp.code(of: step), at: now, after: step) == nil)
        #expect(totp.step(of: totp.code(of: step + 1), at: now, after: step) == step + 1)
        for wrong in ["", "27903", "2790370", "279038", "２７９０３７"] {
            #expect(totp.step(of: wrong, at: now, after: 0) == nil)
        }
    }

    @Test func `have an address that apps can read`() {
        #expect(
            totp.address(issuer: "MirrorMate", account: "anna+x@example.org")
                == "otpauth://totp/MirrorMate:anna%2Bx%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=MirrorMate"
        )
    }
}
