import ServiceKit

@main enum ReportingMain {
    static func main() async { await ServiceProgram.run(ReportingService.self) }
}
