/// Areas that lie with the recording itself: what to change before speaking again.
extension English {
    static let noSound = AreaTexts(
        what: [
            "The video has no sound, so nothing could be said about your voice.",
            "Nothing can be heard in this video, so your voice could not be judged.",
        ],
        brief: [
            "Your voice is missing from this recording.",
            "This recording came without your voice.",
        ],
        why: [
            "Viewers skip a video that stays silent.",
            "Whatever you said, nobody could hear it.",
        ],
        exercise: [
            "Open the settings of your phone, allow the app to use the microphone, and record five seconds to hear whether it works.",
            "Allow the app to use the microphone in your phone's settings, disconnect any headset, and listen to a take of five seconds.",
        ],
        sign: [
            "The next report will then tell you about your pace, your pauses and the melody of your voice.",
            "You will see that it worked when the next report speaks of your pace and your pauses.",
        ],
        step: "getting your voice onto the recording")

    static let noSpeech = AreaTexts(
        what: [
            "No speech was heard in this recording.",
            "There is sound in this recording, but no words could be heard.",
        ],
        brief: [
            "The recording has sound, but no words.",
            "Nobody can be heard speaking here.",
        ],
        why: [
            "Pace, pauses and melody can only be judged when there are words to hear.",
            "Without words there is nothing to say about how you speak.",
        ],
        exercise: [
            "Hold the phone at arm's length with its microphone towards you, and speak for half a minute in a quiet room.",
            "Go to a quiet room, keep the phone's lower edge towards you, and tell it for half a minute what you see around you.",
        ],
        sign: [
            "The next report will then show what you said, word for word.",
            "You will see that it worked when your words stand in the next report.",
        ],
        step: "speaking so that the microphone hears you")

    static let littleSpeech = AreaTexts(
        what: [
            "You spoke too little for your pace and your pauses to be judged.",
            "There are too few words in this recording to judge your pace and your pauses by.",
        ],
        brief: [
            "There is not enough speech here to go by.",
            "It takes more words than these to judge how you speak.",
        ],
        why: [
            "A fair picture of how you speak needs about half a minute.",
            "A few words say little about how you speak; half a minute says a lot.",
        ],
        exercise: [
            "Tell the camera for half a minute what you did this morning, without notes.",
            "Answer one question aloud for half a minute, such as what you are looking forward to this week.",
        ],
        sign: [
            "The next report will then say how many words a minute you speak.",
            "You will see that it worked when the next report tells you your pace.",
        ],
        step: "speaking for half a minute or longer")

    static let drownedVoice = AreaTexts(
        what: [
            "The noise around you is so loud that your voice can hardly be judged.",
            "Your voice is buried in noise, so most of it could not be judged.",
        ],
        brief: [
            "Noise covers your voice.",
            "Your voice does not get through the noise.",
        ],
        why: [
            "Listeners give up quickly when they have to dig for the words.",
            "Nobody listens for long when the room is louder than the speaker.",
        ],
        exercise: [
            "Find a room without music or machines, close the window, and hold the phone at arm's length.",
            "Record ten seconds in three different rooms, listen to them, and take the quietest.",
        ],
        sign: [
            "The next report will then tell you about your pauses and your melody.",
            "You will see that it worked when the next report speaks of your pauses.",
        ],
        step: "recording somewhere quieter")

    static let unseenFace = AreaTexts(
        what: [
            "Your face was hardly ever found in the picture.",
            "There is hardly a moment in which your face is in the picture.",
        ],
        brief: [
            "Your face is missing from the picture.",
            "The camera hardly got to see your face.",
        ],
        why: [
            "People look for a face first; without one it is hard to trust a voice.",
            "A voice without a face is a radio programme: viewers look somewhere else.",
        ],
        exercise: [
            "Put the phone upright at the height of your eyes, look at the preview, and only start when your face fills about a quarter of its width.",
            "Lean the phone against something at the height of your eyes, sit down in front of it, and check the preview before you start.",
        ],
        sign: [
            "The next report will then say for how much of the time you faced the camera.",
            "You will see that it worked when the next report tells you how long you faced the camera.",
        ],
        step: "getting your face into the picture")

    static let unlitFace = AreaTexts(
        what: [
            "The picture is so dark that your face could not be found.",
            "It is too dark in the picture to find your face.",
        ],
        brief: [
            "Your face is lost in the dark.",
            "In this light the camera cannot make out your face.",
        ],
        why: [
            "When viewers cannot see your face, they miss much of what you mean.",
            "What your face says is lost in the dark.",
        ],
        exercise: [
            "Sit down facing a window, or put a lamp behind the phone, before you record again.",
            "Switch on every lamp in the room, turn towards the brightest, and look at the preview before you record again.",
        ],
        sign: [
            "The next report will then say for how much of the time you faced the camera.",
            "You will see that it worked when the next report tells you how long you faced the camera.",
        ],
        step: "bringing light to your face")

    static let secondFace = AreaTexts(
        what: [
            "There is a second large face in the picture {severalFacesPct:time}.",
            "Next to yours, another large face is in the picture {severalFacesPct:time}.",
        ],
        brief: [
            "You share the picture with another face.",
            "You are not the only one in the picture.",
        ],
        why: [
            "Viewers cannot tell whom to look at, and neither can this report.",
            "Two faces share the attention that you want for yourself.",
        ],
        exercise: [
            "Record alone, and check the preview for posters, mirrors and screens with faces behind you.",
            "Choose a plain wall as your background, and ask others to stay out of the picture.",
        ],
        sign: [
            "The next report should no longer find a second face.",
            "It has worked when the next report finds no face but yours.",
        ],
        step: "being alone in the picture")

    static let outOfPicture = AreaTexts(
        what: [
            "Your face could not be seen for {noFacePct:time}: you left the picture or turned away.",
            "You were out of the picture or turned away for {noFacePct:time}.",
        ],
        brief: [
            "For {noFacePct:time} the camera did not see your face.",
            "Your face was out of sight for {noFacePct:time}.",
        ],
        why: [
            "As soon as your face is gone, so is the contact with the people who watch.",
            "When viewers cannot see you, they soon stop listening too.",
        ],
        exercise: [
            "Sit down, put your notes right below the lens, and check in the preview that you stay in the picture.",
            "Put the phone at the height of your eyes, sit down in the middle of its picture, and speak for one minute to nothing but the lens.",
        ],
        sign: [
            "In the next report, facing the camera should be among your strengths.",
            "It has worked when the next report praises the way you face the camera.",
        ],
        step: "staying in front of the camera")

    static let turnedAway = AreaTexts(
        what: [
            "You faced the camera {eyeContactPct:time}; for the rest your head was turned away or out of the picture.",
            "You turned away more often than viewers like: you faced the camera {eyeContactPct:time}.",
        ],
        brief: [
            "You could face the camera more: here it was {eyeContactPct:time}.",
            "Your face was turned to the camera {eyeContactPct:time}, and viewers would like more of it.",
        ],
        why: [
            "When you look away, viewers feel that you are speaking to somebody else.",
            "Looking into the lens is what eye contact is in a video.",
        ],
        exercise: [
            "Put a sticker beside the lens and tell it one minute of your day, three times, without notes.",
            "Finish every sentence into the lens before you look away.",
        ],
        sign: [
            "In the next report, facing the camera should be among your strengths.",
            "It has worked when the next report praises the way you face the camera.",
        ],
        step: "looking into the lens")

    static let backlight = AreaTexts(
        what: [
            "Most of the light seems to come from behind you, so your face is in shadow.",
            "There is more light behind you than on your face, so your face lies in shadow.",
        ],
        brief: [
            "You have your back to the light.",
            "The light is on the wrong side of you.",
        ],
        why: [
            "Viewers see the light instead of you, and this report can hardly judge your face.",
            "The eye goes to the brightest spot, and that is not your face, which neither viewers nor this report can read.",
        ],
        exercise: [
            "Turn around, so that the window is in front of you, and compare two five-second takes.",
            "Draw the curtain behind you, put a lamp in front of you, and compare two five-second takes.",
        ],
        sign: [
            "The next report should no longer find more light behind you than on your face.",
            "It has worked when the next report finds enough light on your face.",
        ],
        step: "turning your face to the light")

    static let darkFace = AreaTexts(
        what: [
            "There is too little light on your face.",
            "The light is too weak for the camera to show your face well.",
        ],
        brief: [
            "It takes more light than this to see your face well.",
            "Your face needs more light.",
        ],
        why: [
            "In the dark your expression is lost, to viewers and to this report, and with it much of what you mean.",
            "Too little light hides what your face adds to your words, and what this report could praise.",
        ],
        exercise: [
            "Put a lamp behind the phone, or sit down facing a window, and compare two five-second takes.",
            "Take a step towards the window and turn to it, and compare a take from there with one from where you stood.",
        ],
        sign: [
            "The next report should find more light on your face.",
            "It has worked when the next report finds enough light on your face.",
        ],
        step: "bringing light to your face")

    static let smallFace = AreaTexts(
        what: [
            "Your face is small in the picture.",
            "You are far away from the camera, so your face is small.",
        ],
        brief: [
            "You are too far away from the camera.",
            "Your face takes up too little of the picture.",
        ],
        why: [
            "From far away viewers can hardly see your eyes or your smile, and this report cannot judge your face.",
            "On a phone's screen a small face is a few dots, and neither viewers nor this report read an expression in those.",
        ],
        exercise: [
            "Move closer until your face takes up about a quarter of the picture's width.",
            "Stretch out an arm: the phone should stand where your hand ends, or a little further away.",
        ],
        sign: [
            "The next report should no longer call your face small.",
            "It has worked when the next report finds your face large enough.",
        ],
        step: "coming closer to the camera")

    static let blurredFace = AreaTexts(
        what: [
            "Your face is blurred.",
            "The picture of your face is not sharp.",
        ],
        brief: [
            "Your face is not sharp enough to read.",
            "The camera did not get a sharp picture of you.",
        ],
        why: [
            "A blur distracts from what you say, and this report cannot judge your face in it.",
            "Viewers look for your eyes and cannot find them in a blur; nor can this report judge your face.",
        ],
        exercise: [
            "Wipe the lens, tap on your face in the preview, and wait a second before you start.",
            "Clean the lens with a soft cloth, lean the phone against something firm, and bring more light to your face.",
        ],
        sign: [
            "The next report should no longer call your face blurred.",
            "It has worked when the next report finds your face sharp enough.",
        ],
        step: "getting a sharp picture")

    static let cutFace = AreaTexts(
        what: [
            "The edge of the picture cuts your face {faceCutPct:time}.",
            "Part of your face lies outside the picture {faceCutPct:time}.",
        ],
        brief: [
            "You are not fully in the picture: its edge runs through your face {faceCutPct:time}.",
            "The frame cuts off part of your face {faceCutPct:time}.",
        ],
        why: [
            "It makes viewers look at the frame instead of at you.",
            "It looks as if the camera had slipped while you spoke.",
        ],
        exercise: [
            "Leave a hand's breadth of room above your head, and put the phone on something that does not move.",
            "Set up the phone, sit the way you will sit, and move the phone until your head is in the upper half of the picture with air above it.",
        ],
        sign: [
            "The next report should find all of your face in the picture.",
            "It has worked when the next report finds your whole face in the picture.",
        ],
        step: "moving your face to the middle of the picture")

    static let overdriven = AreaTexts(
        what: [
            "The sound crackles, because your voice is too loud for the microphone.",
            "Your voice overloads the microphone, and the sound crackles.",
        ],
        brief: [
            "The sound is distorted, because it is too loud.",
            "Your voice is distorted: it is louder than the microphone can take.",
        ],
        why: [
            "It is unpleasant to listen to, and people turn it off.",
            "Crackling hurts the ear, and people who turn it down miss what you say.",
        ],
        exercise: [
            "Put half a metre more between you and the microphone and say your loudest sentence; listen to it before you go on.",
            "Say your loudest sentence from three distances, listen to the three takes, and stay where it does not crackle.",
        ],
        sign: [
            "The next report should no longer call your voice too loud for the microphone.",
            "It has worked when the next report hears no crackling.",
        ],
        step: "moving away from the microphone")

    static let noisy = AreaTexts(
        what: [
            "There is noise behind your voice.",
            "There is noise in the background.",
        ],
        brief: [
            "Your voice has to compete with noise.",
            "The background is too loud.",
        ],
        why: [
            "Noise tires listeners, even when they understand every word.",
            "People who have to listen through noise remember less of what you say.",
        ],
        exercise: [
            "Close the window, switch off what hums, and hold the phone at arm's length.",
            "Record ten seconds of silence in the room, listen to what hums, and switch it off or go somewhere else.",
        ],
        sign: [
            "In the next report the clean sound should be among your strengths.",
            "It has worked when the next report praises the clean sound.",
        ],
        step: "recording somewhere quieter")

    static let quiet = AreaTexts(
        what: [
            "The recording is very quiet.",
            "Your voice is faint on this recording.",
        ],
        brief: [
            "You are hard to hear.",
            "The recording is not loud enough.",
        ],
        why: [
            "Listeners who have to turn up the volume soon give up.",
            "What is hard to hear is easy to skip.",
        ],
        exercise: [
            "Bring the phone to arm's length, its lower edge towards you, and speak up.",
            "Bring the phone to arm's length and read one sentence as if somebody in the next room had to understand it.",
        ],
        sign: [
            "The next report should no longer call the recording quiet.",
            "It has worked when the next report finds your voice loud enough.",
        ],
        step: "being louder on the recording")
}
