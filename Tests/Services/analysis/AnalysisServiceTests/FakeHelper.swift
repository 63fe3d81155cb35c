import Glibc
import JSON
import Primitives
import Processes

@testable import analysis

/// A stand-in for the media helper: a shell script with a chosen behaviour, in a folder that is removed with it.
struct FakeHelper {
    /// What it does when it is told to analyze.
    enum Behaviour {
        /// Finds something, after all its stages.
        case succeed
        /// Says why the file can never be analyzed.
        case refuse(code: String)
        /// Kills itself in the middle.
        case crash
        /// Says one stage and nothing more; its own child too.
        case hang
        /// Exits with 0 and no readable output.
        case babble
        /// Says the same stage a hundred thousand times, and then what it found.
        case repeatItself
        /// Ends well with a document in which nobody speaks.
        case hearNothing
        /// Ends well with a document that lacks what a report needs.
        case findNothing
        /// Does not reach the server that would measure.
        case reachNobody

        fileprivate var script: String {
            switch self {
            case .succeed: "stages; echo '{\"result\":'\"$(cat \"$home/result.json\")\"'}'"
            case .refuse(let code):
                "echo '{\"error\":{\"code\":\"\(code)\",\"message\":\"No.\",\"retryable\":false}}'; exit 3"
            case .crash: "echo '{\"stage\":\"probe\"}'; kill -9 $$"
            case .hang:
                "echo '{\"stage\":\"probe\"}'; echo $$ > \"$home/pid.new\"; mv \"$home/pid.new\" \"$home/pid\"; sleep 600"
            case .babble: "head -c 3000000 /dev/zero | tr '\\0' x; echo; echo '{\"result\"'"
            case .repeatItself:
                "yes '{\"stage\":\"probe\"}' | head -n 100000; stages; echo '{\"result\":'\"$(cat \"$home/result.json\")\"'}'"
            case .hearNothing:
                """
                stages; echo '{"result":{"durationMs":9000,"soundPromised":true,"measures":{"wordCount":{"value":null,\
                "unit":"words","source":"model","valid":false,"reason":"no-speech"}},"fillers":null}}'
                """
            case .reachNobody: "exit 69"
            case .findNothing: "echo '{\"result\":{\"durationMs\":3}}'"
            }
        }
    }

    /// The test's own folder for everything that it writes; remove it with ``remove()``.
    let home: String
    var program: String { "\(home)/helper" }

    init(_ behaviour: Behaviour) throws {
        var template = Array("/tmp/mirrormate-analysis-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure() }
        home = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        try write("result.json", Self.result)
        try become(behaviour)
    }

    /// Behaves otherwise from now on.
    func become(_ behaviour: Behaviour) throws {
        try write(
            "helper",
            """
            #!/bin/sh
            home=\(home)
            [ "$1" = sound ] && { echo "$*" >> "$home/sounds"; echo '\(sound)'; exit 0; }
            [ "$1" = frames ] && { echo "$*" >> "$home/frames"; echo '\(frames)'; exit 0; }
            [ "$1" = analyze ] || { echo '{"asr":"none"}'; exit 0; }
            echo "$*" >> "$home/runs"
            for word; do [ "$last" = --words ] && cp "$word" "$home/words"; last=$word; done
            stages() { for stage in probe decode speech voice picture; do echo '{"stage":"'$stage'"}'; done; }
            \(behaviour.script)

            """)
        chmod(program, 0o755)
    }

    /// What it says when it is told to take the sound out.
    private var sound: String { "{\"result\":{\"ogg\":\"T2dnUw==\",\"durationMs\":30000}}" }

    /// What it says when it is told to take pictures out.
    private var frames: String {
        "{\"result\":{\"frames\":[{\"atMs\":3000,\"jpeg\":\"/9j/4AAB/9k=\"},{\"atMs\":9000,\"jpeg\":\"/9j/4AAC/9k=\"}]}}"
    }

    /// How often it was told to take pictures out.
    var pictures: Int { text("frames").utf8.filter { $0 == UInt8(ascii: "\n") }.count }

    /// How often it was told to take the sound out.
    var sounds: Int { text("sounds").utf8.filter { $0 == UInt8(ascii: "\n") }.count }

    /// The words that it was given last; empty when it was to find them itself.
    var words: String { text("words") }

    /// What it was told each time when it was to analyze.
    var orders: String { text("runs") }

    /// How often it was told to analyze.
    var runs: Int { orders.utf8.filter { $0 == UInt8(ascii: "\n") }.count }

    /// The process that hangs, once it does.
    var hangingProcess: Int32? { Int32(text("pid").prefix { $0 != "\n" }) }

    func remove() { ScratchSpace.removeAll(home) }

    struct Failure: Error {}

    func write(_ name: String, _ text: String) throws {
        let temporary = "\(home)/.\(name)"
        guard let file = fopen(temporary, "w") else { throw Failure() }
        fputs(text, file)
        fclose(file)
        guard rename(temporary, "\(home)/\(name)") == 0 else { throw Failure() }
    }

    /// The first 64 KiB of a file in its folder.
    func text(_ name: String) -> String {
        guard let file = fopen("\(home)/\(name)", "r") else { return "" }
        defer { fclose(file) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        let count = fread(&buffer, 1, buffer.count, file)
        return String(decoding: buffer[..<count], as: UTF8.self)
    }

    /// A word that no recording contains, to be searched for where no words may be.
    static let spokenWord = "xylophonic"

    /// What it finds when it succeeds.
    var found: JSONObject { get throws { try JSONObject.parse(Self.result.utf8) } }

    private static let result: String = {
        let words = (0..<30).map {
            "{\"w\":\"\(spokenWord)\",\"start\":\(Double($0) * 0.4),\"end\":\(Double($0) * 0.4 + 0.3)}"
        }
        return """
            {"durationMs":12000,"video":{"width":640,"height":360},\
            "engines":{"asr":"moonshine","face":"dlib-hog 19.24","thresholds":3},\
            "transcript":{"text":"\(spokenWord) \(spokenWord)","words":[\(words.joined(separator: ","))],\
            "lowConfidence":false},\
            "measures":{"paceWordsPerMin":{"value":150,"unit":"words/min","source":"model","valid":true}},\
            "fillers":{},"fillersAtLeast":true,"toneTimeline":[],"pauses":[],"warnings":[]}
            """
    }()
}
