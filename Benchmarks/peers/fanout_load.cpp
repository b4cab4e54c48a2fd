// Load generator of the fan-out benchmark: subscribers that count what they get, and one connection that sends the
// server what to publish. Linux, loopback, one thread.
//
//   fanout_load PORT PID SUBSCRIBERS TEST SECONDS [RATE] [PATH]
//
// TEST is one of
//   each     one write per message and client, as fast as it goes
//   batch    sixteen messages at once, as fast as it goes
//   latency  RATE messages a second; the time from the instant each one was due until it was parsed here
//   allocations  of the server for each delivered message, `each` and `batch`, where it runs with count_calls
//   idle     bytes of the server's memory per connection that does nothing
//   stalled  bytes of the server's memory per connection that stops reading, and how many of them it cut off
//   rate     RATE messages a second, which the server may gather; the age of each from the instant it was due
//   feed     the same of `candlewire serve`, whose provider this is, on port FANOUT_PROVIDER: RATE ticks a second in the default
//            format, at even intervals; without it, what the server simulates. The age of each tick is from its timestamp. Each
//            subscriber reads ten of the markets in FANOUT_SYMBOLS (names with commas between them), or BTC-USD; in the
//            binary encoding where FANOUT_BINARY is set
// `rate` and `feed` also measure, while it lasts, how long a new connection takes and, of `candlewire serve`, a request for
// candles and one for /health. Prints one line of tab-separated figures.
//
// The server (PID, for its memory and processor time) is controlled by text messages on /control, `each COUNT STAMP`,
// `batch COUNT STAMP` or `gather COUNT STAMP`: send COUNT times one message (or sixteen at once; or together with what
// comes until the server has time) to every connection that requested another
// path. A message is 100 bytes: the stamp, 20 digits, and filling. So the same generator measures any server, and no
// server can measure itself.
#include "fanout.hpp"

#include <openssl/evp.h>
#include <openssl/sha.h>

#include <algorithm>
#include <atomic>
#include <thread>

struct Test {
    int port, pid, subscribers, seconds, rate;
    std::string name, path;
};

/// How long a server takes for other things while it delivers, from a thread of its own.
struct Probes {
    const Test& test;
    std::string symbol;
    bool isProduct = test.path != "/";
    Histogram handshake{}, candles{}, health{};
    int failures = 0;

    Probes(const Test& test, std::string symbol) : test(test), symbol(symbol) {}

    void run(const std::atomic<bool>& isOver) {
        std::string upgrade = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                              "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
        std::string stream = isProduct ? test.path : "/control";
        while (!isOver) {
            probe(handshake, stream, upgrade, " 101");
            if (isProduct) {
                probe(candles, ("/v1/candles?symbol=" + symbol + "&timeframe=1m&limit=100").c_str(), "Connection: close\r\n", " 200");
                probe(health, "/health", "Connection: close\r\n", " 200");
            }
            usleep(50'000);
        }
    }

    /// A request on a connection of its own, up to the head of the answer. What fails counts as ten seconds.
    void probe(Histogram& times, const std::string& path, const std::string& fields, const char* status) {
        uint64_t begin = now();
        int socket = ::socket(AF_INET, SOCK_STREAM, 0);
        timeval patience{10, 0};
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(test.port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        std::string request = "GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\n" + fields + "\r\n";
        char answer[64] = {};
        bool isRight = connect(socket, (sockaddr*)&address, sizeof address) == 0
            && send(socket, request.data(), request.size(), MSG_NOSIGNAL) == ssize_t(request.size())
            && recv(socket, answer, sizeof answer - 1, 0) > 12 && strncmp(answer + 8, status, 4) == 0;
        close(socket);
        if (!isRight) failures++;
        times.add(isRight ? now() - begin : 10'000'000'000);
    }
};

/// A provider of ticks, to which the server under test connects.
struct Provider {
    int listener = -1, socket = -1;
    std::string received;

    void listen(int port) {
        listener = ::socket(AF_INET, SOCK_STREAM, 0);
        int on = 1;
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (bind(listener, (sockaddr*)&address, sizeof address) || ::listen(listener, 8)) fail("the provider's port");
    }

    void accept() {
        // The server comes again by itself, within seconds.
        timeval patience{30, 0};
        setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
        socket = ::accept(listener, nullptr, nullptr);
        if (socket < 0) fail("the server does not connect to the provider");
        int on = 1;
        setsockopt(socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        std::string head;
        char byte;
        while (head.find("\r\n\r\n") == std::string::npos && recv(socket, &byte, 1, 0) == 1) head += byte;
        size_t at = 0;
        for (const char* name : {"Sec-WebSocket-Key: ", "sec-websocket-key: "})
            if (size_t found = head.find(name); found != std::string::npos) at = found + 19;
        if (!at) fail("the server's handshake with the provider");
        std::string key = head.substr(at, head.find("\r\n", at) - at) + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
        unsigned char digest[SHA_DIGEST_LENGTH], text[64];
        SHA1((const unsigned char*)key.data(), key.size(), digest);
        EVP_EncodeBlock(text, digest, sizeof digest);
        send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: "
            + std::string((char*)text) + "\r\n\r\n");
    }

    void send(const std::string& bytes) {
        for (size_t sent = 0; sent < bytes.size();) {
            ssize_t count = ::send(socket, bytes.data() + sent, bytes.size() - sent, MSG_NOSIGNAL);
            if (count < 0) fail("the provider's connection");
            sent += count;
        }
    }

    /// Answers the pings that have come; requests need no answer.
    void answerPings() {
        char bytes[4096];
        for (ssize_t got; (got = recv(socket, bytes, sizeof bytes, MSG_DONTWAIT)) > 0;) received.append(bytes, got);
        while (received.size() >= 6) {
            size_t length = received[1] & 0x7F, head = 6;
            if (length == 126) {
                if (received.size() < 8) return;
                head = 8;
                length = size_t(uint8_t(received[2])) << 8 | uint8_t(received[3]);
            }
            if (received.size() < head + length) return;
            if ((received[0] & 0x0F) == 9) {
                std::string pong = {char(0x8A), char(length)};
                for (size_t i = 0; i < length; i++) pong += received[head + i] ^ received[head - 4 + i % 4];
                send(pong);
            }
            received.erase(0, head + length);
        }
    }

    /// - Parameter due: in nanoseconds of the wall clock.
    static void append(std::string& frames, const std::string& symbol, uint64_t due) {
        char text[125];
        uint64_t cents = 6'000'000 + due / 1000 % 9973;
        int length = snprintf(text, sizeof text,
            R"({"type":"tick","symbol":"%s","timestamp":%llu.%06llu,"price":%llu.%02llu,"volume":0.%05llu})", symbol.c_str(),
            (unsigned long long)(due / 1'000'000'000), (unsigned long long)(due / 1000 % 1'000'000),
            (unsigned long long)(cents / 100), (unsigned long long)(cents % 100), 1 + (unsigned long long)(due / 1000 % 99'991));
        frames += {char(0x81), char(length)};
        frames.append(text, length);
    }
};

struct Load {
    const Test& test;
    int epoll = epoll_create1(0);
    std::vector<Connection> connections;
    Connection control;
    Provider provider;
    std::vector<std::string> symbols;
    uint64_t delivered = 0, skipped = 0;
    Histogram latency;
    /// When what is being parsed was read; 0: not known yet.
    uint64_t readAt = 0;
    /// Of the oldest tick in it, in nanoseconds.
    uint64_t age = 0;
    bool measuresLatency = false;
    std::vector<char> input = std::vector<char>(256 << 10);

    explicit Load(const Test& test) : test(test) {}

    void connectAll() {
        if (test.path == "/") control.open(test.port, "/control");
        connections.resize(test.subscribers);
        const char* fields = getenv("FANOUT_BINARY") ? "Sec-WebSocket-Protocol: candlewire.v1.binary\r\n" : "";
        for (auto& connection : connections) {
            connection.open(test.port, test.path.c_str(), fields);
            watch(connection);
            // Thousands of handshakes take their time on a slow machine, and servers ping meanwhile.
            turn(0);
        }
        // The server has seen the last handshake, but may not have counted it in yet.
        usleep(200'000);
    }

    void watch(Connection& connection) {
        epoll_event event{EPOLLIN, {.ptr = &connection}};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, connection.socket, &event)) fail("epoll_ctl");
    }

    void command(const char* name, int count, uint64_t stamp) {
        char text[64];
        int length = snprintf(text, sizeof text, "%s %d %020llu", name, count, (unsigned long long)stamp);
        control.send(0x1, text, length);
    }

    /// Reads what there is for at most `milliseconds`; returns whether anything came.
    bool turn(int milliseconds) {
        epoll_event events[512];
        int count = epoll_wait(epoll, events, 512, milliseconds);
        for (int i = 0; i < count; i++) {
            auto& connection = *(Connection*)events[i].data.ptr;
            readAt = 0;
            connection.receive(input, [&](const char* payload, size_t length) {
                take(payload, length);
            });
        }
        return count > 0;
    }

    static uint64_t parse(const char* digits) {
        uint64_t value = 0;
        for (int i = 0; i < 20; i++) value = value * 10 + (digits[i] - '0');
        return value;
    }

    /// As fast as it goes, with so much under way that the server never waits, and not so much that it piles up.
    void throughput(const char* command, int messagesPerRound) {
        int clients = test.subscribers;
        int rounds = std::max(1, 2000 / clients / messagesPerRound);
        uint64_t perCommand = uint64_t(rounds) * clients * messagesPerRound;
        uint64_t requested = 0;
        int underWay = std::max<int>(3, 20'000 / perCommand);
        auto run = [&](double seconds) {
            uint64_t first = delivered, begin = now(), end = begin + uint64_t(seconds * 1e9), quiet = begin;
            double busy = processorSeconds(test.pid);
            while (now() < end) {
                while (requested < delivered + underWay * perCommand) {
                    this->command(command, rounds, now());
                    requested += perCommand;
                }
                if (turn(100)) quiet = now();
                if (now() - quiet > 5'000'000'000) fail("nothing delivered for five seconds");
            }
            double wall = (now() - begin) / 1e9, used = processorSeconds(test.pid) - busy;
            return std::pair{(delivered - first) / wall, (delivered - first) / used};
        };
        run(std::min(1.0, test.seconds / 2.0));
        auto [rate, perCore] = run(test.seconds);
        printf("%s\t%d\t%.0f\t%.0f\n", test.name.c_str(), clients, rate, perCore);
    }

    /// Allocations are counted, so that a few messages suffice.
    void allocations() {
        const char* path = getenv("CANDLEWIRE_CALLS");
        FILE* file = path ? fopen(path, "r") : nullptr;
        if (!file) fail("CANDLEWIRE_CALLS names no file that count_calls writes");
        setvbuf(file, nullptr, _IONBF, 0);
        auto counted = [&] {
            unsigned long value = 0;
            rewind(file);
            if (fread(&value, sizeof value, 1, file) != 1) fail("nothing was counted");
            return value;
        };
        auto run = [&](const char* command, int messagesPerRound) {
            uint64_t goal = delivered;
            unsigned long first = 0;
            for (int round = 0; round < 40; round++) {
                if (round == 20) first = counted();
                this->command(command, 5, now());
                goal += uint64_t(5) * test.subscribers * messagesPerRound;
                for (uint64_t begin = now(); delivered < goal && now() - begin < 5'000'000'000;) turn(10);
            }
            return double(counted() - first) / (20 * 5 * test.subscribers * messagesPerRound);
        };
        double each = run("each", 1), batch = run("batch", 16);
        printf("%s\t%d\t%.4f\t%.4f\n", test.name.c_str(), test.subscribers, each, batch);
    }

    void fixedRate() {
        measuresLatency = true;
        uint64_t interval = 1'000'000'000 / test.rate, begin = now() + interval, due = begin;
        uint64_t warm = begin + 500'000'000, end = warm + uint64_t(test.seconds) * 1'000'000'000, sent = 0;
        bool isWarm = false;
        while (due < end) {
            while (now() < due) turn(int((due - std::min(due, now())) / 1'000'000));
            if (!isWarm && due >= warm) {
                isWarm = true;
                latency = {};
            }
            // Stamped with the moment it was due: a server that falls behind cannot hide it.
            command("each", 1, due);
            sent++;
            due += interval;
        }
        uint64_t last = now();
        while (delivered < sent * test.subscribers && now() - last < 5'000'000'000) turn(10);
        printf("%s\t%d\t%d\t%.3f\t%.3f\t%.3f\t%.3f\t%.4f\n", test.name.c_str(), test.subscribers, test.rate,
            latency.quantile(0.5), latency.quantile(0.99), latency.quantile(0.999), latency.maximum / 1e6,
            double(delivered) / (sent * test.subscribers));
    }

    void idle() {
        // What the first connections cost is not theirs: code that is paged in, tables that are made.
        long before = residentBytes(test.pid);
        connectAll();
        for (int i = 0; i < 30; i++) turn(100);
        printf("%s\t%d\t%.0f\n", test.name.c_str(), test.subscribers,
            double(residentBytes(test.pid) - before) / test.subscribers);
    }

    void listSymbols() {
        const char* names = getenv("FANOUT_SYMBOLS");
        std::string list = names ? names : "BTC-USD";
        for (size_t at = 0; at <= list.size();) {
            size_t end = std::min(list.find(',', at), list.size());
            symbols.push_back(list.substr(at, end - at));
            at = end + 1;
        }
    }

    void subscribe() {
        size_t each = std::min<size_t>(10, symbols.size()), first = 0;
        for (auto& connection : connections) {
            for (size_t i = 0; i < each; i++) {
                std::string request = R"({"action":"subscribe","symbol":")" + symbols[(first + i) % symbols.size()]
                    + R"(","timeframe":"1m","history":1})";
                connection.send(0x1, request.data(), request.size());
            }
            first += 7;
            turn(0);
        }
    }

    /// The messages that are due, again and again.
    void publish(const std::atomic<bool>& isOver) {
        int socket = provider.socket < 0 ? control.socket : provider.socket;
        size_t number = 0;
        timespec wall;
        clock_gettime(CLOCK_REALTIME, &wall);
        uint64_t ahead = uint64_t(wall.tv_sec) * 1'000'000'000 + wall.tv_nsec - now();
        uint64_t interval = 1'000'000'000 / test.rate, due = now() + interval;
        // Shorter sleeps would cost the reading thread its core.
        const uint64_t shortest = 500'000;
        std::string frames;
        while (!isOver) {
            uint64_t time = std::max(due, now() + shortest);
            timespec until{time_t(time / 1'000'000'000), long(time % 1'000'000'000)};
            clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, nullptr);
            frames.clear();
            if (provider.socket >= 0) provider.answerPings();
            for (uint64_t end = now(); due <= end; due += interval) {
                if (provider.socket >= 0) {
                    Provider::append(frames, symbols[number++ % symbols.size()], due + ahead);
                    continue;
                }
                char text[64];
                int length = snprintf(text, sizeof text, "gather 1 %020llu", (unsigned long long)due);
                frames += {char(0x81), char(0x80 | length), 0, 0, 0, 0};
                frames.append(text, length);
            }
            for (size_t sent = 0; sent < frames.size() && !isOver;) {
                ssize_t count = ::send(socket, frames.data() + sent, frames.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
                if (count > 0) sent += count;
                else usleep(1000);
            }
        }
    }

    /// Deliveries at a rate, and what else the server does meanwhile.
    void rate() {
        bool isProduct = test.name == "feed";
        if (isProduct) subscribe();
        if (isProduct && getenv("FANOUT_PROVIDER")) provider.accept();
        std::atomic<bool> isOver{false};
        std::atomic<int> running{1};
        std::thread publisher([&] {
            if (!isProduct || provider.socket >= 0) publish(isOver);
            running--;
        });
        for (uint64_t end = now() + 2'000'000'000; now() < end;) turn(100);
        Probes probes(test, symbols[0]);
        running++;
        std::thread prober([&] {
            probes.run(isOver);
            running--;
        });
        uint64_t first = delivered, firstSkipped = skipped, begin = now(), end = begin + uint64_t(test.seconds) * 1'000'000'000;
        double busy = processorSeconds(test.pid);
        long memory = residentBytes(test.pid);
        latency = {};
        measuresLatency = !isProduct;
        while (now() < end) turn(100);
        measuresLatency = false;
        double seconds = (now() - begin) / 1e9, used = processorSeconds(test.pid) - busy;
        double messages = delivered - first, left = skipped - firstSkipped;
        long growth = residentBytes(test.pid) - memory;
        isOver = true;
        printf("%s\t%d\t%d\t%.0f\t%.0f\t%.3f\t%.3f\t%.3f\t%.3f\t%.3f\t%.4f\t%ld", test.name.c_str(), test.subscribers,
            test.rate, messages / seconds, messages / used, used / seconds, latency.quantile(0.5), latency.quantile(0.99),
            latency.quantile(0.999), latency.maximum / 1e6, left / std::max(1.0, messages + left), growth / 1024);
        // The last probe may still wait for its answer, and the publisher for room.
        while (running > 0) turn(10);
        publisher.join();
        prober.join();
        for (auto* times : {&probes.handshake, &probes.candles, &probes.health})
            printf("\t%.3f\t%.3f", times->quantile(0.5), times->maximum / 1e6);
        printf("\t%d\n", probes.failures);
    }

    void take(const char* payload, size_t length) {
        if (test.name == "feed") return takeFeed(payload, length);
        delivered++;
        if (!measuresLatency || length < 20) return;
        if (!readAt) readAt = now();
        latency.add(readAt - std::min(readAt, parse(payload)));
    }

    /// The generator shares its core with what the kernel does for it, so it must not be slower than the server: only the
    /// first tick of what was read at once is parsed. That one is the oldest, and its age counts for all of them.
    void takeFeed(const char* payload, size_t length) {
        if (length > 4 && payload[0] < 9) return takeBinary(payload, length);
        if (length < 60) return;
        char type = payload[9];
        if (type == 's') {
            if (memcmp(payload, "{\"type\":\"skipped\"", 17)) return;
            if (auto count = (const char*)memmem(payload, length, "\"count\":", 8)) skipped += strtoull(count + 8, nullptr, 10);
            return;
        }
        delivered++;
        if (type != 't') return;
        if (!readAt) {
            auto at = (const char*)memmem(payload + 24, length - 24, "\"timestamp\":", 12);
            if (!at) return;
            ageFrom(nanoseconds(at + 12));
        }
        latency.add(age);
    }

    /// See Docs/protocol.md; on a little-endian machine.
    void takeBinary(const char* payload, size_t length) {
        const char* fields = payload + 4 + uint8_t(payload[3]);
        if (payload[0] == 4) {
            int64_t count;
            memcpy(&count, fields, 8);
            skipped += count;
        }
        if (payload[0] > 2 || fields + 16 > payload + length) return;
        delivered++;
        if (payload[0] != 1) return;
        if (!readAt) {
            double seconds;
            memcpy(&seconds, fields + 8, 8);
            ageFrom(uint64_t(seconds * 1e6) * 1000);
        }
        latency.add(age);
    }

    void ageFrom(uint64_t begin) {
        timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        readAt = 1;
        uint64_t wall = uint64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
        age = wall - std::min(wall, begin);
    }

    /// Seconds with decimals.
    static uint64_t nanoseconds(const char* at) {
        uint64_t value = 0;
        for (; *at >= '0' && *at <= '9'; at++) value = value * 10 + (*at - '0');
        uint64_t unit = 1'000'000'000;
        value *= unit;
        if (*at == '.') for (at++; *at >= '0' && *at <= '9' && unit >= 10; at++) value += (*at - '0') * (unit /= 10);
        return value;
    }

    void stalled() {
        if (test.path != "/") subscribe();
        // No client reads: the sockets fill, then the server's queues, until it keeps no more or cuts the connection.
        for (int i = 0; i < 10; i++) turn(100);
        long before = residentBytes(test.pid), most = before;
        // Long enough for the queues to fill and for the server to give up on the close handshake.
        uint64_t end = now() + uint64_t(std::max(test.seconds, 15)) * 1'000'000'000;
        while (now() < end) {
            if (test.path == "/") command("batch", 16, now());
            usleep(2000);
            most = std::max(most, residentBytes(test.pid));
        }
        int cut = 0;
        for (auto& connection : connections) {
            // What is still unread, up to the end if the server has ended it.
            ssize_t got;
            while ((got = recv(connection.socket, input.data(), input.size(), MSG_DONTWAIT)) > 0) {}
            if (got == 0 || (got < 0 && errno != EAGAIN)) cut++;
        }
        printf("%s\t%d\t%.0f\t%d\n", test.name.c_str(), test.subscribers, double(most - before) / test.subscribers, cut);
    }

    void run() {
        listSymbols();
        if (const char* port = getenv("FANOUT_PROVIDER")) provider.listen(atoi(port));
        if (test.name == "idle") return idle();
        connectAll();
        if (test.name == "each") throughput("each", 1);
        else if (test.name == "batch") throughput("batch", 16);
        else if (test.name == "latency") fixedRate();
        else if (test.name == "stalled") stalled();
        else if (test.name == "feed" || test.name == "rate") rate();
        else if (test.name == "allocations") allocations();
        else fail("unknown test");
    }
};

int main(int count, char** arguments) {
    if (count < 6) fail("usage: fanout_load PORT PID SUBSCRIBERS TEST SECONDS [RATE] [PATH]");
    Test test{atoi(arguments[1]), atoi(arguments[2]), atoi(arguments[3]), atoi(arguments[5]),
        count > 6 ? atoi(arguments[6]) : 100, arguments[4], count > 7 ? arguments[7] : "/"};
    raiseFileLimit(test.subscribers + 64);
    Load(test).run();
    fflush(stdout);
    // Thousands of sockets at once: the end of the process closes them.
    _exit(0);
}
