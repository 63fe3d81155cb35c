import ServiceKit
import sessions

@main enum SessionsMain {
    static func main() async { await ServiceProgram.run(SessionsService.self) }
}
