// The reference for the benchmarks, in plain C: the work of `beaconctl sightings --source file:… --format csv`, and of
// Benchmarks/DecodeBenchmark.
//
//     gcc -O2 -o c_baseline c_baseline.c
//     c_baseline FILE           one line for every iBeacon in a btsnoop file (datalink 2001 or 1002)
//     c_baseline FILE ROUNDS    decodes the events of the file again and again, in memory; prints the nanoseconds of
//                               CPU time per event in the fastest round
//
// It reads through one 256 KiB buffer, checks every index and allocates nothing. It supports nothing else: no other
// format, no fragments, no sources. The difference to our reader is what those cost.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
    uint8_t address[6], uuid[16];
    uint16_t major, minor;
    int8_t power, rssi;
} Beacon;

// An HCI event, starting with its event code; size 0 for a record without one.
typedef struct {
    const uint8_t *bytes;
    uint32_t size;
    uint64_t time;
} Event;

enum { MAXIMUM_REPORTS = 16, MONITOR = 2001 };

static inline uint32_t big32(const uint8_t *p) {
    uint32_t v;
    memcpy(&v, p, 4);
    return __builtin_bswap32(v);
}

static inline uint64_t big64(const uint8_t *p) {
    uint64_t v;
    memcpy(&v, p, 8);
    return __builtin_bswap64(v);
}

// The iBeacon in an advertising payload. Returns whether there is one.
static int find_ibeacon(const uint8_t *data, uint32_t size, Beacon *out) {
    for (uint32_t i = 0; i < size;) {
        uint32_t length = data[i];
        if (length == 0 || i + 1 + length > size) return 0;
        const uint8_t *ad = data + i + 1;
        if (length >= 26 && ad[0] == 0xff && ad[1] == 0x4c && ad[2] == 0 && ad[3] == 2 && ad[4] == 0x15) {
            memcpy(out->uuid, ad + 5, 16);
            out->major = ad[21] << 8 | ad[22];
            out->minor = ad[23] << 8 | ad[24];
            out->power = (int8_t)ad[25];
            return 1;
        }
        i += 1 + length;
    }
    return 0;
}

// The iBeacons in the advertising reports of one event: legacy (0x02) or extended (0x0d).
// Not inlined, so that its cost can be told apart from the formatting's.
__attribute__((noinline)) static int parse_event(const Event *event, Beacon *out) {
    const uint8_t *e = event->bytes;
    uint32_t n = event->size;
    if (n < 4 || e[0] != 0x3e || e[1] + 2u > n) return 0;
    n = e[1] + 2u;
    uint32_t offset = 4;
    int found = 0, kind = e[2];
    if (kind != 0x02 && kind != 0x0d) return 0;
    for (int reports = e[3]; reports > 0 && found < MAXIMUM_REPORTS; reports--) {
        uint32_t fixed = kind == 0x02 ? 9 : 24;
        if (offset + fixed > n) return found;
        const uint8_t *report = e + offset, *data = report + fixed;
        uint32_t size = report[fixed - 1];
        uint32_t end = offset + fixed + size + (kind == 0x02);
        if (end > n) return found;
        if (find_ibeacon(data, size, out + found)) {
            memcpy(out[found].address, report + (kind == 0x02 ? 2 : 3), 6);
            out[found].rssi = (int8_t)(kind == 0x02 ? data[size] : report[13]);
            found++;
        }
        offset = end;
    }
    return found;
}

static char output[1 << 16], *cursor = output;

static void flush(void) {
    for (char *p = output; p < cursor;) {
        ssize_t n = write(1, p, cursor - p);
        if (n <= 0) exit(1);
        p += n;
    }
    cursor = output;
}

static void put_number(int value) {
    char digits[8];
    int count = 0;
    if (value < 0) *cursor++ = '-', value = -value;
    do digits[count++] = '0' + value % 10;
    while (value /= 10);
    while (count) *cursor++ = digits[--count];
}

static void put_fixed(uint64_t value, int width) {
    for (int i = width - 1; i >= 0; i--, value /= 10) cursor[i] = '0' + value % 10;
    cursor += width;
}

static void put_hex(uint8_t octet) {
    static const char digits[] = "0123456789abcdef";
    *cursor++ = digits[octet >> 4];
    *cursor++ = digits[octet & 15];
}

static void print_event(const Event *event) {
    const uint64_t btsnoop_epoch = 0x00DCDDB30F2F8000ull;
    Beacon found[MAXIMUM_REPORTS];
    int count = parse_event(event, found);
    for (Beacon *b = found; b < found + count; b++) {
        if (cursor - output > (1 << 16) - 256) flush();
        uint64_t time = event->time - btsnoop_epoch;
        put_fixed(time / 1000000, 10), *cursor++ = '.', put_fixed(time % 1000000, 6), *cursor++ = ',';
        for (int i = 5; i >= 0; i--) put_hex(b->address[i]), *cursor++ = i ? ':' : ',';
        put_number(b->rssi), *cursor++ = ',';
        for (int i = 0; i < 16; i++) {
            put_hex(b->uuid[i]);
            if (i == 3 || i == 5 || i == 7 || i == 9) *cursor++ = '-';
        }
        *cursor++ = ',', put_number(b->major), *cursor++ = ',', put_number(b->minor);
        *cursor++ = ',', put_number(b->power), *cursor++ = '\n';
    }
}

// Reads one btsnoop record. Returns the offset after it, or 0 if it is not complete yet.
static size_t next_record(const uint8_t *file, size_t offset, size_t size, uint32_t datalink, Event *event) {
    if (offset + 24 > size) return 0;
    const uint8_t *header = file + offset, *bytes = header + 24;
    uint32_t included = big32(header + 4), flags = big32(header + 8);
    if (offset + 24 + (size_t)included > size) return 0;
    event->size = 0;
    event->time = big64(header + 16);
    if (datalink == MONITOR) {
        if ((flags & 0xffff) == 3) event->bytes = bytes, event->size = included;
    } else if (included && bytes[0] == 4) {
        event->bytes = bytes + 1, event->size = included - 1;
    }
    return offset + 24 + included;
}

// Calls `handle` with every event of the file.
static int read_events(const char *path, void (*handle)(const Event *)) {
    int file = open(path, O_RDONLY);
    if (file < 0) return perror(path), 1;
    static uint8_t buffer[1 << 18];
    size_t filled = 0, offset = 16;
    uint32_t datalink = 0;
    ssize_t n;
    while ((n = read(file, buffer + filled, sizeof buffer - filled)) > 0) {
        filled += n;
        if (!datalink) {
            if (filled < 16 || memcmp(buffer, "btsnoop", 8)) return fprintf(stderr, "not btsnoop\n"), 1;
            datalink = big32(buffer + 12);
        }
        Event event;
        for (size_t end; (end = next_record(buffer, offset, filled, datalink, &event)); offset = end)
            if (event.size) handle(&event);
        memmove(buffer, buffer + offset, filled - offset);
        filled -= offset;
        offset = 0;
    }
    return 0;
}

static Event *kept;
static size_t kept_count;

static void keep(const Event *event) {
    static size_t room;
    if (kept_count == room) kept = realloc(kept, (room = room ? 2 * room : 1024) * sizeof *kept);
    uint8_t *bytes = malloc(event->size);
    if (!kept || !bytes) exit(1);
    memcpy(bytes, event->bytes, event->size);
    kept[kept_count++] = (Event){bytes, event->size, event->time};
}

static double process_time(void) {
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + time.tv_nsec * 1e-9;
}

static long decode_all(void) {
    long sum = 0;
    Beacon found[MAXIMUM_REPORTS];
    for (const Event *event = kept; event < kept + kept_count; event++) {
        int count = parse_event(event, found);
        for (Beacon *b = found; b < found + count; b++) sum += b->uuid[15] + b->major + b->minor + b->power + b->rssi;
    }
    return sum;
}

static int decode_rounds(const char *path, int rounds) {
    if (rounds < 1 || read_events(path, keep) || !kept_count) return 1;
    long expected = decode_all();
    double fastest = 1e9;
    for (int round = 0; round < rounds; round++) {
        double began = process_time();
        long sum = decode_all();
        double spent = process_time() - began;
        if (sum != expected) return 1;
        if (spent < fastest) fastest = spent;
    }
    printf("{\"events\": %zu, \"ns_per_event\": %.3f}\n", kept_count, fastest / kept_count * 1e9);
    return 0;
}

int main(int count, char **arguments) {
    if (count == 3) return decode_rounds(arguments[1], atoi(arguments[2]));
    if (count != 2) return fprintf(stderr, "usage: c_baseline FILE [ROUNDS]\n"), 2;
    int status = read_events(arguments[1], print_event);
    flush();
    return status;
}
