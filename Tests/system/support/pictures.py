"""Pictures for tests, made byte by byte where their bytes matter, and by ffmpeg where their pixels do."""
import struct
import subprocess
import zlib

COLOURS = {"top left": (200, 30, 30), "top right": (30, 160, 30), "bottom left": (30, 30, 200), "bottom right": (220, 200, 40)}


def quarters(width, height):
    """A colour for each quarter, so that turning and mirroring is seen."""
    def colour(x, y):
        return COLOURS[("top" if y < height // 2 else "bottom") + (" left" if x < width // 2 else " right")]
    return [[colour(x, y) for x in range(width)] for y in range(height)]


def lying(rows, orientation):
    """The rows as a camera stores them that was held so: EXIF's orientation is where its first row and column are to be shown."""
    height, width = len(rows), len(rows[0])
    places = {
        1: lambda row, column: (column, row), 2: lambda row, column: (width - 1 - column, row),
        3: lambda row, column: (width - 1 - column, height - 1 - row), 4: lambda row, column: (column, height - 1 - row),
        5: lambda row, column: (row, column), 6: lambda row, column: (width - 1 - row, column),
        7: lambda row, column: (width - 1 - row, height - 1 - column), 8: lambda row, column: (row, height - 1 - column)}
    turned = orientation > 4
    found = []
    for row in range(width if turned else height):
        shown = [places[orientation](row, column) for column in range(height if turned else width)]
        found.append([rows[y][x] for x, y in shown])
    return found


def chunk(name, body=b""):
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(rows, *more, size=None):
    """A PNG of rows of (red, green, blue) or (red, green, blue, alpha); `more` are chunks before the pixels."""
    width, height = size or (len(rows[0]), len(rows))
    kind = 6 if rows and len(rows[0][0]) == 4 else 2
    pixels = b"".join(b"\0" + bytes(value for pixel in row for value in pixel) for row in rows)
    head = struct.pack(">IIBBBBB", width, height, 8, kind, 0, 0, 0)
    return b"".join([b"\x89PNG\r\n\x1a\n", chunk(b"IHDR", head), *more, chunk(b"IDAT", zlib.compress(pixels)), chunk(b"IEND")])


def exif(orientation=1, order="<"):
    """A TIFF block as cameras write it: how the picture was held, what made it, and where."""
    maker, place = b"PlantedCamera 7\0", b"PLANTED-PLACE 48.2082N 16.3738E\0"
    entries = [(0x010F, 2, len(maker)), (0x0112, 3, 1), (0x8825, 4, 1)]
    directory = 8
    data = directory + 2 + 12 * len(entries) + 4
    gps = data + len(maker)
    values = {0x010F: struct.pack(order + "I", data), 0x0112: struct.pack(order + "HH", orientation, 0), 0x8825: struct.pack(order + "I", gps)}
    block = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(order + "I", directory) + struct.pack(order + "H", len(entries))
    for tag, kind, count in entries:
        block += struct.pack(order + "HHI", tag, kind, count) + values[tag]
    block += struct.pack(order + "I", 0) + maker
    # The GPS directory has one entry: the name of the place (GPSAreaInformation).
    return block + struct.pack(order + "HHHII", 1, 0x001C, 2, len(place), gps + 18) + struct.pack(order + "I", 0) + place


CHANNELS = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
# Where each pass of an interlaced PNG begins, and how far apart its pixels are, in columns and rows (Adam7).
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def row_bytes(width, height, depth=8, colour=2, interlaced=False):
    """How many bytes the rows of a PNG are before they are compressed."""
    sizes = [(width, height)]
    if interlaced:
        sizes = [(len(range(x, width, across)), len(range(y, height, down))) for x, y, across, down in PASSES]
    return sum(rows * (1 + (columns * depth * CHANNELS[colour] + 7) // 8) for columns, rows in sizes if columns)


def with_rows(width, height, compressed, depth=8, colour=2, interlaced=False):
    """A PNG of that form with these bytes for its rows."""
    head = struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, int(interlaced))
    palette = chunk(b"PLTE", bytes(48)) if colour == 3 else b""
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + palette + chunk(b"IDAT", compressed) + chunk(b"IEND", b"")


def blank_png(width, height, depth=8, colour=2, interlaced=False, missing=0):
    """A PNG of that form, all black, whose rows lack so many bytes at the end."""
    left, deflate, parts = row_bytes(width, height, depth, colour, interlaced) - missing, zlib.compressobj(6), []
    while left > 0:
        parts.append(deflate.compress(bytes(min(left, 10_000_000))))
        left -= 10_000_000
    return with_rows(width, height, b"".join(parts) + deflate.flush(), depth, colour, interlaced)


def blank_jpeg(width, height, components, progressive=False, blocks=None):
    """A JPEG of that size with one colour everywhere, or with the data of so many blocks only."""
    names = range(1, components + 1)
    frame = bytes([8]) + struct.pack(">HH", height, width) + bytes([components]) + b"".join(bytes([name, 0x11, 0]) for name in names)
    # One code of one bit in each table: no difference, no coefficients.
    tables = segment(0xDB, b"\0" + b"\1" * 64) + segment(0xC4, b"\x00\1" + bytes(16)) + segment(0xC4, b"\x10\1" + bytes(16))
    scan = bytes([components]) + b"".join(bytes([name, 0]) for name in names) + bytes([0, 0 if progressive else 63, 0])
    count = blocks or -(-width // 8) * -(-height // 8) * components
    data = bytes(count * (1 if progressive else 2) // 8 + 1)
    return b"\xff\xd8" + tables + segment(0xC2 if progressive else 0xC0, frame) + segment(0xDA, scan) + data + b"\xff\xd9"


def segment(marker, body):
    return bytes([0xFF, marker]) + struct.pack(">H", len(body) + 2) + body


def with_metadata(jpeg, orientation=1, order="<", comment=b"PLANTED-COMMENT"):
    """The JPEG with EXIF, XMP, a comment and a colour profile in it, as phones and programs leave them."""
    more = segment(0xE1, b"Exif\0\0" + exif(orientation, order))
    more += segment(0xE1, b"http://ns.adobe.com/xap/1.0/\0<x:xmpmeta>PLANTED-XMP</x:xmpmeta>")
    more += segment(0xE2, b"ICC_PROFILE\0\1\1" + b"PLANTED-PROFILE" * 20) + segment(0xFE, comment)
    return jpeg[:2] + more + jpeg[2:]


def convert(picture, *words, to="jpeg"):
    """The picture in another form, by ffmpeg."""
    codec = {"jpeg": ["-c:v", "mjpeg", "-q:v", "2"], "png": ["-c:v", "png"], "webp": ["-c:v", "libwebp"]}[to]
    kind = ["-f", "webp"] if to == "webp" else ["-f", "image2pipe"]
    done = subprocess.run(["ffmpeg", "-v", "error", "-i", "pipe:0", "-frames:v", "1", *words, *codec, *kind, "pipe:1"],
                          input=picture, capture_output=True, check=True)
    return done.stdout


def pixels(picture):
    """Width, height and the colours of a picture, row by row."""
    asked = subprocess.run(["ffprobe", "-v", "error", "-show_entries", "stream=width,height", "-of", "csv=p=0", "-i", "pipe:0"],
                           input=picture, capture_output=True, check=True)
    width, height = map(int, asked.stdout.split(b","))
    raw = subprocess.run(["ffmpeg", "-v", "error", "-noautorotate", "-i", "pipe:0", "-f", "rawvideo", "-pix_fmt", "rgb24", "pipe:1"],
                         input=picture, capture_output=True, check=True).stdout
    assert len(raw) == width * height * 3
    return width, height, raw


def shown_quarters(picture):
    """The colour in the middle of each quarter, as the name of the quarter of `COLOURS` that it is nearest to."""
    width, height, raw = pixels(picture)

    def nearest(x, y):
        found = raw[(y * width + x) * 3:][:3]
        return min(COLOURS, key=lambda name: sum(abs(a - b) for a, b in zip(COLOURS[name], found)))
    return {name: nearest(width * (3 if "right" in name else 1) // 4, height * (3 if "bottom" in name else 1) // 4) for name in COLOURS}


def markers(jpeg):
    """The markers of a JPEG's segments up to its scan, and whether nothing lies behind its end."""
    found, at = [], 2
    while jpeg[at + 1] != 0xDA:
        found.append(jpeg[at + 1])
        at += 2 + struct.unpack(">H", jpeg[at + 2:at + 4])[0]
    return found, jpeg.find(b"\xff\xd9", at) == len(jpeg) - 2
