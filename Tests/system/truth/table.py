"""Which parts of a report a fault may move. Written before anything was measured, and the standard that reports are held to.

`falls` must fall; `with_it` may move too, because the fault does touch it; every other part may move by `SLACK` points at most.
"""

PARTS = ("pace", "volume", "pauses", "melody", "eyeContact", "liveliness", "sound", "picture", "fillers")
SLACK = 3

# fault: (what must fall, what may move with it, and why)
FAULTS = {
    # Sped up or slowed down by the same factor, so its pauses are shorter or longer as well, and the recogniser is less sure.
    "too-fast": ("pace", {"pauses", "sound", "volume", "fillers"}),
    "too-slow": ("pace", {"pauses", "sound", "volume"}),
    # Changing the pitch leaves marks that the recogniser hears.
    "flat": ("melody", {"sound"}),
    # Words that sink below the level of speech become pauses; the distance to the noise is measured by the loudest and quietest.
    "wavering-volume": ("volume", {"pauses", "sound"}),
    # More words in less time; the noise is heard in pauses.
    "no-pauses": ("pauses", {"pace", "sound", "volume"}),
    "long-pauses": ("pauses", {"pace"}),
    # Another voice says them, between pauses.
    "fillers": ("fillers", {"pace", "pauses", "melody", "volume"}),
    "leaves-frame": ("eyeContact", {"picture", "liveliness"}),
    "turned-away": ("eyeContact", {"picture", "liveliness"}),
    # Whose eyes are meant is not known while two people look at the camera.
    "second-face": ("eyeContact", {"picture", "liveliness"}),
    "dark": ("picture", {"eyeContact", "liveliness"}),
    "tiny-face": ("picture", {"eyeContact", "liveliness"}),
    "blurred": ("picture", {"eyeContact", "liveliness"}),
    "backlight": ("picture", {"eyeContact", "liveliness"}),
    # Noise fills pauses and the quiet ends of words.
    "noise": ("sound", {"pauses", "volume"}),
    "clipping": ("sound", {"volume", "pauses"}),
    "too-quiet": ("sound", {"volume", "pauses"}),
}

# What a report must not praise when the part was made worse: the names of measures under its strengths.
MEASURES = {
    "pace": {"paceWordsPerMin"}, "volume": {"volumeConsistency"}, "pauses": {"pauseEffectiveness"},
    "melody": {"tonalVariety"}, "eyeContact": {"eyeContactPct", "facePresencePct"}, "liveliness": {"faceLiveliness"},
    "sound": {"clarity", "soundQuality"}, "picture": {"pictureQuality", "facePresencePct"},
    "fillers": {"fillersPer100Words"},
}
