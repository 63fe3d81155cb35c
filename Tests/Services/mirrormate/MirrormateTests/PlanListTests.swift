import JSON
import Testing

@testable import mirrormate

@Suite("What operators are shown of plans") struct PlanListTests {
    @Test("is a line for each kind of each plan")
    func table() throws {
        let answer = try JSONObject.parse(
            Array(
                """
                {"plans": [
                    {"plan": "free", "number": 2, "source": "file", "since": "2026-11-22T10:00:00.000000Z",
                     "isOffered": true, "kinds": {
                        "dance": {"windows": {"hour": 2}, "lateCancellations": 0, "words": "2 an hour"},
                        "mirrormate": {"windows": {"local-day": 1}, "lateCancellations": 3, "words": "1 a local day"}}},
                    {"plan": "gold", "number": 1, "source": "file", "since": "2026-11-21T10:00:00.000000Z",
                     "isOffered": false, "kinds": {}}]}
                """.utf8))
        #expect(
            PlanListCommand.table(answer).text(Style(isColoured: false)) == """
                PLAN  KIND        ALLOWS         FORGIVES  DEFINITION  SINCE                        SOURCE
                free  dance       2 an hour             0           2  2026-11-22T10:00:00.000000Z  file
                free  mirrormate  1 a local day         3           2  2026-11-22T10:00:00.000000Z  file
                gold  –           nothing                           1  2026-11-21T10:00:00.000000Z  file, not on offer
                """)
    }

    @Test("of an allowance is each window and cap, and nothing where one window says it all")
    func allowance() throws {
        let several = try JSONObject.parse(
            Array(
                """
                {"remaining": 0, "windows": {
                    "hour": {"limit": 2, "used": 1, "reserved": 1, "remaining": 0,
                        "resetsAt": "2026-11-22T11:00:00.000000Z"},
                    "local-day": {"limit": null, "used": 1, "reserved": 1, "remaining": null, "resetsAt": null}},
                 "caps": {"burst": {"limit": 5, "taken": 2, "remaining": 3, "withinSeconds": 60}}}
                """.utf8))
        #expect(
            AllowanceText.lines(several) == [
                "  hour: 0 left, 1 used, 1 held, until 2026-11-22T11:00:00.000000Z",
                "  local-day: unlimited, 1 used, 1 held", "  burst: 2 of 5 within 60 s",
            ])
        #expect(AllowanceText.lines(["remaining": 1]).isEmpty)
    }
}
