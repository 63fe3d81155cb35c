import Contracts
import HTTPServer
import ServiceKit
import reporting

/// Exports of all that somebody has, and how they have used their account.
extension Operations {
    static let exports = [
        Operation(
            .reporting, "POST", "/v1/exports", "requestExport",
            """
            Begins an export of everything that the platform has of the caller, as JSON and CSV in one archive. One can be open at a time, \
            and a new one takes the place of one that could be fetched.
            """, .user,
            parameters: [
                header("Idempotency-Key", "The client's own value, the same when it repeats the request.")
            ], body: "ExportWish", [ok("Export", "It is being made.", 202)],
            [.memberUnknown, .confirmationNeeded, .exportOpen, .exportsUsedUp, .notFound]),
        Operation(
            .reporting, "GET", "/v1/exports", "exports", "The caller's last exports, newest first.", .user,
            [ok("Exports", "At most ten.")]),
        Operation(
            .reporting, "GET", "/v1/exports/{id}", "export",
            "An export; when it is ready, with an address of its archive that lasts a while.", .user,
            [ok("Export", "As it stands.")], [.notFound]),
        Operation(
            .reporting, "DELETE", "/v1/exports/{id}", "deleteExport", "Removes an export with its archive at once.",
            .user,
            [nothing("It is gone.")], [.notFound]),
        Operation(
            .reporting, "GET", "/v1/exports/{id}/archive", "exportArchive",
            "The archive of an export, at the address that the export gave. A ZIP file with a manifest of SHA-256 sums.",
            .anybody, parameters: signature,
            [
                Operation.Answer(
                    status: 200, meaning: "The archive, with an ETag.", schema: "Archive",
                    contentType: "application/zip")
            ], [.notFound, .exportAddressExpired]),
        Operation(
            .reporting, "GET", "/v1/usage", "usage",
            "How the caller has used the account: what was deleted does not count any more.", .user,
            [ok("Usage", "As of now.")]),
    ]
}
