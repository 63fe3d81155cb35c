/// What a shared card says: lines about somebody, for others.
extension English {
    func shared(_ key: Strength) -> String {
        switch key {
        case .facesCamera: "Speaks to the camera"
        case .comfortablePace: "Speaks at a pace that is easy to follow"
        case .usefulPauses: "Pauses where listeners need it"
        case .livelyMelody: "Has a lively voice"
        case .clearOpening: "Says early what it is about"
        case .clearClosing: "Brings it to a close"
        case .evenVolume: "Keeps a steady volume"
        case .calmHead: "Holds the head naturally"
        case .cleanSound: "Recorded with clean sound"
        case .goodPicture: "Recorded with a good picture"
        }
    }

    func shared(_ key: Area) -> String {
        switch key {
        case .noSound: "Getting the voice onto the recording"
        case .noSpeech, .drownedVoice: "Letting the microphone hear the voice"
        case .littleSpeech: "Speaking for half a minute or longer"
        case .unseenFace: "Getting the face into the picture"
        case .unlitFace, .darkFace: "Bringing light to the face"
        case .secondFace: "Being alone in the picture"
        case .outOfPicture: "Staying in front of the camera"
        case .turnedAway: "Looking into the lens"
        case .backlight: "Turning to the light"
        case .smallFace: "Coming closer to the camera"
        case .blurredFace: "Getting a sharp picture"
        case .cutFace: "Moving to the middle of the picture"
        case .overdriven: "Moving away from the microphone"
        case .noisy: "Recording somewhere quieter"
        case .quiet: "Being louder on the recording"
        case .tooFast: "Slowing down"
        case .tooSlow: "Picking up the pace"
        case .noPauses: "Making pauses"
        case .longPauses: "Making shorter pauses"
        case .shortPauses: "Giving pauses more time"
        case .restlessPauses: "Making fewer and clearer pauses"
        case .flatVoice: "Putting more melody into the voice"
        case .waveringVolume: "Keeping the volume steady"
        case .fillers: "Leaving out filler words"
        case .restlessHead: "Holding the head calmly"
        case .stillFace: "Letting the face speak too"
        case .slumpedPosture: "Holding upright and open"
        case .stiffGestures: "Letting the hands go with the words"
        case .hedges: "Saying plainly what is meant"
        case .opinionPhrases: "Leaving out phrases such as “I think”"
        case .repeatedOpenings: "Starting sentences in different ways"
        case .longSentences: "Making sentences shorter"
        case .gettingFaster: "Keeping the pace to the end"
        case .fadingEnd: "Keeping the energy to the last word"
        case .breathless: "Making pauses, which also brings the pace down"
        case .draggingPauses: "Making shorter pauses, which also brings the pace up"
        case .fillerStops: "Stopping only where a sentence ends, without a filler word"
        }
    }
}
