import Processes

/// The environment that services read, as documented in the README.
struct ServiceEnvironment {
    private static let mail = ["MAIL_URL", "MAIL_FROM", "MAIL_PASSWORD", "MAIL_PASSWORD_FILE", "MAIL_CA_FILE"]

    let settings: Settings
    let database: (socket: String, port: UInt16)
    let kafka: (kind: Broker.Kind, bootstrap: String)
    let publicURL: String

    /// The command that serves; with the ports of one copy.
    func serve(_ service: String, port: UInt16, adminPort: UInt16) throws(Failure) -> Command {
        var command = Command(try settings.program(service), ["serve"], environment: try common(service))
        command.environment["HTTP_HOST"] = "127.0.0.1"
        command.environment["HTTP_PORT"] = "\(port)"
        command.environment["ADMIN_HOST"] = "127.0.0.1"
        command.environment["ADMIN_PORT"] = "\(adminPort)"
        if let documents = Files.absolute("\(settings.home)/docs") { command.environment["API_DOCUMENTS"] = documents }
        return command
    }

    /// The command that brings the service's schema up to date, as the owner of the database.
    func migrate(_ service: String) throws(Failure) -> Command {
        var command = Command(try settings.program(service), ["migrate"], environment: try common(service))
        command.environment["MIGRATION_DATABASE_USER"] = "postgres"
        command.environment["MIGRATION_DATABASE_PASSWORD_FILE"] = try settings.state.secret("db-admin")
        return command
    }

    /// The command that makes the service's topic.
    func topics(_ service: String) throws(Failure) -> Command {
        Command(try settings.program(service), ["topics"], environment: try common(service))
    }

    /// A command of the service for operators.
    func operate(_ service: String, _ words: [String]) throws(Failure) -> Command {
        Command(try settings.program(service), words, environment: try common(service))
    }

    /// The command by which the service checks what it needs.
    func check(_ service: String) throws(Failure) -> Command {
        var command = Command(try settings.program(service), ["check"], environment: try common(service))
        command.environment["LOG_LEVEL"] = "error"
        return command
    }

    private func common(_ service: String) throws(Failure) -> [String: String] {
        let state = settings.state
        var values = settings.environment
        values["DATABASE_HOST"] = database.socket
        values["DATABASE_PORT"] = "\(database.port)"
        values["DATABASE_NAME"] = "mirrormate"
        values["DATABASE_USER"] = service
        values["DATABASE_PASSWORD_FILE"] = try state.secret("db-\(service)")
        values["KAFKA_BOOTSTRAP_SERVERS"] = kafka.bootstrap
        values["KAFKA_KIND"] = kafka.kind == .development ? "development" : "apache"
        values["PUBLIC_URL"] = publicURL
        values["OPERATOR_KEY_FILE"] = try state.secret("operator-key")
        let announcementKey = try state.announcementKey()
        values["ANNOUNCEMENT_KEYS_FILE"] = state.announcementKeys
        switch service {
        case "identity":
            values["ANNOUNCEMENT_KEY_FILE"] = announcementKey
            values["KEY_ENCRYPTION_KEY_FILE"] = try state.secret("key-encryption-key")
            // A developer's own mail server, or a file for each mail.
            for name in Self.mail { values[name] = Variables[name] }
            if values["MAIL_URL"] == nil { values["MAIL_URL"] = "file://\(state.path)/mail" }
        case "sessions":
            values.merge(objects) { $1 }
            values["UPLOAD_KEY_FILE"] = try state.secret("upload-key")
            values.merge(Variables.inherited(["KINDS_FILE"])) { $1 }
        case "quota":
            values.merge(Variables.inherited(["PLANS_FILE"])) { $1 }
        case "analysis":
            values.merge(objects) { $1 }
            values["SCRATCH_DIR"] = "\(state.path)/scratch"
            values["MODELS_DIR"] = "\(state.path)/models"
            values["MEDIA_HELPER"] = "\(settings.programs)/mirrormate-media"
        case "reporting":
            values.merge(objects) { $1 }
        default: break
        }
        return values
    }

    /// Where the objects lie: as the caller's environment says, else in the state folder.
    private var objects: [String: String] {
        var values = Variables.inherited([
            "OBJECT_STORE", "S3_ENDPOINT", "S3_REGION", "S3_ADDRESSING", "S3_ACCESS_KEY", "S3_SECRET_KEY",
            "S3_SECRET_KEY_FILE",
        ])
        if values["OBJECT_STORE"] == nil { values["OBJECT_STORE"] = "file://\(settings.state.path)/objects" }
        return values
    }
}
