import Glibc

/// How a client and the database server know each other.
package enum PostgresSecurity: Sendable, Equatable {
    /// Encrypted when the server can, without a look at who it is: enough where nobody sits between.
    case preferred
    /// Encrypted, and the server shows a certificate of the authority in the PEM file, for the name that it is reached by.
    case verified(authority: String)

    fileprivate var keywords: [(String, String)] {
        switch self {
        case .preferred: [("sslmode", "prefer")]
        case .verified(let authority): [("sslmode", "verify-full"), ("sslrootcert", authority)]
        }
    }
}

/// How to connect to a PostgreSQL database.
package struct PostgresSettings: Sendable {
    /// A host name or address; if it begins with a slash, the folder of a Unix socket.
    package var host: String
    package var port: Int
    package var database: String
    package var user: String
    /// Empty if the server requires none.
    package var password: String
    /// A file that holds the password; read for every connection, so that a change needs no restart. Takes precedence over
    /// ``password``.
    package var passwordFile: String?
    package var security = PostgresSecurity.preferred
    /// The service and the purpose of the connection, as shown in `pg_stat_activity`.
    package var applicationName: String
    /// Settings applied at the start of the session, such as `search_path` or the row-level security scope.
    package var parameters: [(name: String, value: String)] = []
    /// How long connecting may take.
    package var connectDeadline: Duration = .seconds(10)
    /// How long one statement may take, measured here; the role's `statement_timeout` should be shorter.
    package var statementDeadline: Duration = .seconds(40)

    package init(
        host: String, port: Int, database: String, user: String, password: String, applicationName: String
    ) {
        self.host = host
        self.port = port
        self.database = database
        self.user = user
        self.password = password
        self.applicationName = applicationName
    }

    /// These settings with one more session parameter.
    package func with(_ name: String, _ value: String) -> PostgresSettings {
        var copy = self
        copy.parameters.append((name, value))
        return copy
    }

    /// libpq's keywords and values, in order.
    var keywords: [(String, String)] {
        var result = [
            ("host", host), ("port", String(port)), ("dbname", database), ("user", user),
            ("application_name", applicationName), ("client_encoding", "UTF8"), ("gssencmode", "disable"),
            ("tcp_user_timeout", "30000"), ("keepalives_idle", "30"),
        ]
        result += security.keywords
        let password = passwordFile.flatMap(Self.firstLine) ?? password
        if !password.isEmpty { result.append(("password", password)) }
        if !parameters.isEmpty {
            // Options are separated by spaces; a backslash escapes one within a value.
            let options = parameters.map { parameter in
                var value = ""
                for character in parameter.value {
                    if character == " " || character == "\\" { value.append("\\") }
                    value.append(character)
                }
                return "-c \(parameter.name)=\(value)"
            }
            result.append(("options", options.joined(separator: " ")))
        }
        return result
    }

    private static func firstLine(of path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes = [UInt8](repeating: 0, count: 1_024)
        let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        let line = bytes.prefix(max(0, count)).prefix { $0 != 0x0A && $0 != 0x0D }
        return line.isEmpty ? nil : String(validating: line, as: UTF8.self)
    }
}
