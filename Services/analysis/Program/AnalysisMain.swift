import ServiceKit
import analysis

@main enum AnalysisMain {
    static func main() async { await ServiceProgram.run(AnalysisService.self) }
}
