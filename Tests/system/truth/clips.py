"""The clips: six speakers, and each with one fault after another."""
import os
import subprocess

import numpy as np

from . import material, picture, sound, table

SOUND_FAULTS = {
    "too-fast": lambda speech, _: sound.faster(speech, 1.6),
    "too-slow": lambda speech, _: sound.faster(speech, 0.55),
    "flat": lambda speech, _: sound.flat(speech),
    "wavering-volume": lambda speech, _: sound.wavering(speech),
    "no-pauses": lambda speech, _: sound.without_pauses(speech),
    "long-pauses": lambda speech, _: sound.long_pauses(speech),
    "fillers": lambda speech, base: sound.with_fillers(speech, base.fillers()),
    "noise": lambda speech, _: sound.noisy(speech),
    "clipping": lambda speech, _: sound.clipped(speech),
    "too-quiet": lambda speech, _: sound.quiet(speech),
}
PICTURE_FAULTS = ("leaves-frame", "turned-away", "second-face", "dark", "tiny-face", "blurred", "backlight")
assert {*SOUND_FAULTS, *PICTURE_FAULTS} == set(table.FAULTS)
# A track is repeated under a longer speech.
TRACK_SECONDS, LONGEST = 30, 85


class Base:
    """A speaker: a voice and a face."""

    def __init__(self, name, face, filler_voice, words, speech):
        self.name, self.face, self.filler_voice, self.words, self.speech = name, face, filler_voice, words, speech

    def fillers(self):
        """Ten of them, as loud as this voice. The recogniser hears few of the other synthetic voices' hesitations."""
        return [sound.levelled(trimmed(sound.read(material.spoken(self.filler_voice, text))))
                for text in ("Um.", "Uh.", "Um, like.", "Um.", "Uh, you know.", "Um.", "Uh.", "Um.", "Um, you know.", "Uh.")]


def spoken_part(signal):
    """The first and the last of its 20 ms that are speech."""
    level = sound.powers(signal)
    loud = np.nonzero(level > level.max() - 30)[0]
    return loud[0], loud[-1]


def trimmed(signal):
    first, last = spoken_part(signal)
    return signal[first * 320:(last + 1) * 320]


def lead(signal):
    """How many seconds `trimmed` takes from the beginning."""
    return spoken_part(signal)[0] * 320 / sound.RATE


def read_aloud(order, pauses):
    def speech():
        return sound.joined([sound.levelled(sound.read(material.austen(number))) for number in order], pauses)
    return speech, " ".join(material.TEXTS[number] for number in order)


# Seconds between the sentences of the synthetic voices.
PAUSES = (0.55, 0.8, 0.5, 0.9)
# One of the synthetic voices speaks faster than anybody should.
TEMPO = {"awb": 0.8}


def sentences(voice):
    pieces = [trimmed(sound.read(material.spoken(voice, text))) for text in material.SCRIPTS[voice]]
    return [sound.faster(piece, TEMPO[voice]) if voice in TEMPO else piece for piece in pieces]


def synthetic(voice, pauses):
    return lambda: sound.joined(sentences(voice), pauses), " ".join(material.SCRIPTS[voice])


def novel():
    """The first 28 seconds, up to a pause."""
    whole = sound.read(material.cities())
    ends = [start for start, _ in sound.silences(whole, 0.25) if 24 * sound.RATE < start < 31 * sound.RATE]
    return np.concatenate([sound.silence(0.3), whole[:ends[0] if ends else 28 * sound.RATE], sound.silence(0.3, 1)])


def bases():
    first, first_words = read_aloud(("0870", "0880", "0890", "0920", "0930"), (0.7, 0.9, 1.4, 0.6))
    second, second_words = read_aloud(("0890", "0930", "0870", "0880", "0920"), (0.5, 0.9, 0.6, 0.8))
    slt, slt_words = synthetic("slt", PAUSES)
    rms, rms_words = synthetic("rms", PAUSES)
    awb, awb_words = synthetic("awb", PAUSES)
    return [
        Base("reader-portrait", "portrait", "slt", first_words, first),
        Base("reader-talking", "talking", "slt", second_words, second),
        Base("novel-wide", "wide", "slt", material.CITIES, novel),
        Base("slt-talking", "talking", "slt", slt_words, slt),
        Base("rms-narrow", "narrow", "slt", rms_words, rms),
        Base("awb-portrait", "portrait", "slt", awb_words, awb),
    ]


class Workshop:
    """Makes clips, keeps what they are made of."""

    def __init__(self, folder=None):
        self.folder = folder or os.path.join(material.HOME, "clips")
        os.makedirs(self.folder, exist_ok=True)
        self.source = picture.portrait(material.portrait())

    def track(self, face, fault=None):
        path = os.path.join(self.folder, f"track-{face}-{fault or 'good'}.mp4")
        if not os.path.exists(path):
            picture.write(path + ".new.mp4", self.source, picture.FACES[face], TRACK_SECONDS, fault)
            os.rename(path + ".new.mp4", path)
        return path

    def clip(self, base, fault=None, again=False):
        """The path of a clip; `again` encodes the same one otherwise, as another phone would."""
        path = os.path.join(self.folder, f"{base.name}-{fault or 'good'}{'-again' if again else ''}.mp4")
        if os.path.exists(path):
            return path
        speech = sound.levelled(base.speech())
        if fault in SOUND_FAULTS:
            speech = SOUND_FAULTS[fault](speech, base)
        track = self.track(base.face, fault if fault in PICTURE_FAULTS else None)
        video = ["-vf", "scale=854:-2", "-c:v", "libx264", "-preset", "veryfast", "-crf", "30"] if again else ["-c:v", "copy"]
        seconds = min(len(speech) / sound.RATE, LONGEST)
        subprocess.run(
            ["ffmpeg", "-v", "error", "-y", "-stream_loop", "-1", "-i", track,
             "-f", "f32le", "-ac", "1", "-ar", str(sound.RATE), "-i", "-", "-t", f"{seconds:.2f}", "-map", "0:v", "-map", "1:a",
             *video, "-c:a", "aac", "-ar", "44100", "-b:a", "64k" if again else "96k", path + ".new.mp4"], input=speech.astype(np.float32).tobytes(), check=True)
        os.rename(path + ".new.mp4", path)
        return path
