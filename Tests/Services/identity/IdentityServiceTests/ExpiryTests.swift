import HTTPClient
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@Suite(.timeLimit(.minutes(10))) @Loop struct `What is over` {
    /// What of each kind is over, and what is not yet; the login session that nobody used for long goes though its end is to come.
    private static func rows(of user: UUID) -> String {
        """
        insert into logins (session, user_id, turned_at, expires_at, device) values
            (gen_random_uuid(), '\(user)', now(), now() - interval '1 minute', 'login over'),
            (gen_random_uuid(), '\(user)', now() - interval '31 days', now() + interval '1 day', 'login unused'),
            (gen_random_uuid(), '\(user)', now() - interval '29 days', now() + interval '1 day', 'login alive');
        insert into one_time_codes (id, user_id, purpose, expires_at) values
            (gen_random_uuid(), '\(user)', 'code over', now() - interval '1 minute'),
            (gen_random_uuid(), '\(user)', 'code alive', now() + interval '10 minutes');
        insert into attempts (key, full_at) values
            ('attempt over', now() - interval '1 minute'), ('attempt alive', now() + interval '10 minutes');
        insert into email_changes (id, user_id, new_email, old_email, expires_at) values
            (gen_random_uuid(), '\(user)', 'change over', 'old', now() - interval '1 minute'),
            (gen_random_uuid(), '\(user)', 'change alive', 'old', now() + interval '10 minutes');
        insert into email_changes
            (id, user_id, new_email, old_email, proven_at, due_at, remind_id, tell_id, reminded_at, expires_at) values
            (gen_random_uuid(), '\(user)', 'change given up', 'old', now() - interval '40 days',
                now() - interval '31 days', gen_random_uuid(), gen_random_uuid(), now(), now() - interval '1 day'),
            (gen_random_uuid(), '\(user)', 'change late', 'old', now() - interval '9 days',
                now() - interval '2 days', gen_random_uuid(), gen_random_uuid(), now(), now() - interval '1 day');
        insert into used_nonces (id, expires_at) values
            (gen_random_uuid(), now() - interval '1 minute'), (gen_random_uuid(), now() + interval '10 minutes');
        """
    }

    private static let names = """
        select string_agg(name, ', ' order by name) from (
            select device as name from logins where device like 'login %'
            union all select purpose from one_time_codes where purpose like 'code %'
            union all select convert_from(key, 'UTF8') from attempts where key in ('attempt over', 'attempt alive')
            union all select new_email from email_changes
            union all select case when expires_at > now() then 'nonce alive' else 'nonce over' end from used_nonces) t
        """

    private func names(_ fixture: Fixture) async throws -> String {
        try await fixture.administrator.query(Self.names).rows[0].text(0)
    }

    @Test func `is removed by an instance that starts, and nothing else is`() async throws {
        try await withIdentity { fixture in
            let anna = try await fixture.signUp("anna@example.org")
            try await fixture.administer(Self.rows(of: anna.id))
            #expect(
                try await names(fixture)
                    == "attempt alive, attempt over, change alive, change given up, change late, change over, code alive, code over, login alive, "
                    + "login over, login unused, nonce alive, nonce over")
            try await fixture.start(background: true)
            // Nonces come last, so everything else was looked at when these are gone.
            let alive = "attempt alive, change alive, change late, code alive, login alive, nonce alive"
            #expect(try await fixture.eventually { try await names(fixture) == alive })
            #expect(try await fixture.refresh(anna.refresh).status == 200)
        }
    }
}
