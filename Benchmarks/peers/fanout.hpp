// What the programs of the fan-out benchmark share: a WebSocket client's connection, clocks, a histogram.
#pragma once
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <vector>

[[noreturn]] inline void fail(const char* what) {
    fprintf(stderr, "fanout: %s%s%s\n", what, errno ? ": " : "", errno ? strerror(errno) : "");
    _exit(1);
}

inline uint64_t now() {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return uint64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

inline void raiseFileLimit(rlim_t needed) {
    rlimit limit;
    getrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur >= needed) return;
    limit.rlim_cur = std::min(std::max(needed, limit.rlim_cur), limit.rlim_max);
    setrlimit(RLIMIT_NOFILE, &limit);
    if (limit.rlim_cur < needed) fail("too few file descriptors are allowed (ulimit -Hn)");
}

/// Seconds of processor time that a process has used, all threads, to the nanosecond.
inline double processorSeconds(int pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", pid);
    DIR* folder = opendir(path);
    if (!folder) fail("the server is gone");
    double sum = 0;
    while (dirent* entry = readdir(folder)) {
        if (entry->d_name[0] == '.') continue;
        std::string name = std::string(path) + "/" + entry->d_name + "/schedstat";
        unsigned long long used = 0;
        if (FILE* file = fopen(name.c_str(), "r")) {
            if (fscanf(file, "%llu", &used) == 1) sum += used / 1e9;
            fclose(file);
        }
    }
    closedir(folder);
    return sum;
}

inline long residentBytes(int pid) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/statm", pid);
    FILE* file = fopen(path, "r");
    long total = 0, resident = 0;
    if (!file || fscanf(file, "%ld %ld", &total, &resident) != 2) fail("the server is gone");
    fclose(file);
    return resident * sysconf(_SC_PAGESIZE);
}

/// Nanoseconds, 32 buckets for each power of two.
struct Histogram {
    std::vector<uint64_t> buckets = std::vector<uint64_t>(64 * 64);
    uint64_t count = 0, maximum = 0;

    void add(uint64_t value) {
        int shift = value < 64 ? 0 : 58 - __builtin_clzll(value);
        buckets[size_t(shift) * 64 + (value >> shift)]++;
        count++;
        if (value > maximum) maximum = value;
    }

    /// In milliseconds, at most a thirty-second too much.
    double quantile(double share) const {
        uint64_t seen = 0;
        for (size_t i = 0; i < buckets.size(); i++) {
            seen += buckets[i];
            if (buckets[i] && seen >= share * count) {
                return std::min(((i % 64) + 1) << (i / 64), maximum) / 1e6;
            }
        }
        return 0;
    }
};

struct Connection {
    int socket = -1;
    /// The beginning of a frame whose end has not come yet.
    std::string rest;

    /// - Parameter fields: more lines of the request's head.
    void open(int port, const char* path, const char* fields = "") {
        socket = ::socket(AF_INET, SOCK_STREAM, 0);
        if (socket < 0) fail("socket");
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(socket, (sockaddr*)&address, sizeof address)) fail("connect");
        int on = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        timeval patience{10, 0};
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        std::string request = std::string("GET ") + path
            + " HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
            + fields + "\r\n";
        if (::send(socket, request.data(), request.size(), MSG_NOSIGNAL) != ssize_t(request.size())) fail("send");
        char answer[2048];
        size_t length = 0;
        while (true) {
            ssize_t got = recv(socket, answer + length, sizeof answer - 1 - length, 0);
            if (got <= 0) fail("no answer to the handshake");
            length += got;
            answer[length] = 0;
            if (char* end = strstr(answer, "\r\n\r\n")) {
                if (strncmp(answer, "HTTP/1.1 101", 12)) fail("the handshake was refused");
                rest.assign(end + 4, answer + length - (end + 4));
                return;
            }
        }
    }

    /// A masked frame (with a mask of zeros: unmasking takes the same work) of at most 125 bytes.
    void send(int opcode, const char* payload, size_t length) {
        char frame[160] = {char(0x80 | opcode), char(0x80 | length)};
        memcpy(frame + 6, payload, length);
        if (::send(socket, frame, length + 6, MSG_NOSIGNAL) != ssize_t(length + 6)) fail("send");
    }

    template <class Message> void receive(std::vector<char>& input, Message message) {
        memcpy(input.data(), rest.data(), rest.size());
        ssize_t got = recv(socket, input.data() + rest.size(), input.size() - rest.size(), MSG_DONTWAIT);
        if (got < 0 && errno == EAGAIN) return;
        if (got <= 0) fail("the server ended a connection");
        const char *at = input.data(), *end = at + rest.size() + got;
        while (end - at >= 2) {
            size_t head = 2, length = at[1] & 0x7F;
            if (length == 126) {
                if (end - at < 4) break;
                head = 4;
                length = size_t(uint8_t(at[2])) << 8 | uint8_t(at[3]);
            } else if (length == 127) {
                if (end - at < 10) break;
                head = 10;
                length = 0;
                for (int i = 2; i < 10; i++) length = length << 8 | uint8_t(at[i]);
            }
            if (size_t(end - at) < head + length) break;
            int opcode = at[0] & 0xF;
            if (opcode == 0x1 || opcode == 0x2) message(at + head, length);
            if (opcode == 0x9) send(0xA, at + head, length);
            if (opcode == 0x8) fail("the server closed a connection");
            at += head + length;
        }
        rest.assign(at, end - at);
    }
};
