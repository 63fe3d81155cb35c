import ServiceKit
import reporting

@main enum ReportingMain {
    static func main() async { await ServiceProgram.run(ReportingService.self) }
}
