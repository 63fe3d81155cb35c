import ServiceKit
import quota

@main enum QuotaMain {
    static func main() async { await ServiceProgram.run(QuotaService.self) }
}
