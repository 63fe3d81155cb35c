import Contracts
import Postgres
import Runtime
import ServiceKit
import Testing
import TestingSupport
import TestingTools

/// What an export says of a table that holds rows of owners.
private enum Place {
    /// The table of the export in which it is.
    case exported(String)
    /// Why it is in none.
    case left(String)
}

private let common: [String: Place] = [
    "app_tokens": .left("Hashes of tokens; which app is signed in, identity's login sessions say."),
    "consents": .left("A copy of what identity has, which it exports."),
    "export_parts": .left("Exports that are being written."),
    "object_intents": .left("Names of files that are exported themselves, or are about to be removed."),
]

private let own: [ServiceName: [String: Place]] = [
    .identity: [
        "credentials": .exported("profile"), "devices": .exported("devices"),
        "email_changes": .exported("address-changes"), "linked_identities": .exported("linked-identities"),
        "logins": .exported("login-sessions"), "photos": .exported("profile"), "profiles": .exported("profile"),
        "second_factors": .exported("profile"),
        "mail_outbox": .left("Mails that are on their way; their owner gets them."),
        "one_time_codes": .left("Secrets, for minutes or days."),
        "provider_tokens": .left("Secrets that are there to be revoked."),
        "recovery_codes": .left("Hashes of secrets."),
    ],
    .sessions: [
        "media_choices": .exported("retention"), "practice_log": .exported("practice-sessions"),
        "session_list": .exported("sessions"),
        "handovers": .left("Work under way on sessions that are exported."),
        "logged_days": .left("How many sessions were logged on a day, which the sessions say."),
        "refused_creations": .left("A limit's counter, gone within a day."),
        "resumable_uploads": .left("Uploads that are under way, and for an hour what has come of them."),
        "upload_parts": .left("Names of files that are about to be one recording, or to be removed."),
        "session_inits": .left("A limit's counter, gone within an hour."),
        "upload_turns": .left("Requests that are under way."),
    ],
    .quota: [
        "allowances": .exported("allowances"), "purchase_customers": .exported("purchase-notices"),
        "purchase_notices": .exported("purchase-notices"),
        "purchase_pages": .left("A limit's counter, gone within an hour."),
    ],
    .analysis: [
        "job_owners": .left("Which session is whose, which the sessions say."),
        "job_queue": .left("Work under way on sessions that are exported."),
        "provider_spending": .left("What the deployment has spent, for some weeks; the sessions say what for."),
    ],
    .reporting: [
        "goals": .exported("goals"), "practice_days": .exported("practice-days"),
        "practitioners": .exported("streak-settings"), "report_history": .exported("progress"),
        "report_shares": .exported("shares"), "reports": .exported("reports"),
        "open_exports": .left("The exports themselves."),
        "practice_changes": .left("A limit's counter, of the present day."),
        "provider_spending": .left("What the deployment has spent, for some weeks; the reports say what for."),
        "report_drafts": .left("Reports that are being made, for a minute."),
    ],
    .notifications: [
        "webhook_deliveries": .left("What was sent to its owner's own endpoints, for some weeks; the routes show it."),
        "webhook_endpoints": .left("Addresses that the owner has entered, which the routes show, and secrets."),
    ],
]

@Suite(.timeLimit(.minutes(10))) @Loop struct `A table of owners' rows` {
    @Test(arguments: ServiceName.allCases)
    func `is in an export, or is left out for a reason`(service: ServiceName) async throws {
        let places = common.merging(own[service] ?? [:]) { $1 }
        let found = try await withMigratedSchema(of: service.declaration) { pool in
            try await pool.query(
                """
                select relname::text from pg_class
                where relnamespace = $1::regnamespace and relkind in ('r', 'p') and relrowsecurity
                """, [.text(service.rawValue)]
            ).rows.map { $0.text(0) }
        }
        #expect(
            Set(found).subtracting(places.keys).sorted() == [],
            "Export them, or say here why their owners do not need them.")
        #expect(Set(places.keys).subtracting(found).sorted() == [], "There are no such tables.")

        var exported: Set<String> = []
        for path in try Checkout.swiftFiles(in: ["Services/\(service.rawValue)"]) {
            for match in try Checkout.text(of: path).matches(of: #/ExportTable\(\s*"([^"]+)"/#) {
                exported.insert(String(match.1))
            }
        }
        for (table, place) in places {
            guard case .exported(let name) = place else { continue }
            #expect(exported.contains(name), "\(table): no part of an export is called \(name).")
        }
    }
}
