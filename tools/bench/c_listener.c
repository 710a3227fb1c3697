// The reference for the benchmark of the daemon under load: a listener as one would first write it, in plain C.
//
//     gcc -O2 -o c_listener c_listener.c -lm
//     c_listener SOCKET      reads H4 from a Unix socket until it ends, and prints how many iBeacons it has received
//
// It reads whatever has come, which is one packet at a time where packets come one at a time. Each iBeacon goes into a
// hash table, with an exponential moving average of its level. It does nothing else: no ranking, no events, no exits.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { SLOTS = 1 << 15, IDENTITY = 20 };

typedef struct {
    uint8_t identity[IDENTITY], isUsed;
    int8_t power;
    double level, distance, seen;
    unsigned long count;
} Beacon;

static Beacon beacons[SLOTS];
static unsigned long sightings;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void hear(const uint8_t *identity, int8_t power, int8_t rssi) {
    uint32_t hash = 2166136261u;
    for (int i = 0; i < IDENTITY; i++) hash = (hash ^ identity[i]) * 16777619u;
    Beacon *beacon = NULL;
    for (uint32_t i = 0; i < SLOTS; i++) {
        beacon = beacons + (hash + i) % SLOTS;
        if (!beacon->isUsed || !memcmp(beacon->identity, identity, IDENTITY)) break;
    }
    if (!beacon->isUsed) {
        memcpy(beacon->identity, identity, IDENTITY);
        beacon->isUsed = 1;
        beacon->level = rssi;
    }
    beacon->level += 0.2 * (rssi - beacon->level);
    beacon->power = power;
    beacon->distance = pow(10, (power - beacon->level) / 20);
    beacon->seen = now();
    beacon->count++;
    sightings++;
}

// The first iBeacon in an advertising payload.
static void read_payload(const uint8_t *data, size_t size, int8_t rssi) {
    for (size_t i = 0; i < size && data[i] && i + 1 + data[i] <= size; i += 1 + data[i]) {
        const uint8_t *ad = data + i + 1;
        if (data[i] < 26 || ad[0] != 0xff || ad[1] != 0x4c || ad[2] || ad[3] != 2 || ad[4] != 0x15) continue;
        hear(ad + 5, (int8_t)ad[25], rssi);
        return;
    }
}

// One HCI event of `size` octets, starting with its code: an LE Advertising Report with one report, or something else.
static void read_event(const uint8_t *event, size_t size) {
    if (size < 13 || event[0] != 0x3e || event[2] != 0x02 || event[3] != 1) return;
    size_t length = event[12];
    if (13 + length + 1 > size) return;
    read_payload(event + 13, length, (int8_t)event[13 + length]);
}

int main(int count, char **arguments) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (count != 2 || strlen(arguments[1]) >= sizeof address.sun_path)
        return fprintf(stderr, "usage: c_listener SOCKET\n"), 2;
    strcpy(address.sun_path, arguments[1]);
    int descriptor = socket(AF_UNIX, SOCK_STREAM, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) < 0)
        return perror(arguments[1]), 1;
    static uint8_t buffer[1 << 16];
    size_t filled = 0;
    ssize_t n;
    while ((n = read(descriptor, buffer + filled, sizeof buffer - filled)) > 0) {
        filled += (size_t)n;
        size_t offset = 0;
        while (filled - offset >= 3 && filled - offset >= 3u + buffer[offset + 2]) {
            if (buffer[offset] != 4) return fprintf(stderr, "not an event\n"), 1;
            read_event(buffer + offset + 1, 2u + buffer[offset + 2]);
            offset += 3u + buffer[offset + 2];
        }
        memmove(buffer, buffer + offset, filled - offset);
        filled -= offset;
    }
    printf("%lu\n", sightings);
    return 0;
}
