import Glibc

/// Where a stack's programs and files are, from options and the environment.
struct Settings {
    /// The names of the services, in the order of the way of a request.
    static let services = ["identity", "sessions", "quota", "analysis", "reporting", "notifications"]

    /// The project's folder, which holds `infra/`.
    let home: String
    /// The folder with the services' executables.
    let programs: String
    /// Everything the stack keeps.
    let state: StateFolder
    /// What children get of the environment besides their own settings.
    let environment = Variables.inherited(["PATH", "HOME", "LANG", "TZ", "LOG_LEVEL"])

    init(_ arguments: Arguments, for use: StateFolder.Use = .change) throws(Failure) {
        guard let own = Files.program() else {
            throw Failure(.configuration, "proc", "/proc is not mounted.", advice: "Mount it, then try again.")
        }
        home = Variables["MIRRORMATE_HOME"] ?? "."
        let folder = arguments[Flags.bin] ?? Files.folder(of: own)
        programs = Files.absolute(folder) ?? folder
        state = try StateFolder(option: arguments[Flags.state], home: home, for: use)
    }

    /// The path of a file under `infra/`.
    func infra(_ name: String) throws(Failure) -> String {
        guard let path = Files.absolute("\(home)/infra/\(name)") else {
            throw Failure(
                .configuration, "home", "infra/\(name) was not found.",
                advice: "Use ./mirrormate in the project's folder, or set MIRRORMATE_HOME to that folder.")
        }
        return path
    }

    /// The path of one of our executables.
    func program(_ name: String) throws(Failure) -> String {
        let path = "\(programs)/\(name)"
        guard Files.isExecutable(path) else {
            throw Failure(
                .configuration, "not-built", "\(path) is missing.",
                advice: "Run `make build`, or name the folder of the executables with --bin DIR.")
        }
        return path
    }
}
