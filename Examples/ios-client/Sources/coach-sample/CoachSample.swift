import Foundation
import MirrorMateClient

/// From a video file to its report, at the command line.
@main
struct CoachSample {
    static func main() async {
        do {
            let wish = try Arguments(CommandLine.arguments.dropFirst())
            let coach = MirrorMate(at: wish.server, keeping: MemoryTokenStore())
            let user = try await coach.signIn(wish.signIn)
            note("signed in as \(user.email ?? "an anonymous device")")
            let meter = Meter()
            let report = try await coach.report(on: try Video(wish.video), scenario: wish.scenario) { meter.show($0) }
            print(Page.text(of: report))
            print(Page.text(of: try await coach.history(), try await coach.progress()))
            print(Page.text(of: try await coach.goals(), try await coach.quota()))
        } catch let usage as Usage {
            end(64, usage.text)
        } catch let problem as Problem {
            end(1, "\(problem.title). \(problem.detail) (\(problem.code.rawValue))")
        } catch {
            end(1, error.localizedDescription)
        }
    }

    private static func end(_ code: Int32, _ text: String) -> Never {
        note("coach-sample: \(text)")
        exit(code)
    }
}

/// Says something beside the report.
func note(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data((text + "\n").utf8))
}
