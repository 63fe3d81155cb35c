import Glibc
import Primitives
import Runtime
import ServiceTesting
import TestingSupport

/// What opens pictures for a service under test: the media helper, or a shell script in its place with a chosen behaviour.
struct PhotoHelper {
    /// What the script does with every picture.
    enum Behaviour: String, CaseIterable {
        /// Makes ``photo``.
        case make
        /// Waits until it is let go on, and makes it then.
        case wait
        /// Finds that the picture cannot be read.
        case refuse
        /// Kills itself.
        case crash
        /// Ends well with something else.
        case babble
        /// Makes a JPEG that holds more than pixels.
        case plant
        /// Does not reach the server that would make it.
        case reachNobody
        /// Never ends, nor does what it starts.
        case hang

        fileprivate var script: String {
            switch self {
            case .make: Self.saying(PhotoHelper.photo)
            case .wait: "while [ ! -e \"$home/go\" ]; do sleep 0.02; done; " + Self.saying(PhotoHelper.photo)
            case .refuse: "echo '{\"error\":{\"code\":\"unreadable\",\"message\":\"No.\",\"retryable\":false}}'; exit 3"
            case .crash: "kill -9 $$"
            case .babble: "head -c 3000000 /dev/zero | tr '\\0' x"
            case .plant:
                Self.saying(
                    Pictures.jpeg(more: Pictures.segment(0xE1, Array("Exif\0\0".utf8) + Pictures.exif(orientation: 1))))
            case .reachNobody: "exit 69"
            case .hang: "echo $$ > \"$home/pid\"; trap '' TERM; while :; do sleep 1000 & wait; done"
            }
        }

        private static func saying(_ jpeg: [UInt8]) -> String {
            "echo '{\"result\":{\"jpeg\":\"\(Base64.encode(jpeg))\"}}'"
        }
    }

    /// What it makes of every picture.
    static let photo = Pictures.jpeg()

    private let folder = TemporaryFolder()
    /// The service's variables.
    let variables: [String: String]
    /// Where the service has its working files.
    var scratch: String { "\(folder.path)/scratch" }

    init(_ behaviour: Behaviour = .make) throws {
        variables = ["PHOTO_HELPER": "\(folder.path)/helper", "PHOTO_SCRATCH": "\(folder.path)/scratch"]
        try become(behaviour)
    }

    /// The helper itself; nil where it was not built with the tests.
    init?(real _: Void) {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count - 1)
        let own = String(decoding: buffer[..<max(count, 0)].map { UInt8(bitPattern: $0) }, as: UTF8.self)
        let program = "/" + own.split(separator: "/").dropLast().joined(separator: "/") + "/mirrormate-media"
        guard access(program, X_OK) == 0 else { return nil }
        variables = ["PHOTO_HELPER": program, "PHOTO_SCRATCH": "\(folder.path)/scratch"]
    }

    /// Behaves otherwise from now on.
    func become(_ behaviour: Behaviour) throws {
        let text = "#!/bin/sh\nhome=\(folder.path)\necho \"$@\" >> \"$home/runs\"\n\(behaviour.script)\n"
        let new = "\(folder.path)/helper.new"
        guard let file = fopen(new, "w") else { throw Failure() }
        fputs(text, file)
        fclose(file)
        guard chmod(new, 0o755) == 0, rename(new, "\(folder.path)/helper") == 0 else { throw Failure() }
    }

    /// Lets those go on that wait.
    func letGoOn() throws {
        guard let file = fopen("\(folder.path)/go", "w") else { throw Failure() }
        fclose(file)
    }

    /// The words with which it was started, a line each.
    var runs: [String] { lines("runs") }

    /// Whether one that hangs is still there.
    var isRunning: Bool {
        guard let process = lines("pid").first.flatMap({ pid_t($0) }) else { return false }
        return kill(process, 0) == 0
    }

    private func lines(_ name: String) -> [String] {
        guard let file = fopen("\(folder.path)/\(name)", "r") else { return [] }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
    }

    struct Failure: Error {}
}

/// Runs a test with an identity service that makes photos, by a script in the place of the helper.
@Loop func withPhotos(
    _ behaviour: PhotoHelper.Behaviour = .make, _ variables: [String: String] = [:], instances: Int = 1,
    _ body: @Loop (Fixture, PhotoHelper) async throws -> Void
) async throws {
    let helper = try PhotoHelper(behaviour)
    // Tests ask again and again until something is so.
    let many = ["LIMIT_ACCOUNT_CHANGES": "100000/1d"].merging(helper.variables) { $1 }
    try await withIdentity(many.merging(variables) { $1 }, instances: instances) { fixture in
        try await body(fixture, helper)
    }
}
