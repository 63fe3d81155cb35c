import Contracts
import EventConsumer
import EventStore
import JSON
import Postgres
import Primitives
import Runtime
import ServiceTesting
import Testing

@testable import ServiceKit
@testable import quota

private typealias Group = ServiceUnderTest<QuotaService>

/// What every service but identity does when it hears that a login session has ended.
@Suite(.timeLimit(.minutes(10))) @Loop struct `A login session that identity has ended` {
    private let user = UUID.v7()
    private let session = UUID.v4()

    private func ended(of other: UUID? = nil, until end: Timestamp = .now() + .seconds(900)) -> LoginSessionEnded {
        LoginSessionEnded(userId: user, loginSessionId: other ?? session, reason: .signedOut, tokensUntil: end)
    }

    private func answer(_ group: Group, _ session: UUID, _ instance: Group.Instance? = nil) async throws -> Answer {
        let token = try group.token(for: user, session: session)
        return try await group.send(
            "GET", "/v1/quota", headers: [("Authorization", "Bearer \(token)")], to: instance)
    }

    @Test func `opens nothing in any instance, and the user's other ones do`() async throws {
        try await withService(QuotaService.self, instances: 2, background: true) { group in
            #expect(try await answer(group, session).status == 200)
            try await group.deliver(ended())
            for instance in group.instances {
                let isRefused = try await group.eventually { try await answer(group, session, instance).status == 401 }
                #expect(isRefused)
                let refused = try await answer(group, session, instance)
                #expect(refused.code == "login-session-ended" && refused.header("www-authenticate") == "Bearer")
                #expect(try await answer(group, .v4(), instance).status == 200)
            }
        }
    }

    @Test func `is known to an instance that starts later, without a look at the log`() async throws {
        try await withService(QuotaService.self) { group in
            try await group.deliver(ended())
            try await group.deliver(ended(until: Timestamp.now() - .seconds(61)))
            let later = EndedLogins(group.store, log: group.context.log)
            try await later.fill()
            #expect(later.refusal(of: caller) == .loginSessionEnded)
        }
    }

    @Test func `is forgotten, in memory and as a row, when none of its tokens can be valid any more`() async throws {
        try await withService(QuotaService.self) { group in
            let logins = group.context.ended
            let end = Timestamp.now() + .seconds(900)
            // Told again after a restore, with an earlier moment that does not count.
            for message in [ended(until: end), ended(until: end - .seconds(300))] {
                try await group.deliver(message)
                try await logins.follow()
            }
            try await logins.forget(at: end + .seconds(59))
            #expect(logins.refusal(of: caller) == .loginSessionEnded)
            // A clock that is ahead forgets for its own instance alone.
            try await group.deliver(
                AppTokenIssued(
                    userId: user, loginSessionId: .v4(), tokenSHA256: String(repeating: "ab", count: 32),
                    surface: .practice, timeZone: "UTC", expiresAt: end))
            try await logins.forget(at: end + .seconds(61))
            #expect(logins.refusal(of: caller) == nil)
            for (table, column) in [("ended_logins", "tokens_until"), ("app_tokens", "expires_at")] {
                #expect(try await group.count("select count(*) from \(table)") == 1)
                // As when the time has come.
                _ = try await group.administrator.query("update \(table) set \(column) = now() - interval '59 seconds'")
            }
            try await logins.forget(at: end)
            try await group.context.appTokens.sweep()
            #expect(try await group.count("select count(*) from app_tokens") == 0)
            #expect(try await group.count("select count(*) from ended_logins") == 1)
            _ = try await group.administrator.query(
                "update ended_logins set tokens_until = now() - interval '61 seconds'")
            try await logins.forget(at: end)
            #expect(try await group.count("select count(*) from ended_logins") == 0)
        }
    }

    @Test func `is refused also where the store was set back under the instance, as soon as it ends anew`() async throws
    {
        try await withService(QuotaService.self) { group in
            let logins = EndedLogins(group.store, log: group.context.log)
            try await logins.fill()
            let following = Loop.task { await logins.run() }
            try await group.deliver(ended())
            for _ in 1...3 { try await group.deliver(ended(of: .v4())) }
            #expect(try await group.eventually { logins.refusal(of: caller) == .loginSessionEnded })

            let connection = try await PostgresConnection.open(group.administratorSettings)
            defer { connection.close() }
            try await connection.script(
                "set session_replication_role = replica; begin; delete from events; delete from ended_logins; commit")
            let later = UUID.v4()
            try await group.deliver(ended(of: later))
            #expect(
                try await group.eventually { logins.refusal(of: self.caller(of: later)) == .loginSessionEnded })
            // What it knew already it does not forget: an end is never undone.
            #expect(logins.refusal(of: caller) == .loginSessionEnded)
            following.cancel()
            _ = await following.result
        }
    }

    @Test func `is refused where another history took the store's place and is longer already`() async throws {
        try await withService(QuotaService.self) { group in
            let logins = EndedLogins(group.store, log: group.context.log)
            try await logins.fill()
            // Rows that no event beyond the known position tells of, as of a history that was grown elsewhere.
            try await group.deliver(ended())
            let connection = try await PostgresConnection.open(group.administratorSettings)
            defer { connection.close() }
            try await connection.script(
                """
                set session_replication_role = replica;
                update events set type = 'Other' where type = 'LoginSessionEndLearned';
                insert into incarnations (incarnation, parent, fork)
                    select '01900000-0000-7000-8000-000000000001', incarnation, 1 from head;
                update head set incarnation = '01900000-0000-7000-8000-000000000001'
                """)
            try await logins.follow()
            #expect(logins.refusal(of: caller) == .loginSessionEnded)
        }
    }

    @Test func `is learned once, and not at all of somebody who is erased`() async throws {
        try await withService(QuotaService.self) { group in
            let message = try await group.deliver(ended())
            #expect(try await !group.deliver(message))
            #expect(try await group.count("select count(*) from events where type = 'LoginSessionEndLearned'") == 1)
            try await group.deliver(UserErasedV2(userId: user))
            #expect(try await !group.deliver(group.topic.message(ended())))
            try await group.context.ended.follow()
            #expect(try await answer(group, session).code == "user-gone")
            #expect(try await answer(group, .v4()).code == "user-gone")
        }
    }

    private var caller: Caller { caller(of: session) }

    private func caller(of session: UUID) -> Caller {
        Caller(
            user: user, isDevice: false, session: session, timeZone: nil, expiresAt: .now() + .seconds(900),
            authenticatedAt: nil, isEmailVerified: nil)
    }
}
