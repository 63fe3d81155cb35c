import JSON
import Testing

@testable import mirrormate

@Suite("What operators are shown of an account's devices") struct DeviceListTests {
    @Test("is a line for each, with when it was used, handed over and revoked")
    func table() throws {
        let answer = try JSONObject.parse(
            Array(
                """
                {"items": [
                    {"id": "019a9c60-0000-7000-8000-000000000001", "createdAt": "2026-11-20T10:00:00.000000Z",
                     "secretChangedAt": null, "lastUsedAt": "2026-11-22T10:00:00.000000Z",
                     "handedOverAt": "2026-11-21T10:00:00.000000Z", "revokedAt": null},
                    {"id": "019a9c60-0000-7000-8000-000000000002", "createdAt": "2026-11-20T11:00:00.000000Z",
                     "secretChangedAt": null, "lastUsedAt": null,
                     "handedOverAt": null, "revokedAt": "2026-11-23T10:00:00.000000Z"}]}
                """.utf8))
        let lines = try #require(UserCommand.deviceTable(answer)).text(Style(isColoured: false))
            .split(separator: "\n").map { $0.split(separator: "  ").map { $0.filter { $0 != " " } } }
        #expect(
            lines == [
                ["DEVICE", "SINCE", "LASTUSED", "HANDEDOVER", "REVOKED"],
                [
                    "019a9c60-0000-7000-8000-000000000001", "2026-11-20T10:00:00.000000Z",
                    "2026-11-22T10:00:00.000000Z", "2026-11-21T10:00:00.000000Z", "–",
                ],
                [
                    "019a9c60-0000-7000-8000-000000000002", "2026-11-20T11:00:00.000000Z", "–", "–",
                    "2026-11-23T10:00:00.000000Z",
                ],
            ])
    }

    @Test("is no table where there are none")
    func none() { #expect(UserCommand.deviceTable(["items": []]) == nil) }
}
