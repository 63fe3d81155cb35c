import Foundation
import MirrorMateClient

/// What the command line asks for.
struct Arguments {
    let server: URL
    let video: URL
    var signIn = SignIn.device
    var scenario = SessionWish.Scenario.general

    init(_ words: some Sequence<String>) throws(Usage) {
        var rest = Array(words)
        func take() throws(Usage) -> String {
            guard !rest.isEmpty else { throw Usage() }
            return rest.removeFirst()
        }
        guard let server = URL(string: try take()), server.scheme?.hasPrefix("http") == true else { throw Usage() }
        self.server = server
        video = URL(fileURLWithPath: try take())
        while !rest.isEmpty {
            switch try take() {
            case "--email":
                let password = ProcessInfo.processInfo.environment["MIRRORMATE_PASSWORD"] ?? ""
                signIn = .password(email: try take(), password: password)
            case "--google": signIn = .google(identityToken: try take(), nonce: nil)
            case "--apple": signIn = .apple(identityToken: try take(), nonce: nil, displayName: nil)
            case "--scenario":
                guard let named = SessionWish.Scenario(rawValue: try take()) else { throw Usage() }
                scenario = named
            default: throw Usage()
            }
        }
    }
}

struct Usage: Error {
    let text = """
        coach-sample SERVER VIDEO [--email ADDRESS | --google TOKEN | --apple TOKEN] [--scenario general|interview|pitch|casual]

        Sends a video (.mp4, .mov or .webm) to the server and prints its report. With --email the password is in
        MIRRORMATE_PASSWORD, tokens are identity tokens; without any of them it comes as an anonymous device.
        """
}
