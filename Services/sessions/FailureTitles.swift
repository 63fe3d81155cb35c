import Contracts

extension FailureCode {
    /// What people read about the failure, with what they can do.
    var title: String {
        switch rawValue {
        case "no-video": "The file has no picture. Record a video and try again."
        case "unreadable": "The file cannot be read as a video. Record it again."
        case "ends-early": "The video ends early: a part of it is missing. Upload it again, or record it again."
        case "too-long": "The video is too long. Record a shorter one."
        case "too-short": "The video is too short. Speak for at least three seconds."
        case "no-speech": "Nobody can be heard speaking. Check the microphone, speak towards it, and record again."
        case "no-sound":
            "The recording has no sound. See that the microphone is on and the app may use it, and record again."
        case "black-picture": "The picture is black. Uncover the camera, turn a light on, and record again."
        case "too-large-picture": "The picture is too large. Record in 4K or less."
        case "unsupported-codec":
            "The format of its picture or sound is not supported. Record it as MP4 with H.264 and AAC."
        case "media-missing": "The recording is gone. Record it again."
        case "processing-timeout": "The analysis took too long. Try again."
        default: "The analysis did not succeed. Try again."
        }
    }
}
