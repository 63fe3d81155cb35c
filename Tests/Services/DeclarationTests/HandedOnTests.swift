import Contracts
import Testing
import TestingSupport
import TestingTools

/// Whoever sets a variable in `.env`, or before `mirrormate up`, must not find that nobody hands it on.
@Suite struct `Settings that an operator sets` {
    /// Those that a stack decides itself, in Compose as on a developer's machine.
    private static let decided: [(reason: String, names: Set<String>)] = [
        (
            "where each is served, for the gateway alone, which is believed about clients' addresses",
            ["HTTP_HOST", "HTTP_PORT", "ADMIN_HOST", "ADMIN_PORT", "API_DOCUMENTS", "TRUSTED_PROXIES"]
        ),
        (
            "the stack's database",
            [
                "DATABASE_HOST", "DATABASE_PORT", "DATABASE_NAME", "DATABASE_USER", "DATABASE_PASSWORD", "DATABASE_TLS",
                "DATABASE_AUTHORITY_FILE", "MIGRATION_DATABASE_USER", "MIGRATION_DATABASE_PASSWORD",
            ]
        ),
        (
            "the stack's brokers, and how services come to them",
            [
                "KAFKA_BOOTSTRAP_SERVERS", "KAFKA_KIND", "KAFKA_ACCESS_CONTROL", "KAFKA_SECURITY",
                "KAFKA_AUTHORITY_FILE",
                "KAFKA_CERTIFICATE_FILE", "KAFKA_USER", "KAFKA_PASSWORD",
            ]
        ),
        (
            "of each service another one (S3_SESSIONS_ACCESS_KEY and so on), which the stack gives to it by this name",
            ["S3_ACCESS_KEY", "S3_SECRET_KEY"]
        ),
        (
            "secrets that the stack makes",
            [
                "ANNOUNCEMENT_KEY", "ANNOUNCEMENT_KEYS", "OPERATOR_KEY_HASH", "GATEWAY_KEY_HASH", "KEY_ENCRYPTION_KEY",
                "UPLOAD_KEY", "WEBHOOK_KEY",
            ]
        ),
        (
            "the programs that open files, with their models and folders",
            [
                "PHOTO_HELPER", "PHOTO_SOCKET", "PHOTO_SCRATCH", "MEDIA_HELPER", "MEDIA_SOCKET", "SCRATCH_DIR",
                "MODELS_DIR",
                "MIRRORMATE_SPHINX_MODELS",
            ]
        ),
    ]
    private static let decidedNames = decided.reduce(into: Set<String>()) { $0.formUnion($1.names) }

    /// The one of them that has to be said: a local stack has an address by itself.
    private static let ofComposeAlone: Set<String> = ["PUBLIC_URL"]

    private struct Setting: Hashable {
        /// Who reads it; nil for every service.
        let reader: ServiceName?
        let name: String
        let isSecret: Bool
    }

    /// The rows of `docs/configuration.md`, which another test compares with the sources.
    private static func settings() throws -> [Setting] {
        var reader: ServiceName?
        var settings: [Setting] = []
        for line in try Checkout.text(of: "docs/configuration.md").split(separator: "\n") {
            if line.hasPrefix("## ") { reader = ServiceName(rawValue: String(line.dropFirst(3))) }
            guard let row = line.prefixMatch(of: #/\| `([A-Z0-9_]+)` \| ([^|]+) \|/#) else { continue }
            settings.append(Setting(reader: reader, name: String(row.1), isSecret: row.2 == "secret"))
        }
        return settings
    }

    /// The variables of a block of `docker-compose.yml` whose value comes from `.env`: it stands there, or nothing does.
    private static func fromEnvironment(_ block: String) throws -> Set<String> {
        let text = try Checkout.text(of: "docker-compose.yml")
        let start = try #require(
            text.firstRange(of: "\nx-\(block): &\(block)\n"), "docker-compose.yml has no x-\(block).")
        let lines = text[start.upperBound...].split(separator: "\n", omittingEmptySubsequences: false).prefix {
            !$0.isEmpty
        }
        return Set(
            lines.compactMap { line in
                guard let found = line.wholeMatch(of: #/ +([A-Z][A-Z0-9_]+):(.*)/#) else { return nil }
                let value = found.2.drop { $0 == " " }
                return value.isEmpty || value.contains("${\(found.1):") ? String(found.1) : nil
            })
    }

    /// What each service is handed by a list of `HandedOnSettings`, and all of them.
    private static func fromCaller() throws -> [ServiceName?: Set<String>] {
        let text = try Checkout.text(of: "Services/mirrormate/Local/HandedOnSettings.swift")
        func names(behind start: String) throws -> Set<String> {
            let start = try #require(text.firstRange(of: start), "HandedOnSettings has no list \(start)")
            let list = text[start.upperBound...].prefix { $0 != "]" }
            return Set(list.matches(of: #/"([A-Z0-9_]+)"/#).map { String($0.1) })
        }
        var found: [ServiceName?: Set<String>] = [.none: try names(behind: "everyService = [")]
        for service in ServiceName.allCases where text.contains(".\(service.rawValue): [") {
            found[service] = try names(behind: ".\(service.rawValue): [")
        }
        return found
    }

    private static func compose() throws -> [ServiceName?: Set<String>] {
        var found: [ServiceName?: Set<String>] = [
            .none: try fromEnvironment("environment").union(fromEnvironment("objects"))
        ]
        for service in ServiceName.allCases { found[service] = try fromEnvironment(service.rawValue) }
        return found
    }

    /// Whether the reader of a setting gets a variable. One that every service reads may be handed to those alone that do
    /// anything with it.
    private static func isHandedOn(
        _ name: String, to reader: ServiceName?, _ lists: [ServiceName?: Set<String>]
    ) -> Bool {
        if let reader { return lists[reader]?.contains(name) ?? false }
        return lists.values.contains { $0.contains(name) }
    }

    @Test func `reach the services, from the environment of Compose and of a local stack`() throws {
        let settings = try Self.settings()
        #expect(settings.count > 100)
        let (compose, local) = (try Self.compose(), try Self.fromCaller())
        for setting in settings where !Self.decidedNames.contains(setting.name) {
            // A secret lies in no environment of a container, but in a file that an override mounts.
            let name = setting.isSecret ? "\(setting.name)_FILE" : setting.name
            #expect(
                Self.isHandedOn(name, to: setting.reader, compose),
                "docker-compose.yml does not hand \(name) on: add `\(name):` to the environment of its service.")
            guard !Self.ofComposeAlone.contains(setting.name) else { continue }
            for name in Set([name, setting.name]) {
                #expect(
                    Self.isHandedOn(name, to: setting.reader, local),
                    "mirrormate up does not hand \(name) on: add it to HandedOnSettings.")
            }
        }
    }

    @Test func `are no others than those that services read, and none that a stack decides`() throws {
        let settings = try Self.settings()
        for name in Self.decidedNames {
            #expect(
                settings.contains { $0.name == name }, "\(name) is no setting any more: take it out of the exceptions.")
        }
        for (lists, areSecretsRefused) in [(try Self.compose(), true), (try Self.fromCaller(), false)] {
            for (reader, names) in lists {
                // Of the logs, before all others.
                for name in names where name != "LOG_LEVEL" {
                    let setting = settings.first {
                        ($0.reader == nil || $0.reader == reader)
                            && (name == $0.name || $0.isSecret && name == "\($0.name)_FILE")
                    }
                    guard let setting else {
                        Issue.record("\(reader?.rawValue ?? "Every service") gets \(name), which it does not read.")
                        continue
                    }
                    #expect(
                        !Self.decidedNames.contains(setting.name),
                        "\(name) is handed on, and stands among the exceptions.")
                    #expect(
                        !areSecretsRefused || !setting.isSecret || name.hasSuffix("_FILE"),
                        "\(name) is a secret: only the name of its file may come from .env.")
                }
            }
        }
    }
}
