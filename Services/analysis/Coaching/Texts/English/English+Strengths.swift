extension English {
    func strength(_ key: Strength) -> [String] {
        switch key {
        case .facesCamera:
            [
                "You faced the camera {eyeContactPct:time}, so viewers feel that you are speaking to them.",
                "Your face was turned to the camera {eyeContactPct:time}: viewers feel addressed.",
                "You spoke to the camera {eyeContactPct:time}, which is what makes a video feel like a conversation.",
            ]
        case .comfortablePace:
            [
                "At {paceWordsPerMin} words a minute you were easy to follow.",
                "You spoke {paceWordsPerMin} words a minute, a speed at which listeners keep up without effort.",
                "Your speed of {paceWordsPerMin} words a minute suits listeners well.",
            ]
        case .usefulPauses:
            [
                "Your pauses last {pauseMeanSeconds:seconds} on average: long enough to let a thought sink in, short enough to keep attention.",
                "You gave listeners time to think: {pauseCount:pauses}, {pauseMeanSeconds:seconds} on average.",
                "You paused {pauseCount:times}, {pauseMeanSeconds:seconds} on average, and that gives what you say a clear structure.",
            ]
        case .livelyMelody:
            [
                "Your voice rises and falls, which keeps people listening.",
                "There is melody in your voice: its tones lie about {pitchRangeSemitones:keys} of a piano apart, and that sounds alive.",
                "You let your voice go up and down, so it never sounds read out.",
            ]
        case .evenVolume:
            [
                "You were equally easy to hear from the first sentence to the last.",
                "Your voice kept its strength throughout; no words got lost.",
                "You held your volume steady, so nobody has to strain to hear you.",
            ]
        case .calmHead:
            [
                "Your head moved naturally, neither stiff nor restless.",
                "You moved your head the way people do when they mean what they say.",
            ]
        case .cleanSound:
            [
                "The sound is clean: your voice stands well clear of the background.",
                "Your voice is recorded clearly, with hardly any noise behind it.",
            ]
        case .goodPicture:
            [
                "The picture is good: your face is well lit, sharp and large enough.",
                "You set up the camera well: your face is bright, sharp and fully in the picture.",
            ]
        }
    }

    func name(_ key: Strength) -> String {
        switch key {
        case .facesCamera: "the way you face the camera"
        case .comfortablePace: "your comfortable pace"
        case .usefulPauses: "your pauses"
        case .livelyMelody: "the melody of your voice"
        case .evenVolume: "your steady volume"
        case .calmHead: "the calm way you hold your head"
        case .cleanSound: "the clean sound"
        case .goodPicture: "the good picture"
        }
    }

    func feedback(_ key: FeedbackKey) -> [String] {
        switch key {
        case .flawless:
            [
                "This is a strong recording, and nothing in it needs repair.",
                "This is a strong recording: nothing stands out that you would have to change.",
            ]
        case .strong:
            ["This is a strong recording.", "This recording works: most of it is as it should be."]
        case .good:
            ["This is a good recording.", "This recording has a lot going for it."]
        case .mixed:
            ["Parts of this recording work and others get in their way.", "This recording is halfway there."]
        case .weak:
            [
                "This recording does not show you at your best yet.",
                "This recording can become much better.",
            ]
        case .unscored: ["There is no score this time, because {reason}."]
        case .strengths:
            ["What works well: {strengths}.", "Hold on to {strengths}.", "Build on {strengths}."]
        case .step:
            [
                "The one thing to work on first is {step}.",
                "Work on one thing first: {step}.",
                "The biggest gain now lies in {step}.",
            ]
        case .noStep:
            ["There is nothing that you need to work on first.", "Do the next one the same way."]
        case .unjudgedVoice: ["Your pace could not be judged, because {reason}."]
        case .unjudgedFace: ["Whether you faced the camera could not be judged, because {reason}."]
        case .fewerPoints: ["Some parts could not be judged, so take the score as a rough one."]
        case .closing:
            [
                "Practise that alone, then record again and compare.",
                "Take up that one exercise and leave the rest as it is: the next recording will show the difference.",
                "One exercise is enough until the next recording.",
            ]
        case .closingFlawless:
            [
                "If you want a challenge, try the same thing with a harder subject.",
                "Use it as the one you compare the next ones with.",
            ]
        }
    }

    func moment(_ key: MomentKey, isQuoted: Bool) -> [String] {
        switch (key, isQuoted) {
        case (.liveliest, true):
            ["“{quote}”: here your voice has the most energy.", "“{quote}”: your voice is at its strongest here."]
        case (.liveliest, false): ["Here your voice has the most energy."]
        case (.flattest, true):
            [
                "“{quote}”: here your voice loses energy; give these words more breath.",
                "“{quote}”: your voice sinks here. Say it again with the energy of your first sentence.",
            ]
        case (.flattest, false): ["Here your voice loses energy; give these words more breath."]
        case (.clearPause, true):
            [
                "“{quote}”: a pause of {length:seconds} that lets the thought sink in.",
                "“{quote}”: you wait {length:seconds} here, just right for listeners to catch up.",
            ]
        case (.clearPause, false): ["A pause of {length:seconds} that lets the thought sink in."]
        case (.hesitation, true):
            [
                "“{quote}”: you stop for {length:seconds}, and the thought does not seem to be finished.",
                "“{quote}”: a stop of {length:seconds} that seems to come in the middle of a thought.",
            ]
        case (.hesitation, false): ["You stop for {length:seconds} here, and the thought does not seem to be finished."]
        case (.longPause, true):
            [
                "“{quote}”: {length:seconds} of silence, long enough for listeners to drift away.",
                "“{quote}”: {length:seconds} pass before you go on. Half of that would do.",
            ]
        case (.longPause, false): ["{length:seconds} of silence, long enough for listeners to drift away."]
        case (.fillers, true): ["“{quote}”: at least {count} within ten seconds."]
        case (.fillers, false): ["From here on, at least {count} within ten seconds."]
        }
    }
}
