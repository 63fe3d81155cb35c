#include "Cut.hpp"

#include <algorithm>
#include <cstdint>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mirrormate {

namespace {

/// More parts than any recording has; whoever made more gets no more time.
constexpr int mostParts = 1'000'000;

/// A video may honestly be a little shorter than its index says; less than this share, and less than so many seconds, is
/// forgiven.
constexpr double forgivenShare = 0.1, forgivenSeconds = 1;

/// The bytes of a file, by position. Nothing of them is believed: each size is compared with the file's own.
class Bytes {
public:
    explicit Bytes(const std::string& path) : file(open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
        struct stat facts{};
        if (file >= 0 && fstat(file, &facts) == 0 && facts.st_size > 0) size = (uint64_t)facts.st_size;
    }
    ~Bytes() {
        if (file >= 0) close(file);
    }
    Bytes(const Bytes&) = delete;

    bool read(uint64_t at, uint8_t* to, size_t count) const {
        return at <= size && count <= size - at && pread(file, to, count, (off_t)at) == (ssize_t)count;
    }
    /// A number of so many bytes, most significant first; false behind the end.
    bool number(uint64_t at, size_t count, uint64_t& value) const {
        uint8_t bytes[8];
        if (!read(at, bytes, count)) return false;
        value = 0;
        for (size_t index = 0; index < count; ++index) value = value << 8 | bytes[index];
        return true;
    }

    uint64_t size = 0;

private:
    int file;
};

constexpr uint64_t name(const char (&letters)[5]) {
    uint64_t value = 0;
    for (int index = 0; index < 4; ++index) value = value << 8 | (uint8_t)letters[index];
    return value;
}

/// Whether the fragments that an index in front of them lists reach beyond the file; `at` is where the index's content begins.
bool isIndexBeyond(const Bytes& bytes, uint64_t at, uint64_t end) {
    uint64_t version = 0, offset = 0, count = 0;
    if (!bytes.number(at, 1, version)) return false;
    const uint64_t wide = version == 0 ? 4 : 8;
    at += 12 + wide;
    if (!bytes.number(at, wide, offset) || !bytes.number(at + wide + 2, 2, count) || offset > bytes.size) return false;
    uint64_t reach = end + offset;
    at += wide + 4;
    for (uint64_t index = 0; index < count; ++index, at += 12) {
        uint64_t length = 0;
        if (at + 12 > end || !bytes.number(at, 4, length)) return false;
        reach += length & 0x7FFF'FFFF;
    }
    return reach > bytes.size;
}

/// Walks over the boxes of an MP4; see ISO 14496-12.
bool isCutMP4(const Bytes& bytes) {
    // A fragment's data come behind its head, or, as the standard allows, before it.
    bool isFragmented = false, wantsData = false, hasData = false;
    uint64_t at = 0;
    for (int parts = 0; at < bytes.size && parts < mostParts; ++parts) {
        uint64_t length = 0, type = 0, head = 8;
        // A few stray bytes at the end are no box.
        if (!bytes.number(at, 4, length) || !bytes.number(at + 4, 4, type)) return wantsData;
        if (length == 1) {
            head = 16;
            if (!bytes.number(at + 8, 8, length)) return isFragmented;
        }
        // Zero reaches to the end of the file, wherever that is.
        if (length == 0) return false;
        if (length < head) return false;
        isFragmented = isFragmented || type == name("moof");
        if (length > bytes.size - at)
            return isFragmented && (type == name("moof") || type == name("mdat"));
        if (type == name("moof")) {
            wantsData = !hasData;
            hasData = false;
        }
        if (type == name("mdat")) {
            hasData = !wantsData;
            wantsData = false;
        }
        if (type == name("sidx") && isIndexBeyond(bytes, at + head, at + length)) return true;
        at += length;
    }
    return wantsData;
}

/// The head of an element of Matroska (RFC 8794): its name, where its content begins and how long that is.
struct Element {
    uint64_t name = 0, content = 0, length = 0;
    bool isEndless = false;

    bool read(const Bytes& bytes, uint64_t at) {
        size_t width = 0;
        uint64_t first = 0;
        if (!bytes.number(at, 1, first) || (width = octets(first)) > 4 || !bytes.number(at, width, name)) return false;
        at += width;
        if (!bytes.number(at, 1, first) || (width = octets(first)) > 8 || !bytes.number(at, width, length)) return false;
        const uint64_t all = (1ull << (7 * width)) - 1;
        length &= all;
        isEndless = length == all;
        content = at + width;
        return true;
    }
    bool isBeyond(const Bytes& bytes) const { return length > bytes.size - content; }

private:
    /// How many bytes a number has whose first byte this is: one more than there are zeros at its front.
    static size_t octets(uint64_t first) {
        size_t count = 1;
        for (uint64_t bit = 0x80; bit != 0 && (first & bit) == 0; bit >>= 1) ++count;
        return count;
    }
};

constexpr uint64_t headElement = 0x1A45DFA3, segmentElement = 0x18538067, clusterElement = 0x1F43B675;

/// Walks over the clusters of a Matroska file whose length nobody knew when it was begun.
bool isCutMatroska(const Bytes& bytes) {
    Element element;
    if (!element.read(bytes, 0) || element.isEndless || element.isBeyond(bytes)) return false;
    if (!element.read(bytes, element.content + element.length) || element.name != segmentElement) return false;
    // One that knows its length promises one, too.
    if (!element.isEndless) return false;
    uint64_t at = element.content;
    for (int parts = 0; parts < mostParts && element.read(bytes, at); ++parts) {
        at = element.content;
        // What a cluster without a size holds is walked over like its neighbours.
        if (element.name == clusterElement && element.isEndless) continue;
        if (element.isEndless) return false;
        if (element.isBeyond(bytes)) return element.name == clusterElement;
        at += element.length;
    }
    return false;
}

}  // namespace

bool isCutOff(const std::string& file) {
    const std::string prefix = "file:";
    const Bytes bytes(file.compare(0, prefix.size(), prefix) == 0 ? file.substr(prefix.size()) : file);
    uint64_t first = 0, second = 0;
    if (!bytes.number(0, 4, first) || !bytes.number(4, 4, second)) return false;
    if (first == headElement) return isCutMatroska(bytes);
    return second == name("ftyp") && isCutMP4(bytes);
}

bool isMuchMissing(double promised, double seconds) {
    return promised - seconds > std::max(forgivenSeconds, forgivenShare * promised);
}

Failure endsEarly() {
    return {"ends-early",
        "The video ends early: a part of the file is missing. Upload the whole file, or record it again.", false};
}

}  // namespace mirrormate
