// An ffmpeg that somebody has taken over, and that says to the helper whatever comes to its mind: pictures of any size, sound of any
// length, figures that are none. All of it follows from the first bytes of its input.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint64_t state = 14695981039346656037u;

static void stir(const void *bytes, size_t count) {
    for (size_t at = 0; at < count; ++at) state = (state ^ ((const unsigned char *)bytes)[at]) * 1099511628211u;
}

static uint64_t next(void) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return state;
}

static long below(long end) { return (long)(next() % (uint64_t)end); }

static void noise(long count) {
    static unsigned char bytes[640 * 640];
    // All the same, or each another one, or a pattern.
    const long kind = below(3), value = below(256);
    for (long at = 0; at < (long)sizeof bytes && at < count; ++at)
        bytes[at] = (unsigned char)(kind == 0 ? value : kind == 1 ? below(256) : at * value / 16);
    while (count > 0) {
        const size_t part = count < (long)sizeof bytes ? (size_t)count : sizeof bytes;
        fwrite(bytes, 1, part, stdout);
        count -= (long)part;
    }
}

static long side(void) {
    static const long edges[] = {1, 2, 3, 7, 8, 9, 63, 64, 79, 80, 81, 639, 640};
    return below(2) ? 1 + below(320) : edges[below(sizeof edges / sizeof *edges)];
}

static void pictures(void) {
    const long same = below(2), width = side(), height = side();
    for (long left = below(50); left > 0; --left) {
        const long columns = same ? width : side(), rows = same ? height : side();
        switch (below(600)) {
        case 0: printf("P5\n-%ld %ld\n255\n", columns, rows); break;
        case 1: printf("P5\n%ld 99999999999\n255\n", columns); break;
        case 2: printf("P5\n\n\n"); break;
        case 3: noise(below(4096)); break;
        case 4: printf("P5\n641 %ld\n255\n", rows); break;
        default: printf("P5\n%ld %ld\n255\n", columns, rows);
        }
        noise(below(600) ? columns * rows : below(columns * rows));
    }
}

static void sound(void) {
    static const char *const values[] = {"nan", "-inf", "1e999", "-70.0", "0", "-1e-320", "", "x"};
    FILE *figures = fdopen(3, "w");
    for (long left = below(200); figures && left > 0; --left) {
        const char *value = values[below(sizeof values / sizeof *values)];
        if (below(2)) fprintf(figures, "lavfi.r128.I=%s\n", value);
        else fprintf(figures, "lavfi.r128.true_peaks_ch%ld=%s\n", below(9), value);
        // A line without an end.
        if (below(50) == 0) for (long more = below(100000); more > 0; --more) fputc('x', figures);
    }
    if (figures) fclose(figures);
    for (long left = below(25); left > 0; --left) noise(below(16000));
}

int main(int count, char **words) {
    int isSound = 0;
    for (int at = 1; at < count; ++at) {
        if (strcmp(words[at], "s16le") == 0) isSound = 1;
        if (strcmp(words[at], "-i") != 0 || at + 1 == count) continue;
        const char *path = words[at + 1];
        FILE *input = fopen(strncmp(path, "file:", 5) == 0 ? path + 5 : path, "r");
        char bytes[4096];
        if (input) stir(bytes, fread(bytes, 1, sizeof bytes, input));
    }
    stir(&isSound, sizeof isSound);
    for (long left = below(5); left > 0; --left)
        fprintf(stderr, below(8) ? "[x @ 0x1] whatever it is\n" : "[mov @ 0x1] stream 0, offset 0x1: partial file\n");
    if (isSound) sound();
    else pictures();
    fflush(stdout);
    if (below(20) == 0) abort();
    return (int)below(2);
}
