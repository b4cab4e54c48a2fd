// Load generator of the fan-out benchmark: subscribers that count what they get, and one connection that sends the
// server what to publish. Linux, loopback, one thread.
//
//   fanout_load PORT PID SUBSCRIBERS TEST SECONDS [RATE] [PATH]
//
// TEST is one of
//   each     one write per message and client, as fast as it goes
//   batch    sixteen messages at once, as fast as it goes
//   latency  RATE messages a second; the time from the instant each one was due until it was parsed here
//   allocations  of the server for each delivered message, `each` and `batch`, where it runs with count_malloc
//   idle     bytes of the server's memory per connection that does nothing
//   stalled  bytes of the server's memory per connection that stops reading, and how many of them it cut off
//   feed     the ticks of `candlewire serve`, which publishes by itself; the time from each tick's timestamp
// Prints one line of tab-separated figures.
//
// The server (PID, for its memory and processor time) is controlled by text messages on /control, `each COUNT STAMP` or
// `batch COUNT STAMP`: send COUNT times one message (or sixteen at once) to every connection that requested another
// path. A message is 100 bytes: the stamp, 20 digits, and filling. So the same generator measures any server, and no
// server can measure itself.
#include "fanout.hpp"

#include <algorithm>
#include <map>

struct Test {
    int port, pid, subscribers, seconds, rate;
    std::string name, path;
};

struct Load {
    const Test& test;
    int epoll = epoll_create1(0);
    std::vector<Connection> connections;
    Connection control;
    uint64_t delivered = 0, ticks = 0;
    Histogram latency;
    bool measuresLatency = false;
    std::vector<char> input = std::vector<char>(256 << 10);

    explicit Load(const Test& test) : test(test) {}

    void connectAll() {
        if (test.path == "/") control.open(test.port, "/control");
        connections.resize(test.subscribers);
        for (auto& connection : connections) {
            connection.open(test.port, test.path.c_str());
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
        const char* path = getenv("FANOUT_ALLOCATIONS");
        FILE* file = path ? fopen(path, "r") : nullptr;
        if (!file) fail("FANOUT_ALLOCATIONS names no file that count_malloc writes");
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

    void subscribe() {
        const char request[] = R"({"action":"subscribe","symbol":"BTC-USD","timeframe":"1m","history":1})";
        for (auto& connection : connections) connection.send(0x1, request, strlen(request));
    }

    /// Ticks that the server publishes at a rate of its own.
    void feed() {
        subscribe();
        auto run = [&](double seconds) {
            uint64_t first = ticks, begin = now(), end = begin + uint64_t(seconds * 1e9);
            double busy = processorSeconds(test.pid);
            latency = {};
            while (now() < end) turn(100);
            return std::pair{(ticks - first) / ((now() - begin) / 1e9), (ticks - first) / (processorSeconds(test.pid) - busy)};
        };
        run(2);
        auto [rate, perCore] = run(test.seconds);
        printf("%s\t%d\t%d\t%.0f\t%.0f\t%.3f\t%.3f\t%.3f\n", test.name.c_str(), test.subscribers, test.rate, rate, perCore,
            latency.quantile(0.5), latency.quantile(0.99), latency.quantile(0.999));
    }

    void take(const char* payload, size_t length) {
        delivered++;
        if (measuresLatency && length >= 20) latency.add(now() - parse(payload));
        if (test.name != "feed" || length < 60 || memcmp(payload, "{\"type\":\"tick\"", 14)) return;
        ticks++;
        auto at = (const char*)memmem(payload, length, "\"timestamp\":", 12);
        timespec time;
        clock_gettime(CLOCK_REALTIME, &time);
        double age = time.tv_sec + time.tv_nsec / 1e9 - strtod(at + 12, nullptr);
        latency.add(uint64_t(std::max(0.0, age) * 1e9));
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
        if (test.name == "idle") return idle();
        connectAll();
        if (test.name == "each") throughput("each", 1);
        else if (test.name == "batch") throughput("batch", 16);
        else if (test.name == "latency") fixedRate();
        else if (test.name == "stalled") stalled();
        else if (test.name == "feed") feed();
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
