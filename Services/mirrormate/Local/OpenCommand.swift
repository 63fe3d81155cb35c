import JSON
import Runtime

/// `mirrormate open`: where the page, the description of the API and the rest of a running stack are.
@Loop struct OpenCommand {
    /// What can be opened, with its path behind the stack's address.
    nonisolated static let places: [(name: String, path: String, meaning: String)] = [
        ("page", "/", "the app page"), ("docs", "/docs", "the API, for people"),
        ("openapi", "/openapi.json", "the API, for programs"),
    ]

    private let arguments: Arguments
    private let console: Console

    init(_ arguments: Arguments, _ console: Console) {
        self.arguments = arguments
        self.console = console
    }

    func run() async throws -> ExitCode {
        try ComposeDeployment.refuse("open", instead: "The address is PUBLIC_URL in .env.")
        let stack = Stack(try Settings(arguments, for: .look), console)
        guard !stack.record.ports.isEmpty else {
            throw Failure(
                .unavailable, "never-started", "No stack was ever started here.", advice: "`mirrormate up` starts one.")
        }
        if let trouble = StackPart(name: "gateway", state: stack.settings.state).trouble {
            throw Failure(.unavailable, "not-up", "\(trouble.sentence).", advice: trouble.advice)
        }
        if arguments[Flags.json] {
            let places = Self.places.map { (name: $0.name, url: stack.url + $0.path) }
            console.answer(.object(.init(places.map { ($0.name, .string($0.url)) })))
        } else if let wanted = arguments[Operands.openPlace] {
            let path = Self.places.first { $0.name == wanted }?.path ?? "/"
            console.print(stack.url + path)
        } else {
            var table = Columns(["", "", ""])
            for place in Self.places { table.add([place.name, stack.url + place.path, place.meaning]) }
            console.print(String(table.text(console.style).drop { $0 != "\n" }.dropFirst()))
        }
        return .success
    }
}
