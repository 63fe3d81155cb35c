"""Speech as arrays at 16 kHz, and what can be done to it: one fault at a time."""
import subprocess

import numpy as np

RATE = 16000
LEVEL = 0.07
# Seconds of silence before the first sentence.
LEAD = 0.3


def read(path):
    raw = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-ac", "1", "-ar", str(RATE), "-f", "f32le", "-"],
                         stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.float32).astype(float)


def piped(signal, *filters):
    """The signal through ffmpeg's filters."""
    raw = subprocess.run(
        ["ffmpeg", "-v", "error", "-f", "f32le", "-ac", "1", "-ar", str(RATE), "-i", "-", "-af", ",".join(filters), "-f", "f32le",
         "-ac", "1", "-ar", str(RATE), "-"], input=signal.astype(np.float32).tobytes(), capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.float32).astype(float)


def silence(seconds, seed=0):
    """Not digital silence, which no microphone records."""
    return np.random.default_rng(seed).normal(0, 2e-4, int(seconds * RATE))


def joined(pieces, pauses):
    """Sentences with a pause of so many seconds behind each but the last."""
    parts = [silence(LEAD)]
    for index, piece in enumerate(pieces):
        parts.append(piece)
        parts.append(silence(pauses[index] if index < len(pauses) else 0.3, index))
    return np.concatenate(parts)


def powers(signal, seconds=0.02):
    size = int(seconds * RATE)
    whole = signal[:len(signal) // size * size].reshape(-1, size)
    return 10 * np.log10((whole ** 2).mean(axis=1) + 1e-12)


def loud(signal):
    """Root mean square over the frames that are speech."""
    level = powers(signal)
    spoken = level > np.percentile(level, 99) - 25
    size = int(0.02 * RATE)
    frames = signal[:len(level) * size].reshape(-1, size)[spoken]
    return float(np.sqrt((frames ** 2).mean()))


def levelled(signal):
    return np.clip(signal * LEVEL / loud(signal), -0.9, 0.9)


def silences(signal, least):
    """Start and end of each stretch of at least so many seconds without speech, as sample numbers."""
    quiet = powers(signal) < np.percentile(powers(signal), 99) - 27
    size, runs, start = int(0.02 * RATE), [], None
    for index, here in enumerate(np.append(quiet, False)):
        if here and start is None:
            start = index
        elif not here and start is not None:
            if (index - start) * 0.02 >= least:
                runs.append((start * size, index * size))
            start = None
    return runs


def remade(signal, least, make):
    """With each inner silence replaced by what `make` gives for it."""
    parts, at = [], 0
    for index, (start, end) in enumerate(silences(signal, least)):
        if start == 0 or end >= len(signal) - RATE // 10:
            continue
        parts += [signal[at:start], make(signal[start:end], index)]
        at = end
    return np.concatenate(parts + [signal[at:]])


# MARK: faults

def faster(signal, factor):
    steps = []
    while factor < 0.5:
        steps.append("atempo=0.5")
        factor /= 0.5
    return piped(signal, *steps, f"atempo={factor}")


def flat(signal, part=0.1):
    """With the pitch pressed to a tenth of its movement around its median."""
    pitch = track(signal)
    voiced = pitch > 0
    middle = np.median(pitch[voiced])
    return retuned(signal, pitch, np.where(voiced, middle * (np.maximum(pitch, 1) / middle) ** part, 0))


def retuned(signal, pitch, aim):
    """With another pitch, each given for every 10 ms and 0 where there is no voice (overlap and add at pitch marks)."""
    marks, at = [], 0
    while at < len(signal):
        frame = min(int(at / RATE * 100), len(pitch) - 1)
        period = int(RATE / pitch[frame]) if pitch[frame] > 0 else RATE // 100
        if pitch[frame] > 0 and marks:
            near = slice(max(at - period // 5, 0), min(at + period // 5 + 1, len(signal)))
            at = near.start + int(np.argmax(signal[near]))
        if marks and at <= marks[-1][0]:
            at = marks[-1][0] + max(period // 2, 1)
        marks.append((at, period, frame))
        at += period
    result, weight = np.zeros(len(signal) + RATE), np.full(len(signal) + RATE, 1e-3)
    places = np.array([mark[0] for mark in marks])
    out = float(places[0])
    while out < len(signal):
        nearest = int(np.argmin(np.abs(places - out)))
        at, period, frame = marks[nearest]
        left, right = max(at - period, 0), min(at + period, len(signal))
        grain = signal[left:right] * np.hanning(right - left)
        start = int(out) - (at - left)
        if start >= 0:
            result[start:start + len(grain)] += grain
            weight[start:start + len(grain)] += np.hanning(right - left)
        out += RATE / aim[frame] if aim[frame] > 0 else period
    shaped = result / np.maximum(weight, 0.5)
    return shaped[:len(signal)]


def track(signal):
    """The pitch each 10 ms, 0 where there is none."""
    half = piped(signal, "lowpass=900")[::2]
    rate, size = RATE // 2, 320
    count = len(signal) * 100 // RATE
    pitch = np.zeros(count)
    top = np.percentile(np.abs(half), 99)
    for frame in range(count):
        piece = half[frame * rate // 100:frame * rate // 100 + size]
        if len(piece) < size or np.abs(piece).max() < 0.08 * top:
            continue
        piece = piece - piece.mean()
        spectrum = np.fft.rfft(piece, 1024)
        like = np.fft.irfft(spectrum * spectrum.conj())[:130]
        like = like / like[0] * size / (size - np.arange(130))
        lag = 20 + int(np.argmax(like[20:125]))
        if like[lag] > 0.5:
            pitch[frame] = rate / lag
    # Single frames are errors more often than voices.
    for frame in range(2, count - 2):
        near = pitch[frame - 2:frame + 3]
        pitch[frame] = np.median(near) if (near > 0).sum() >= 3 else 0
    return pitch


def gliding(signal, octaves=0.35, seconds=3.1):
    """With a pitch that glides up and down around the median, and that pitch for every 10 ms, 0 where there is no voice."""
    pitch = track(signal)
    time = np.arange(len(pitch)) / 100
    glide = np.median(pitch[pitch > 0]) * 2 ** (octaves * np.sin(2 * np.pi * time / seconds))
    aim = np.where(pitch > 0, glide, 0)
    return retuned(signal, pitch, aim), aim


def wavering(signal, decibels=9):
    time = np.arange(len(signal)) / RATE
    wave = np.sin(2 * np.pi * time / 5.3) * decibels
    return np.clip(signal * 10 ** ((wave - decibels / 3) / 20), -0.95, 0.95)


def without_pauses(signal):
    return remade(signal, 0.12, lambda gap, _: np.concatenate([gap[:RATE // 40], gap[-RATE // 40:]]))


def long_pauses(signal, seconds=3.2):
    def longer(gap, index):
        return np.concatenate([gap[:len(gap) // 2], silence(seconds, index), gap[len(gap) // 2:]])
    return remade(signal, 0.35, longer)


def with_fillers(signal, fillers):
    """With spoken fillers put into the longest silences, each between two short ones."""
    places = sorted(silences(signal, 0.06), key=lambda run: run[0] - run[1])
    inner = [run for run in places if run[0] > RATE // 2 and run[1] < len(signal) - RATE // 2][:len(fillers)]
    parts, at = [], 0
    for index, (start, end) in enumerate(sorted(inner)):
        middle = (start + end) // 2
        parts += [signal[at:middle], silence(0.25, index), fillers[index], silence(0.25, index + 50)]
        at = middle
    return np.concatenate(parts + [signal[at:]])


def noisy(signal, decibels=12, seed=1):
    """With pink noise so many decibels below the speech."""
    white = np.random.default_rng(seed).normal(size=len(signal))
    spectrum = np.fft.rfft(white)
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 50))
    pink = np.fft.irfft(spectrum, len(signal))
    return np.clip(signal + pink / pink.std() * loud(signal) * 10 ** (-decibels / 20), -0.98, 0.98)


def clipped(signal, decibels=22):
    return np.clip(signal * 10 ** (decibels / 20), -0.96, 0.96)


def quiet(signal, decibels=26):
    return signal * 10 ** (-decibels / 20)
