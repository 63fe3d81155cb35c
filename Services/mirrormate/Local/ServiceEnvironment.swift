import Kafka
import Processes
import Runtime

/// The environment that services get from a local stack; `docs/configuration.md` says what each variable means.
@Loop struct ServiceEnvironment {
    let settings: Settings
    let database: (socket: String, port: UInt16)
    let kafka: (kind: Broker.Kind, bootstrap: String)
    let publicURL: String
    /// What each service has as a user of its own; nil when all run as the caller.
    let homes: PartHomes?
    /// The proxy through which services ask what is outside; nil for none.
    var proxy: String?

    /// The command that serves; with the ports of one copy.
    func serve(_ service: String, port: UInt16, adminPort: UInt16) throws(Failure) -> Command {
        var command = Command(try settings.program(service), ["serve"], environment: try common(service))
        command.environment["HTTP_HOST"] = "127.0.0.1"
        command.environment["HTTP_PORT"] = "\(port)"
        command.environment["ADMIN_HOST"] = "127.0.0.1"
        // The gateway, on the same machine.
        command.environment["TRUSTED_PROXIES"] = "127.0.0.1"
        command.environment["ADMIN_PORT"] = "\(adminPort)"
        if WayOut.users.contains(service) { command.environment["https_proxy"] = proxy }
        if let documents = Files.absolute("\(settings.home)/docs") { command.environment["API_DOCUMENTS"] = documents }
        return try own(command, service)
    }

    /// The command that brings the service's schema up to date, as the owner of the database.
    func migrate(_ service: String) throws(Failure) -> Command {
        var command = Command(try settings.program(service), ["migrate"], environment: try common(service))
        command.environment["MIGRATION_DATABASE_USER"] = "postgres"
        command.environment["MIGRATION_DATABASE_PASSWORD_FILE"] = try settings.state.secret("db-admin")
        return try job(command, service)
    }

    /// The command that makes the service's topic.
    func topics(_ service: String) throws(Failure) -> Command {
        try job(Command(try settings.program(service), ["topics"], environment: try common(service)), service)
    }

    /// A command of the service for operators.
    func operate(_ service: String, _ words: [String]) throws(Failure) -> Command {
        try own(Command(try settings.program(service), words, environment: try common(service)), service)
    }

    /// The command by which the service checks what it needs.
    func check(_ service: String) throws(Failure) -> Command {
        var command = Command(try settings.program(service), ["check"], environment: try common(service))
        command.environment["LOG_LEVEL"] = "error"
        return try own(command, service)
    }

    /// The command as the service's own user, where services have one.
    private func own(_ command: Command, _ service: String) throws(Failure) -> Command {
        guard let homes else { return command }
        return try homes.command(command, as: PartUser.service(service), named: service)
    }

    /// The command as the user of jobs: it may have the administrator's password, which no service gets.
    private func job(_ command: Command, _ service: String) throws(Failure) -> Command {
        guard let homes else { return command }
        return try homes.command(command, as: PartUser.jobs, named: "jobs-\(service)")
    }

    /// The folder that holds what services write.
    private var data: String { homes?.folder ?? settings.state.path }

    private func common(_ service: String) throws(Failure) -> [String: String] {
        let state = settings.state
        var values = settings.environment
        values.merge(Variables.inherited(HandedOnSettings.of(service))) { $1 }
        values["DATABASE_HOST"] = database.socket
        values["DATABASE_PORT"] = "\(database.port)"
        values["DATABASE_NAME"] = "mirrormate"
        values["DATABASE_USER"] = service
        values["DATABASE_PASSWORD_FILE"] = try state.secret("db-\(service)")
        values["KAFKA_BOOTSTRAP_SERVERS"] = kafka.bootstrap
        values["KAFKA_KIND"] = kafka.kind == .development ? "development" : "apache"
        if kafka.kind == .external { values.merge(Variables.inherited(KafkaSecurity.variables)) { $1 } }
        values["PUBLIC_URL"] = publicURL
        values["OPERATOR_KEY_HASH"] = try state.hash(ofSecret: "operator-key")
        values["GATEWAY_KEY_HASH"] = try state.hash(ofSecret: "gateway-\(service)")
        let announcementKey = try state.announcementKey()
        values["ANNOUNCEMENT_KEYS_FILE"] = state.announcementKeys
        switch service {
        case "identity":
            values.merge(try objects(service)) { $1 }
            values["ANNOUNCEMENT_KEY_FILE"] = announcementKey
            values["KEY_ENCRYPTION_KEY_FILE"] = try state.secret("key-encryption-key")
            // A developer's own mail server, or a file for each mail.
            if values["MAIL_URL"] == nil { values["MAIL_URL"] = "file://\(data)/mail" }
            values["PHOTO_SCRATCH"] = "\(data)/photos"
            (values["PHOTO_HELPER"], values["PHOTO_SOCKET"]) = mediaHelper(.identity)
        case "sessions":
            values.merge(try objects(service)) { $1 }
            values["UPLOAD_KEY_FILE"] = try state.secret("upload-key")
            // Everybody here is of one network.
            values["NETWORK_ANALYSES"] = values["NETWORK_ANALYSES"] ?? "1000"
            values["REFUSED_CREATIONS"] = values["REFUSED_CREATIONS"] ?? "1000"
            // Mails are files here, and nobody reads them.
            values["CONFIRM_ADDRESS"] = values["CONFIRM_ADDRESS"] ?? "false"
        case "quota":
            values.merge(try objects(service)) { $1 }
        case "analysis":
            values.merge(try objects(service)) { $1 }
            values["SCRATCH_DIR"] = "\(data)/scratch"
            values["MODELS_DIR"] = "\(state.path)/models"
            (values["MEDIA_HELPER"], values["MEDIA_SOCKET"]) = mediaHelper(.analysis)
        case "reporting":
            values.merge(try objects(service)) { $1 }
        case "notifications":
            values["WEBHOOK_KEY_FILE"] = try state.secret("webhook-key")
            // Whoever develops has their receivers here.
            values["WEBHOOK_LOCAL_RECEIVERS"] = values["WEBHOOK_LOCAL_RECEIVERS"] ?? "true"
        default: break
        }
        return values
    }

    /// What opens files for a service: the helper itself, or the client of the server that does it as nobody.
    private func mediaHelper(_ service: MediaService) -> (program: String, socket: String?) {
        guard let homes else { return ("\(settings.programs)/mirrormate-media", nil) }
        return (
            "\(settings.programs)/mirrormate-media-client", MediaServer.socket(in: homes.folder, for: service)
        )
    }

    /// Where the objects lie: as the caller's environment says, else in the state folder.
    private func objects(_ service: String) throws(Failure) -> [String: String] {
        var values = try ObjectKeys.of(service)
        if Variables["OBJECT_STORE"] == nil { values["OBJECT_STORE"] = "file://\(data)/objects" }
        return values
    }
}
