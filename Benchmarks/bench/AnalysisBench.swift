import Glibc
import Runtime

/// The media helper's time for one minute of 1080p, relative to the minute.
@Loop enum AnalysisBench {
    private static let length = 60.0

    static func run(_ stage: Stage) async throws -> [Figure] {
        let command = "infra/bench analysis"
        let helper = "\(stage.root)/.build/release/mirrormate-media"
        let demo = "\(stage.root)/.mirrormate/demo/demo.mp4"
        let models = "\(stage.root)/.mirrormate/models"
        for (path, remedy) in [(helper, "make build"), (demo, "make video"), (models, "make models")]
        where access(path, R_OK) != 0 {
            return [
                Figure(
                    name: "analysis.time", value: nil, unit: "of the video's length", goal: .atMost(0.25),
                    command: command, note: "skipped: \(path) is missing; run \(remedy)")
            ]
        }
        print("analysis: three times a video of \(Int(length)) s, 1080p, 30 pictures a second …")
        let video = "\(stage.root)/.mirrormate/bench/minute.mp4"
        if access(video, R_OK) != 0 {
            try await Tool.run(
                "/usr/bin/ffmpeg",
                [
                    "-nostdin", "-v", "error", "-y", "-stream_loop", "-1", "-i", demo, "-t", "\(Int(length))",
                    "-vf", "scale=1920:1080,fps=30", "-c:v", "libx264", "-preset", "veryfast", "-b:v", "8M",
                    "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "64k", video,
                ])
        }
        var parts: [Double] = []
        for _ in 0..<3 {
            let scratch = "\(stage.root)/.mirrormate/bench/scratch"
            try await Tool.run("/bin/mkdir", ["-p", scratch])
            let start = monotonicNanoseconds()
            // Two cores, however many the machine has.
            let output = try await Tool.run(
                "/usr/bin/taskset",
                ["-c", "0,1", helper, "analyze", "--input", video, "--models", models, "--scratch", scratch])
            parts.append(Double(monotonicNanoseconds() - start) / 1e9 / length)
            try await Tool.run("/bin/rm", ["-rf", scratch])
            guard output.contains("{\"result\"") else { throw BenchError("The helper returned no result: \(output)") }
        }
        return [
            Figure(
                name: "analysis.time", value: parts.median, unit: "of the video's length", goal: .atMost(0.25),
                command: command, note: "on 2 cores, 60 s of 1080p30 at 8 Mbit/s; rounds \(parts.listed)")
        ]
    }
}
