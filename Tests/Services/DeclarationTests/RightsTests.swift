import Contracts
import EventStore
import History
import Postgres
import PostgresTesting
import Runtime
import ServiceKit
import Testing

/// What each login role may do; a function is named with the number of its arguments. A new table or function that the role
/// may use is entered here on purpose: the role is what somebody has who took a service over, and must not change history.
private let common = """
    function abandon_rebuild/1 as owner
    function append_batch/17 as owner
    function beat_instance/1 as owner
    function begin_incarnation/5 as owner
    function begin_rebuild/3 as owner
    function complete_rebuild/2 as owner
    function disown_records/3 as owner
    function drop_rebuild/1 as owner
    function end_instance/1 as owner
    function in_scope/1
    function note_rebuild/6 as owner
    function refuse_appends/3 as owner
    function row_move_watermark/1
    function row_park/1
    function row_unpark/1
    function switch_rebuild/1 as owner
    function undo_rebuild/1 as owner
    schema usage
    table announcements_begun: select
    table api_keys: select
    table app_tokens of owners: delete, select
    table consents of owners: select
    table consumer_partitions: insert, select, update
    table cut_incarnations: select
    table disowned_records: select
    table ended_logins: delete, select
    table erased_subjects: select
    table events: select
    table export_parts of owners: select
    table good_signing_keys: select
    table head: select
    table incarnations: select
    table last_words: delete, insert, select, update
    table migrations: select
    table object_intents of owners: delete, select
    table parked_messages: delete, insert, select, update
    table projections: insert (name), select, update (position)
    table rebuilds: select
    table relay: select, update
    table relay_partitions: delete, insert, select, update
    table request_key: select
    table retired_keys: select
    table service_instances: select
    table signing_keys: select
    table stream_owners: select
    table stuck_rows: delete, insert, select, update
    """

/// What the login role of one service may do besides.
private let own: [ServiceName: String] = [
    .identity: """
    function give_back_provider_token/3
    function has_account/1
    function is_kept_address/2
    function rows_of_user/1
    function take_attempt/3
    function take_mail/1
    function take_revocation/1
    function refresh_login/3
    function refresh_login/4
    function turn_login/3
    table attempts: delete, insert, select, update
    table credentials of owners: select, update (password_hash)
    table devices of owners: select
    table email_changes of owners: delete, select
    table kept_keys: insert, select, update (sealed, ends_at)
    table linked_identities of owners: select
    table logins of owners: delete, select, update
    table mail_outbox of owners: delete, insert, select, update
    table one_time_codes of owners: delete, select
    table photos of owners: select
    table profiles of owners: select
    table provider_tokens of owners: delete, insert, select, update
    table recovery_codes of owners: select
    table second_factors of owners: select, update (sealed)
    table signing_private_keys: select, update (sealed)
    table used_nonces: delete, select
    """,
    .sessions: """
    function add_upload_parts/5
    function overdue_media/2
    function overdue_sessions/0
    function overlong_media/2
    function take_analysis/3
    function take_upload_turn/6
    function unreachable_sessions/1
    table handovers of owners: select
    table logged_days of owners: select
    table media_choices of owners: select
    table network_analyses: delete, insert, select, update
    table practice_log of owners: delete, insert, select, update
    table refused_creations of owners: delete, select, update (full_at)
    table resumable_uploads of owners: delete, select, update
    table session_inits of owners: delete, select, update (full_at)
    table session_list of owners: delete, insert, select, update
    table upload_parts of owners: insert, select, update
    table upload_turns of owners: delete, insert, select, update
    """,
    .quota: """
    table allowances of owners: delete, insert, select, update
    table defined_plans: select
    table purchase_customers of owners: select
    table purchase_notices of owners: delete, select
    table purchase_pages of owners: delete, select, update (full_at)
    """,
    .analysis: """
    table job_owners of owners: select
    table job_queue of owners: delete, insert, select, update
    table lent_files: delete, select
    table provider_day_spending: delete, select
    table provider_outcomes: delete, select
    table provider_spending of owners: delete, select
    """,
    .reporting: """
    table goal_watch: select, update (examined_position)
    table goals of owners: delete, insert, select, update
    table milestone_watch: select, update (examined_position)
    table open_exports of owners: select
    table practice_days of owners: delete, insert, select, update
    table practitioners of owners: delete, insert, select, update
    table provider_day_spending: delete, select
    table provider_outcomes: delete, select
    table provider_spending of owners: delete, select
    table report_drafts of owners: select
    table report_history of owners: delete, insert, select, update
    table report_shares of owners: delete, select, update (views)
    table reports of owners: select
    table shared_lookups: delete, insert, select, update
    """,
    .notifications: """
    function replay_webhook/2
    function settle_webhook/6
    function take_webhook/2
    table webhook_deliveries of owners: delete, select, update (state, attempts, due_at, tried_at, status, failure)
    table webhook_endpoints of owners: select, update (address, secret, earlier_secret, earlier_until, busy_until, failing_since, next_due)
    """,
]

@Suite(.timeLimit(.minutes(10))) @Loop struct `The schema of a service` {
    @Test(arguments: ServiceName.allCases)
    func `gives its login role these rights and no others`(service: ServiceName) async throws {
        try await withMigratedSchema(of: service.declaration) { pool in
            let found = Set(try await SchemaRights.of(service.rawValue, pool))
            let allowed = Set((common + "\n" + (own[service] ?? "")).split(separator: "\n").map(String.init))
            #expect(found.subtracting(allowed).sorted() == [], "rights that nobody has decided on")
            #expect(allowed.subtracting(found).sorted() == [], "rights that are missing")
        }
    }

    @Test(arguments: ServiceName.allCases)
    func `has registered every read model, and nothing else`(service: ServiceName) async throws {
        try await withMigratedSchema(of: service.declaration) { pool in
            let registered = try await pool.query("select name from \(service.rawValue).read_models").rows
            #expect(Set(registered.map { $0.text(0) }) == Set(service.declaration.readModels.map(\.name)))
        }
    }
}
