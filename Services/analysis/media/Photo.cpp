#include "Photo.hpp"

#include <csignal>
#include <unistd.h>
#include <vector>

#include "Base64.hpp"
#include "Child.hpp"
#include "Confinement.hpp"
#include "Json.hpp"
#include "Limits.hpp"
#include "Output.hpp"
#include "PngPixels.hpp"

namespace mirrormate {

namespace {

struct Reader {
    const char* form;
    const char* demuxer;
    const char* decoder;
};

/// Each form has one demuxer and one decoder, which ffmpeg may use for it and no other.
constexpr Reader readers[] = {{"jpeg", "jpeg_pipe", "mjpeg"}, {"png", "png_pipe", "png"}, {"webp", "webp_pipe", "webp"}};

/// What stands a picture upright, by its orientation; the picture is square by then.
constexpr const char* turns[] = {"", ",hflip", ",hflip,vflip", ",vflip", ",transpose=cclock_flip", ",transpose=clock",
    ",transpose=clock_flip", ",transpose=cclock"};

/// Of one that is all noise, the first quality is too much; the last one never is.
constexpr const char* qualities[] = {"4", "12", "31"};
constexpr size_t mostBytes = 96 * 1024;
/// 25 megapixels, and what ffmpeg adds to make rows of a width that suits it.
constexpr const char* mostDecoded = "26000000";

const Reader* readerOf(const std::string& form) {
    for (const Reader& reader : readers)
        if (form == reader.form) return &reader;
    return nullptr;
}

std::vector<std::string> converter(const std::string& file, const PhotoForm& form, const char* quality) {
    const Reader& reader = *readerOf(form.name);
    // White comes from the picture, too: of one that cannot be decoded there is nothing.
    std::string filter = "[0:v:0]sidedata=mode=delete,crop=w='min(iw,ih)':h='min(iw,ih)',scale=512:512:flags=area,setsar=1,format=rgba";
    filter += turns[form.orientation - 1];
    filter += ",split[ground][picture];[ground]lutrgb=r=255:g=255:b=255:a=255[white];[white][picture]overlay=format=rgb,format=yuvj420p";
    return {"ffmpeg", "-nostdin", "-hide_banner", "-v", "repeat+error", "-protocol_whitelist", "file,pipe", "-format_whitelist",
        reader.demuxer, "-codec_whitelist", reader.decoder, "-max_alloc", "268435456", "-max_pixels", mostDecoded, "-threads", "1",
        "-filter_threads", "1", "-filter_complex_threads", "1", "-err_detect", "explode", "-noautorotate", "-f", reader.demuxer,
        "-i", file, "-filter_complex", filter, "-frames:v", "1", "-map_metadata", "-1", "-c:v", "mjpeg", "-q:v", quality,
        "-flags", "+bitexact", "-fflags", "+bitexact", "-f", "image2pipe", "pipe:1"};
}

}  // namespace

bool PhotoForm::isKnown() const { return readerOf(name) && orientation >= 1 && orientation <= 8; }

std::string makePhoto(const std::string& input, const PhotoForm& form) {
    std::string file = input;
    if (form.name == "png") {
        file = "pixels-" + std::to_string(getpid());
        removeAtEnd(file);
        keepPixels(input, file);
    }
    for (const char* quality : qualities) {
        std::string jpeg;
        bool isTooMuch = false;
        ChildEnd end = runChild(converter(file, form, quality), clockLeft(), [&](const char* bytes, size_t count) {
            jpeg.append(bytes, count);
            isTooMuch = jpeg.size() > mostBytes;
            return !isTooMuch;
        }, nullptr, photoAllowance);
        if (!end.started) throw Failure{"internal", "The picture tools are not installed. Install ffmpeg, then try again.", true};
        if (isTooMuch) continue;
        if (end.signal == SIGSYS)
            throw Failure{"internal", "The picture decoder did what it must not do, and was stopped. Try again.", true};
        if (end.stopped || end.signal != 0)
            throw Failure{"internal", "The picture decoder was stopped, because it took too long or too much. Try again.", true};
        // What could be decoded in part only is no picture either.
        if (!end.good() || jpeg.empty())
            throw Failure{"unreadable", "The file cannot be read as a picture; it may be damaged or incomplete. Choose another one.", false};
        return jpeg;
    }
    throw Failure{"internal", "The picture cannot be made small enough. Choose another one.", true};
}

std::string photoLine(const std::string& jpeg) {
    return Json().object().key("result").object().field("jpeg", base64(jpeg)).endObject().endObject().document();
}

}  // namespace mirrormate
