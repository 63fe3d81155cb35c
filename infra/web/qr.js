// A QR code (ISO/IEC 18004) of a short text, so that an authenticator app on a phone can take a secret from the screen.
// Bytes alone, the least correction, versions 1 to 10: as many as 271 bytes.
const codewords = [0, 26, 44, 70, 100, 134, 172, 196, 242, 292, 346];
// Of each block: how many codewords correct it; then how many blocks there are.
const correcting = [0, 7, 10, 15, 20, 26, 18, 20, 24, 30, 18];
const blocks = [0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 4];
const aligned = [[], [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50]];

/** The dark modules, row by row; null for a text that is too long. */
export function modules(text) {
    const bytes = new TextEncoder().encode(text);
    const room = (version) => codewords[version] - correcting[version] * blocks[version] - (version < 10 ? 2 : 3);
    const version = codewords.findIndex((_, place) => place > 0 && room(place) >= bytes.length);
    if (version < 0) return null;
    const size = version * 4 + 17;
    const dark = [...Array(size)].map(() => Array(size).fill(false));
    const fixed = [...Array(size)].map(() => Array(size).fill(false));
    const set = (x, y, isDark) => {
        dark[y][x] = isDark;
        fixed[y][x] = true;
    };
    frame(version, size, set);
    format(size, set, 0);
    place(interleaved(bytes, version), size, dark, fixed);
    // The pattern that is easiest to read.
    let best = { penalty: Infinity };
    for (let mask = 0; mask < 8; mask += 1) {
        flip(mask, size, dark, fixed);
        format(size, set, mask);
        const found = penalty(size, dark);
        if (found < best.penalty) best = { penalty: found, rows: dark.map((row) => [...row]), mask };
        flip(mask, size, dark, fixed);
    }
    return best.rows;
}

function frame(version, size, set) {
    for (let at = 0; at < size; at += 1) {
        set(6, at, at % 2 === 0);
        set(at, 6, at % 2 === 0);
    }
    for (const [x, y] of [[3, 3], [size - 4, 3], [3, size - 4]]) {
        for (let dy = -4; dy <= 4; dy += 1) {
            for (let dx = -4; dx <= 4; dx += 1) {
                const far = Math.max(Math.abs(dx), Math.abs(dy));
                if (x + dx >= 0 && x + dx < size && y + dy >= 0 && y + dy < size) set(x + dx, y + dy, far !== 2 && far !== 4);
            }
        }
    }
    const marks = aligned[version];
    const last = marks.length - 1;
    marks.forEach((x, column) => marks.forEach((y, row) => {
        if ((column === 0 && row === 0) || (column === 0 && row === last) || (column === last && row === 0)) return;
        for (let dy = -2; dy <= 2; dy += 1) {
            for (let dx = -2; dx <= 2; dx += 1) set(x + dx, y + dy, Math.max(Math.abs(dx), Math.abs(dy)) !== 1);
        }
    }));
    if (version < 7) return;
    let rest = version;
    for (let step = 0; step < 12; step += 1) rest = (rest << 1) ^ ((rest >>> 11) * 0x1f25);
    const bits = (version << 12) | rest;
    for (let bit = 0; bit < 18; bit += 1) {
        const far = size - 11 + (bit % 3);
        const near = Math.floor(bit / 3);
        set(far, near, ((bits >>> bit) & 1) !== 0);
        set(near, far, ((bits >>> bit) & 1) !== 0);
    }
}

function format(size, set, mask) {
    const data = (1 << 3) | mask;
    let rest = data;
    for (let step = 0; step < 10; step += 1) rest = (rest << 1) ^ ((rest >>> 9) * 0x537);
    const bits = ((data << 10) | rest) ^ 0x5412;
    const is = (bit) => ((bits >>> bit) & 1) !== 0;
    for (let bit = 0; bit <= 5; bit += 1) set(8, bit, is(bit));
    set(8, 7, is(6));
    set(8, 8, is(7));
    set(7, 8, is(8));
    for (let bit = 9; bit < 15; bit += 1) set(14 - bit, 8, is(bit));
    for (let bit = 0; bit < 8; bit += 1) set(size - 1 - bit, 8, is(bit));
    for (let bit = 8; bit < 15; bit += 1) set(8, size - 15 + bit, is(bit));
    set(8, size - 8, true);
}

/** What is said, with what corrects it, in the order in which it is drawn. */
function interleaved(bytes, version) {
    const bits = [];
    const push = (value, count) => {
        for (let bit = count - 1; bit >= 0; bit -= 1) bits.push((value >>> bit) & 1);
    };
    push(4, 4);
    push(bytes.length, version < 10 ? 8 : 16);
    bytes.forEach((byte) => push(byte, 8));
    const capacity = codewords[version] - correcting[version] * blocks[version];
    push(0, Math.min(4, capacity * 8 - bits.length));
    push(0, (8 - (bits.length % 8)) % 8);
    for (let pad = 0xec; bits.length < capacity * 8; pad ^= 0xec ^ 0x11) push(pad, 8);
    const data = [...Array(capacity)].map((_, at) => bits.slice(at * 8, at * 8 + 8).reduce((sum, bit) => sum * 2 + bit, 0));
    const short = blocks[version] - (codewords[version] % blocks[version]);
    const length = Math.floor(codewords[version] / blocks[version]) - correcting[version];
    const generator = divisor(correcting[version]);
    const parts = [];
    for (let at = 0, block = 0; block < blocks[version]; block += 1) {
        const own = data.slice(at, at + length + (block < short ? 0 : 1));
        at += own.length;
        parts.push({ own, check: remainder(own, generator) });
    }
    const all = [];
    for (let at = 0; at <= length; at += 1) parts.forEach(({ own }) => at < own.length && all.push(own[at]));
    for (let at = 0; at < correcting[version]; at += 1) parts.forEach(({ check }) => all.push(check[at]));
    return all;
}

/** In the field of 256 elements. */
function product(left, right) {
    let all = 0;
    for (let bit = 7; bit >= 0; bit -= 1) {
        all = (all << 1) ^ ((all >>> 7) * 0x11d);
        all ^= ((right >>> bit) & 1) * left;
    }
    return all;
}

function divisor(degree) {
    const factors = Array(degree).fill(0);
    factors[degree - 1] = 1;
    let root = 1;
    for (let step = 0; step < degree; step += 1) {
        for (let at = 0; at < degree; at += 1) factors[at] = product(factors[at], root) ^ (factors[at + 1] ?? 0);
        root = product(root, 2);
    }
    return factors;
}

function remainder(data, generator) {
    const rest = Array(generator.length).fill(0);
    for (const byte of data) {
        const factor = byte ^ rest.shift();
        rest.push(0);
        generator.forEach((one, at) => { rest[at] ^= product(one, factor); });
    }
    return rest;
}

/** In pairs of columns from the right, up and down in turn. */
function place(data, size, dark, fixed) {
    let at = 0;
    for (let right = size - 1; right >= 1; right -= 2) {
        if (right === 6) right = 5;
        for (let step = 0; step < size; step += 1) {
            for (const x of [right, right - 1]) {
                const y = ((right + 1) & 2) === 0 ? size - 1 - step : step;
                if (fixed[y][x] || at >= data.length * 8) continue;
                dark[y][x] = ((data[at >>> 3] >>> (7 - (at & 7))) & 1) !== 0;
                at += 1;
            }
        }
    }
}

const masks = [
    (x, y) => (x + y) % 2, (_, y) => y % 2, (x) => x % 3, (x, y) => (x + y) % 3,
    (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2, (x, y) => ((x * y) % 2) + ((x * y) % 3),
    (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2, (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2,
];

function flip(mask, size, dark, fixed) {
    for (let y = 0; y < size; y += 1) {
        for (let x = 0; x < size; x += 1) {
            if (!fixed[y][x] && masks[mask](x, y) === 0) dark[y][x] = !dark[y][x];
        }
    }
}

function penalty(size, dark) {
    let sum = 0;
    let count = 0;
    for (let one = 0; one < size; one += 1) {
        for (const at of [(other) => dark[one][other], (other) => dark[other][one]]) {
            const line = [...Array(size)].map((_, other) => (at(other) ? "1" : "0")).join("");
            for (const run of line.match(/0{5,}|1{5,}/g) ?? []) sum += run.length - 2;
            for (let start = 0; start <= size - 11; start += 1) {
                if (["10111010000", "00001011101"].includes(line.slice(start, start + 11))) sum += 40;
            }
        }
        for (let other = 0; other < size; other += 1) {
            count += dark[one][other] ? 1 : 0;
            if (one + 1 < size && other + 1 < size
                && dark[one][other] === dark[one][other + 1] && dark[one][other] === dark[one + 1][other] && dark[one][other] === dark[one + 1][other + 1]) sum += 3;
        }
    }
    return sum + Math.floor(Math.abs((count * 20) / (size * size) - 10)) * 10;
}
