import Contracts
import HTTPServer
import JSON
import ServiceKit
import reporting

/// The routes by which somebody shows a report to others.
extension Operations {
    static let sharing = [
        Operation(
            .reporting, "POST", "/v1/reports/{sessionId}/shares", "shareReport",
            """
            Makes a link that shows some of a report to whoever has it, until it is over, used up or taken back: the score, what was done \
            well, and the one thing to work on; never what was said, media or an address. This answer alone has the link.
            """, .user,
            parameters: [
                header("Idempotency-Key", "The client's own value, the same when it repeats the request.")
            ], body: "ShareWish", [ok("NewShare", "It is shared.", 201)],
            [
                .memberUnknown, .notFound, .shareImpossible, .shareEmpty, .sharesUsedUp, .idempotencyKeyReused,
            ]),
        Operation(
            .reporting, "GET", "/v1/reports/{sessionId}/shares", "sharesOfReport",
            "The shares of a report, newest first; those that are over for seven days more.", .user,
            [ok("Shares", "All of them.")], [.notFound]),
        Operation(
            .reporting, "GET", "/v1/shares", "shares", "All shares of the caller, newest first.", .user,
            [ok("Shares", "All of them.")]),
        Operation(
            .reporting, "DELETE", "/v1/shares/{id}", "revokeShare",
            "Takes a link back: it shows nothing any more, and its card is gone.", .user, [nothing("It is gone.")],
            [.notFound]),
        Operation(
            .reporting, "POST", "/v1/shared", "sharedCard",
            """
            The card of a link, for whoever has it, without an account. Counts one view. Whatever is wrong with a token, the answer is the \
            same.
            """, .anybody, body: "SharedToken", [ok("SharedCard", "What the owner lets others see.")],
            [.memberUnknown, .shareUnknown, .tooManyShared]),
    ]
}
