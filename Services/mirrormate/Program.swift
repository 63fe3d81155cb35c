import Glibc
import Primitives
import Processes
import Runtime

/// The command line tool `mirrormate`. What it can do stands in ``CommandTable``.
@main enum Program {
    static func main() async {
        let console = Console()
        do throws(Failure) {
            let words = Array(CommandLine.arguments.dropFirst())
            switch try CommandTable.mirrormate.request(words, width: console.width) {
            case .help(let text, let isAsked):
                console.print(text)
                exit((isAsked ? ExitCode.success : .usage).rawValue)
            case .run(let entry, let arguments):
                // Before there is another thread, so that all of them get it.
                if entry.isPolite { _ = nice(10) }
                let task = Loop.task { await run(entry, arguments, console) }
                exit(((try? await task.value) ?? .failure).rawValue)
            }
        } catch {
            console.show(error)
            exit(error.exit.rawValue)
        }
    }

    @Loop private static func run(_ entry: CommandEntry, _ arguments: Arguments, _ console: Console) async -> ExitCode {
        do {
            return try await entry.run(arguments, console)
        } catch let failure as Failure {
            console.show(failure)
            return failure.exit
        } catch let error as ProcessError {
            console.show(Failure(.failure, error.code, error.description, advice: "Then try again."))
            return .failure
        } catch {
            console.show(
                Failure(.failure, "unexpected", "\(error)", advice: "Try again; `mirrormate status` says what runs."))
            return .failure
        }
    }
}
