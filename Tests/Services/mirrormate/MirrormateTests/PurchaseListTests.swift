import JSON
import Testing

@testable import mirrormate

@Suite struct `What operators are shown of purchases` {
    @Test func `is a line for each notification`() throws {
        let answer = try JSONObject.parse(
            Array(
                """
                {"notices": [
                    {"notice": "stripe/evt_2", "type": "customer.subscription.updated", "customer": "stripe/cus_1",
                     "ownerId": "019a9c60-0000-7000-8000-000000000001", "createdAt": "2026-11-22T10:00:00.000000Z",
                     "receivedAt": "2026-11-22T10:00:01.000000Z", "outcome": "applied"},
                    {"notice": "stripe/evt_1", "type": "ping", "customer": null, "ownerId": null,
                     "createdAt": "2026-11-22T09:00:00.000000Z", "receivedAt": "2026-11-22T09:00:01.000000Z",
                     "outcome": "ignored"}]}
                """.utf8))
        let lines = PurchaseCommands.table(answer).text(Style(isColoured: false)).split(separator: "\n")
        #expect(
            lines[1].split(separator: " ").joined(separator: " ")
                == "2026-11-22T10:00:01.000000Z stripe/evt_2 customer.subscription.updated applied stripe/cus_1 "
                + "019a9c60-0000-7000-8000-000000000001")
        #expect(
            lines[2].split(separator: " ").joined(separator: " ")
                == "2026-11-22T09:00:01.000000Z stripe/evt_1 ping ignored – –")
    }

    @Test func `of an account is its plan with the reason, and each purchase`() throws {
        let answer = try JSONObject.parse(
            Array(
                """
                {"plan": "premium", "isPremium": true, "reason": "paid", "endsAt": "2026-12-22T10:00:00.000000Z",
                 "renews": true, "purchases": [
                    {"purchase": "stripe/sub_2", "plan": "premium", "status": "active", "reason": "paid",
                     "isEntitling": true, "endsAt": "2026-12-22T10:00:00.000000Z"},
                    {"purchase": "stripe/sub_1", "plan": null, "status": "canceled", "reason": "expired",
                     "isEntitling": false, "endsAt": "2026-10-22T10:00:00.000000Z"}]}
                """.utf8))
        #expect(
            PurchaseCommands.lines(answer) == [
                "plan premium (paid, until 2026-12-22T10:00:00.000000Z, renews)",
                "  stripe/sub_2, active: gives premium (paid, until 2026-12-22T10:00:00.000000Z)",
                "  stripe/sub_1, canceled: does not give any plan (expired, since 2026-10-22T10:00:00.000000Z)",
            ])
        #expect(
            PurchaseCommands.lines(["plan": "free", "isPremium": false, "reason": "none", "endsAt": .null]) == [
                "plan free (none)"
            ])
    }
}
