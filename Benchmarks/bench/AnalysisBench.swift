import Glibc
import Runtime

/// The media helper's time for one minute of 1080p, relative to the minute: as browsers and most phones record it, and as
/// iPhones do, whose pictures take longer to decode.
@Loop enum AnalysisBench {
    private static let length = 60.0

    /// How a video is recorded, and what its analysis may take.
    private struct Form {
        let figure: String
        let codec: String
        let file: String
        let encoding: [String]
        let most: Double
    }

    private static let forms = [
        Form(
            figure: "analysis.time", codec: "H.264", file: "minute.mp4", encoding: ["-c:v", "libx264"], most: 0.25),
        Form(
            figure: "analysis.time.hevc", codec: "HEVC", file: "minute-hevc.mp4",
            encoding: ["-c:v", "libx265", "-x265-params", "log-level=none", "-tag:v", "hvc1"], most: 0.35),
    ]

    static func run(_ stage: Stage) async throws -> [Figure] {
        let command = "infra/bench analysis"
        let helper = "\(stage.root)/.build/release/mirrormate-media"
        let demo = "\(stage.root)/.mirrormate/demo/demo.mp4"
        let models = "\(stage.root)/.mirrormate/models"
        for (path, remedy) in [(helper, "make build"), (demo, "make video"), (models, "make models")]
        where access(path, R_OK) != 0 {
            return forms.map { form in
                Figure(
                    name: form.figure, value: nil, unit: "of the video's length", goal: .atMost(form.most),
                    command: command, note: "skipped: \(path) is missing; run \(remedy)")
            }
        }
        var figures: [Figure] = []
        for form in forms {
            print("analysis: three times a video of \(Int(length)) s, \(form.codec), 1080p, 30 pictures a second …")
            let video = "\(stage.root)/.mirrormate/bench/\(form.file)"
            if access(video, R_OK) != 0 { try await make(video, of: demo, as: form) }
            let parts = try await rounds(of: video, helper, models, scratch: "\(stage.root)/.mirrormate/bench/scratch")
            figures.append(
                Figure(
                    name: form.figure, value: parts.median, unit: "of the video's length", goal: .atMost(form.most),
                    command: command,
                    note: "on 2 cores, 60 s of \(form.codec), 1080p30 at 8 Mbit/s; rounds \(parts.listed)"))
        }
        return figures
    }

    private static func make(_ video: String, of demo: String, as form: Form) async throws {
        let source = ["-nostdin", "-v", "error", "-y", "-stream_loop", "-1", "-i", demo, "-t", "\(Int(length))"]
        let picture = ["-vf", "scale=1920:1080,fps=30", "-preset", "veryfast", "-b:v", "8M", "-pix_fmt", "yuv420p"]
        try await Tool.run("/usr/bin/ffmpeg", source + form.encoding + picture + ["-c:a", "aac", "-b:a", "64k", video])
    }

    /// What each of three analyses took of the video's length.
    private static func rounds(
        of video: String, _ helper: String, _ models: String, scratch: String
    ) async throws -> [Double] {
        var parts: [Double] = []
        for _ in 0..<3 {
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
        return parts
    }
}
