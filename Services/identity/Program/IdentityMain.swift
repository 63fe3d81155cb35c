import ServiceKit
import identity

/// The process `identity`.
@main enum IdentityMain {
    static func main() async { await ServiceProgram.run(IdentityService.self) }
}
