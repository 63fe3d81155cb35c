import JSON
import Primitives
import Testing

@testable import CompatibleSurface

@Suite("Values of the compatible surface") struct CompatibleValueTests {
    @Test("have a fraction in every moment, also on a whole second")
    func time() {
        #expect(CompatibleValue.time(Timestamp(seconds: 1_735_689_600)) == "2025-01-01T00:00:00.000000Z")
    }

    @Test(
        "are read in every form that clients write a moment in",
        arguments: [
            "2025-01-01T02:00:00Z", "2025-01-01T02:00:00.000+00:00", "2025-01-01 02:00:00+00", "2025-01-01 02:00:00",
            "2025-01-01T04:00:00+02:00", "2025-01-01 04:00:00+0200", "2025-01-01t02:00:00z",
        ])
    func moments(text: String) {
        #expect(CompatibleValue.moment(text) == Timestamp(seconds: 1_735_696_800), "\(text)")
    }

    @Test("are refused that are none", arguments: ["", "today", "2025-13-01", "2025-01-01T25:00:00Z", "2025-01-01T1"])
    func nonsense(text: String) { #expect(CompatibleValue.moment(text) == nil) }

    @Test("take a day for its first moment")
    func day() { #expect(CompatibleValue.moment("2025-01-01") == Timestamp(seconds: 1_735_689_600)) }

    @Test("are the same UUID in either case, and written in lower case")
    func uuid() {
        let text = "019a9c60-0000-7000-8000-0000000000ab"
        #expect(CompatibleValue.uuid(text.uppercased())?.description == text)
        #expect(CompatibleValue.uuid("19a9c60") == nil)
    }
}

@Suite("A prefix of the compatible surface") struct CompatiblePrefixTests {
    @Test("holds what lies below it and nothing that only begins alike")
    func holds() {
        for path in ["/rest/v1", "/rest/v1/sessions", "/auth/v1/token"] {
            #expect(CompatiblePrefix.isCompatible(path), "\(path)")
        }
        for path in ["/rest/v10", "/v1/sessions", "/restv1", "/"] {
            #expect(!CompatiblePrefix.isCompatible(path), "\(path)")
        }
    }
}
