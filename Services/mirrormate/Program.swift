import Glibc
import Primitives
import Processes
import Runtime

/// The command line tool `mirrormate`. What it can do stands in ``CommandTable``.
@main enum Program {
    static func main() async {
        var words = Array(CommandLine.arguments.dropFirst())
        var console = Console(Manner(takenFrom: &words))
        do throws(Failure) {
            switch try CommandTable.mirrormate.request(words, width: console.width) {
            case .help(let text, let isAsked):
                console.print(text)
                exit((isAsked ? ExitCode.success : .usage).rawValue)
            case .run(let entry, let arguments):
                // Before there is another thread, so that all of them get it.
                if entry.isPolite { _ = nice(10) }
                console.kind = entry.name
                console.place = arguments[Flags.state]
                let named = console
                let task = Loop.task { await run(entry, arguments, named) }
                exit(((try? await task.value) ?? .failure).rawValue)
            }
        } catch {
            console.show(error)
            // What was not understood of a command is about that command still.
            if let entry = try? CommandTable.mirrormate.find(words).entry { console.kind = entry.name }
            if words.prefix(while: { $0 != "--" }).contains(Flags.json.spelling.name) { console.answer(error) }
            exit(error.exit.rawValue)
        }
    }

    @Loop private static func run(_ entry: CommandEntry, _ arguments: Arguments, _ console: Console) async -> ExitCode {
        let failure: Failure
        do {
            return try await entry.run(arguments, console)
        } catch let stated as Failure {
            failure = stated
        } catch let error as ProcessError {
            failure = Failure(.failure, error.code, error.description, advice: "Then try again.")
        } catch {
            failure = Failure(
                .failure, "unexpected", "\(error)", advice: "Try again; `mirrormate status` says what runs.")
        }
        console.show(failure)
        if arguments[Flags.json] { console.answer(failure) }
        return failure.exit
    }
}
