import Access
import Contracts
import EventStore
import JSON
import Photos
import Postgres
import Primitives
import Runtime
import ServiceKit

/// What this service has of somebody, for an export: all that the account says, but no secret. Hashes of passwords and codes, and what
/// signs somebody in, would only help whoever finds the archive.
@Loop struct IdentityExport {
    private static let profile = ExportTable(
        "profile", "The account, or the anonymous device.",
        [
            ExportColumn("id", .id, "The user."), ExportColumn("kind", .text, "An account (user) or a device."),
            ExportColumn("email", .text, "The e-mail address."),
            ExportColumn("emailVerified", .boolean, "Whether the address was confirmed."),
            ExportColumn("displayName", .text, "The name that is shown."),
            ExportColumn("timeZone", .text, "The IANA time zone."),
            ExportColumn("createdAt", .time, "When it began."),
            ExportColumn("hasPassword", .boolean, "Whether somebody can sign in with a password."),
            ExportColumn("secondFactorSince", .time, "Since when a second factor is asked for."),
            ExportColumn("photo", .text, "The file of the photo in this archive."),
            ExportColumn("metadata", .text, "What apps keep with the account, as JSON; empty without any."),
        ])
    private static let identities = ExportTable(
        "linked-identities", "The identities at other providers with which somebody can sign in.",
        [
            ExportColumn("provider", .text, "The provider."),
            ExportColumn("linkedAt", .time, "When it was linked."),
        ])
    private static let logins = ExportTable(
        "login-sessions", "The login sessions that last, each of a device.",
        [
            ExportColumn("id", .id, "The login session."),
            ExportColumn("device", .text, "What the device is called."),
            ExportColumn("app", .text, "The app whose session it is; empty for MirrorMate itself."),
            ExportColumn("createdAt", .time, "When somebody signed in."),
            ExportColumn("lastUsedAt", .time, "When it was used last."),
            ExportColumn("expiresAt", .time, "When it ends."),
        ])
    private static let preferences = ExportTable(
        "preferences", "Which mails somebody wants, and which terms of use they have accepted.",
        [
            ExportColumn("name", .text, "What was chosen or accepted."),
            ExportColumn("value", .text, "How."),
            ExportColumn("at", .time, "When, where that is known."),
        ])
    private static let consents = ExportTable(
        "consents", "What somebody lets providers outside this server have.",
        [
            ExportColumn("provider", .text, "Who may have data."),
            ExportColumn("purpose", .text, "For what."),
            ExportColumn("dataClasses", .text, "Which kinds of data."),
            ExportColumn("version", .text, "The version of the text that was agreed to."),
            ExportColumn("locale", .text, "The language of that text."),
            ExportColumn("textSHA256", .text, "SHA-256 of that text."),
            ExportColumn("givenAt", .time, "When it was agreed to."),
        ])
    private static let changes = ExportTable(
        "address-changes", "Changes of the e-mail address that can still be confirmed or taken back.",
        [
            ExportColumn("newEmail", .text, "The new address."), ExportColumn("oldEmail", .text, "The old one."),
            ExportColumn("confirmedAt", .time, "When the new one was confirmed."),
            ExportColumn(
                "takesEffectAt", .time,
                "When the new one becomes the account's at the latest; empty where the old one was never confirmed."),
            ExportColumn("changedAt", .time, "When the new one became the account's; empty while it waits."),
        ])
    private static let deviceTable = ExportTable(
        "devices", "The anonymous devices whose secrets somebody may end, as GET /v1/me/devices lists them.",
        [
            ExportColumn("id", .id, "The device's anonymous user."),
            ExportColumn("createdAt", .time, "When it began."),
            ExportColumn("secretChangedAt", .time, "When its secret was last changed."),
            ExportColumn("lastUsedAt", .time, "When its secret last let somebody in."),
            ExportColumn("handedOverAt", .time, "When what was practised on it last came to the account."),
            ExportColumn("revokedAt", .time, "Since when no secret of it lets anybody in."),
        ])

    private let owners: OwnerReads
    private let users: CommandHandler<User>
    private let devices: Devices

    init(_ context: ServiceContext, _ settings: AccessSettings) {
        owners = context.owners
        devices = Devices(context.store.pool, settings)
        users = CommandHandler(context.store)
    }

    func write(_ writer: ExportWriter) async throws {
        let photo = try await owners.query(
            of: writer.owner, "select jpeg from photos where user_id = $1", [.uuid(writer.owner)]
        ).first?.bytes(0)
        if let photo { try await writer.write("photo.jpg", photo) }
        try await writer.write(
            Self.profile,
            """
            select p.user_id::text, json_build_object('id', p.user_id,
                'kind', case when has_account(p.user_id) then 'user' else 'device' end, 'email', email,
                'emailVerified', c.verified_at is not null, 'displayName', display_name, 'timeZone', time_zone,
                'createdAt', created_at, 'hasPassword', coalesce(c.has_password, false),
                'secondFactorSince', s.confirmed_at,
                'photo', case when exists (select from photos f where f.user_id = p.user_id) then 'photo.jpg' end,
                'metadata', case when p.metadata <> '{}' then p.metadata::text end)
            from profiles p left join credentials c using (user_id) left join second_factors s using (user_id)
            where user_id = $1 and user_id::text > $2 limit $3
            """)
        try await writer.write(
            Self.identities,
            """
            select provider, json_build_object('provider', provider, 'linkedAt', linked_at)
            from linked_identities where user_id = $1 and provider > $2 order by provider limit $3
            """)
        try await writer.write(
            Self.logins,
            """
            select session::text, json_build_object('id', session, 'device', device, 'app', surface,
                'createdAt', begun_at, 'lastUsedAt', turned_at, 'expiresAt', expires_at)
            from logins where user_id = $1 and expires_at > clock_timestamp() and session::text > $2
            order by session::text limit $3
            """)
        try await writer.write(
            Self.changes,
            """
            select id::text, json_build_object('newEmail', new_email, 'oldEmail', old_email,
                'confirmedAt', coalesce(proven_at, changed_at), 'takesEffectAt', due_at, 'changedAt', changed_at)
            from email_changes where user_id = $1 and id::text > $2 order by id::text limit $3
            """)
        // Not under the owner's scope: those that were handed over have rows of their own users.
        let devices = try await devices.list(of: writer.owner).compactMap(\.json.objectValue)
        try await writer.write(Self.deviceTable, rows: devices)
        let user = try await users.load(User.stream(writer.owner)).state
        try await writer.write(Self.preferences, rows: preferences(of: user))
        try await writer.write(Self.consents, rows: consents(of: user))
    }

    private func consents(of state: User) -> [JSONObject] {
        state.consents.values.sorted { $0.scope < $1.scope }.map { consent in
            let classes = consent.terms.dataClasses.map(\.rawValue).sorted().joined(separator: ", ")
            return consent.json.adding(["dataClasses": .string(classes)])
        }
    }

    private func preferences(of state: User) -> [JSONObject] {
        let mails = state.notifications.json.members.map { member -> JSONObject in
            ["name": .string("mails.\(member.key)"), "value": .string(member.value.text)]
        }
        let terms = state.terms.map { terms -> JSONObject in
            ["name": "terms", "value": .string(terms.version), "at": .time(terms.acceptedAt)]
        }
        return mails + (terms.map { [$0] } ?? [])
    }
}
