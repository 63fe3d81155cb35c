"""Pictures of a speaker, rendered from one portrait: moving as people do, speaking or not, and with one fault at a time."""
import math
import subprocess

import numpy as np

WIDTH, HEIGHT, RATE = 640, 360, 5
# Where the portrait has the face, in its own pixels.
CENTRE, MOUTH, CHIN, HEAD = (226.0, 132.0), (224.0, 146.0), 182.0, 74.0


def portrait(path):
    raw = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", path, "-pix_fmt", "gray", "-f", "rawvideo", "-"],
                         stdin=subprocess.DEVNULL, capture_output=True, check=True).stdout
    return np.frombuffer(raw, np.uint8).reshape(512, 512).astype(np.float32)


class Face:
    """How one of the speakers looks and behaves."""

    def __init__(self, name, zoom=1.65, wide=1.0, mirrored=False, gamma=1.0, speaks=True, sway=6.0, seed=1):
        self.name, self.zoom, self.wide, self.mirrored = name, zoom, wide, mirrored
        self.gamma, self.speaks, self.sway, self.seed = gamma, speaks, sway, seed


# "portrait" is the demo's still picture; the others move their mouths.
FACES = {face.name: face for face in (
    Face("portrait", speaks=False), Face("talking", seed=2), Face("wide", wide=1.1, mirrored=True, zoom=1.5, sway=9, seed=3),
    Face("narrow", wide=0.93, gamma=1.3, zoom=1.9, sway=4, seed=4))}


def openings(face, count):
    """How far the mouth is open in each picture, 0 to 1: syllables with rests between them."""
    chance = np.random.default_rng(face.seed)
    time = np.arange(count) / RATE
    words = np.clip(np.sin(2 * np.pi * time / 3.75) + 0.7, 0, 1)
    return np.clip(chance.uniform(-0.2, 1, count), 0, 1) * words if face.speaks else np.zeros(count)


def sampled(source, x, y):
    """Bilinear; the edge goes on outside."""
    x, y = np.clip(x, 0, 510.99), np.clip(y, 0, 510.99)
    left, top = x.astype(np.int32), y.astype(np.int32)
    fx, fy = x - left, y - top
    flat, at = source.ravel(), top * 512 + left
    upper = flat[at] * (1 - fx) + flat[at + 1] * fx
    lower = flat[at + 512] * (1 - fx) + flat[at + 513] * fx
    return upper * (1 - fy) + lower * fy


def opened(x, y, amount):
    """Where to look for the pixels of a face whose jaw has gone down by `amount` pixels."""
    across = np.exp(-((x - MOUTH[0]) / 17) ** 2)
    down = np.clip((y - MOUTH[1]) / 6, 0, 1) * np.clip((CHIN + 22 - y) / 28, 0, 1)
    return y - amount * across * down


def turned(x, y, angle):
    """Where to look for the pixels of a head turned by an angle: a cylinder seen from the front."""
    side = np.clip((x - CENTRE[0]) / HEAD, -1, 1)
    seen = np.clip(np.arcsin(side) + angle, -np.pi / 2, np.pi / 2)
    head = (np.abs(x - CENTRE[0]) < HEAD) & (y < CHIN + 8)
    return np.where(head, CENTRE[0] + HEAD * np.sin(seen), x)


def pictures(source, face, seconds, fault=None):
    """Yields gray pictures of a speaker."""
    count = int(seconds * RATE)
    mouth = openings(face, count)
    row, column = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    grains = [np.random.default_rng(index).normal(0, 1.2, (HEIGHT, WIDTH)).astype(np.float32) for index in range(7)]
    zoom = face.zoom * (0.27 if fault == "tiny-face" else 1)
    centre = CENTRE
    for index in range(count):
        time = index / RATE
        away = (time % 6) >= 2
        # All of it comes back after 30 s, so that a track can be repeated.
        dx = face.sway * math.sin(2 * math.pi * time / 7.5) + face.sway / 3 * math.sin(2 * math.pi * time / 2.5)
        dy = face.sway / 2 * math.sin(2 * math.pi * time / 3)
        roll = 0.026 * math.sin(2 * math.pi * time / 5)
        if fault == "leaves-frame" and away:
            dx += 420
        x = (column - WIDTH / 2 + dx) * (-1 if face.mirrored else 1) / (zoom * face.wide)
        y = (row - HEIGHT / 2 + dy + 6) / zoom
        sine, cosine = math.sin(roll), math.cos(roll)
        x, y = x * cosine - y * sine + centre[0], x * sine + y * cosine + centre[1]
        if fault == "second-face":
            # The same portrait once more beside the first, as far away.
            x = np.where(x > CENTRE[0] + 62, 2 * (CENTRE[0] + 62) - x, x)
            y = y + 4
        if fault == "turned-away" and away:
            x = turned(x, y, 1.0)
        if face.speaks:
            y = opened(x, y, np.float32(8 * mouth[index]))
        if fault == "tiny-face":
            far = (np.abs(x - 256) > 256) | (y < 0)
            picture = np.where(far, 150, sampled(source, x, y))
        else:
            picture = sampled(source, x, y)
        if face.gamma != 1:
            picture = 255 * (picture / 255) ** face.gamma
        if fault == "dark":
            picture = picture * 0.13
        if fault == "backlight":
            person = np.exp(-(np.maximum(np.hypot((x - CENTRE[0]) / 95, (y - CENTRE[1]) / 130) - 0.8, 0) * 4) ** 2)
            picture = picture * 0.22 * person + 250 * (1 - person)
        yield np.clip(picture + grains[index % 7], 0, 255).astype(np.uint8)


def write(path, source, face, seconds, fault=None):
    """Encodes a track without sound; every picture is shown twice, ten a second."""
    filters = "fps=10" + (",gblur=sigma=4.5" if fault == "blurred" else "")
    encoder = subprocess.Popen(
        ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{WIDTH}x{HEIGHT}", "-r", str(RATE), "-i", "-",
         "-vf", filters, "-c:v", "libx264", "-preset", "ultrafast", "-crf", "21", "-pix_fmt", "yuv420p", "-g", "50", path],
        stdin=subprocess.PIPE)
    for picture in pictures(source, face, seconds, fault):
        encoder.stdin.write(picture.tobytes())
    encoder.stdin.close()
    assert encoder.wait() == 0, f"{path} cannot be encoded"
