// Load generator of the order benchmark: connections that place orders over HTTP, each the next one when the one before
// was acknowledged. Linux, loopback, one thread.
//
//   orders_load PORT PID CONNECTIONS KIND SECONDS PREFIX
//
// KIND is one of
//   resting  limit orders to buy far below the market: each is written and waits
//   market   orders that are filled at once, to buy and to sell in turn
// PREFIX begins every client order id, so that a ledger used twice never sees one again.
// Prints one line of tab-separated figures: orders acknowledged, a second, a second of the server's processor time, the
// median and the 99th percentile of the time from request to acknowledgement in milliseconds.
//
// An answer other than 201 ends the run: what is counted was accepted, and the server says so only when it is on disk.
#include "fanout.hpp"

#include <string_view>

struct Placing {
    int socket = -1;
    int number = 0;
    uint64_t placed = 0, sent = 0;
    std::string answer;
};

struct Load {
    int port, pid, seconds;
    bool rests;
    const char* prefix;
    int epoll = epoll_create1(0);
    std::vector<Placing> connections;
    Histogram latency;
    uint64_t acknowledged = 0;
    bool measures = false;

    void open(Placing& each) {
        each.socket = ::socket(AF_INET, SOCK_STREAM, 0);
        if (each.socket < 0) fail("socket");
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        if (connect(each.socket, (sockaddr*)&address, sizeof address)) fail("connect");
        int on = 1;
        setsockopt(each.socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
        epoll_event event{EPOLLIN, {.ptr = &each}};
        if (epoll_ctl(epoll, EPOLL_CTL_ADD, each.socket, &event)) fail("epoll_ctl");
    }

    void place(Placing& each) {
        char body[256], request[512];
        const char* side = rests || each.placed % 2 == 0 ? "buy" : "sell";
        int length = snprintf(
            body, sizeof body,
            "{\"client_order_id\":\"%s-%d-%llu\",\"symbol\":\"BTC-USD\",\"side\":\"%s\",\"quantity\":\"0.0001\",%s}", prefix,
            each.number, (unsigned long long)each.placed, side,
            rests ? "\"type\":\"limit\",\"limit_price\":\"1\"" : "\"type\":\"market\"");
        int total = snprintf(
            request, sizeof request,
            "POST /v1/orders HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
            port, length, body);
        each.placed++;
        each.sent = now();
        if (::send(each.socket, request, total, MSG_NOSIGNAL) != total) fail("send");
    }

    /// Whether the answer is whole, and then takes it.
    bool take(Placing& each) {
        size_t end = each.answer.find("\r\n\r\n");
        if (end == std::string::npos) return false;
        std::string_view head(each.answer.data(), end);
        size_t at = head.find("ontent-"), length = std::string::npos;
        for (; at != std::string_view::npos; at = head.find("ontent-", at + 1)) {
            if (head.substr(at + 7, 7) == "Length:" || head.substr(at + 7, 7) == "length:") {
                length = strtoul(each.answer.data() + at + 14, nullptr, 10);
            }
        }
        if (length == std::string::npos) fail("an answer without its length");
        if (each.answer.size() < end + 4 + length) return false;
        if (head.substr(0, 12) != "HTTP/1.1 201") {
            fprintf(stderr, "orders: refused: %s\n", each.answer.c_str());
            _exit(1);
        }
        each.answer.erase(0, end + 4 + length);
        return true;
    }

    void turn(bool goesOn) {
        epoll_event events[512];
        char input[65536];
        int count = epoll_wait(epoll, events, 512, 10'000);
        if (count <= 0) fail("no answer for ten seconds");
        for (int i = 0; i < count; i++) {
            auto& each = *(Placing*)events[i].data.ptr;
            ssize_t got = recv(each.socket, input, sizeof input, 0);
            if (got <= 0) fail("the server closed a connection");
            each.answer.append(input, got);
            while (take(each)) {
                acknowledged++;
                if (measures) latency.add(now() - each.sent);
                if (goesOn) place(each); else each.sent = 0;
            }
        }
    }

    void run(double time) {
        uint64_t end = now() + uint64_t(time * 1e9);
        while (now() < end && acknowledged < most()) turn(true);
    }

    /// An account may have 20,000 orders that wait: a run that comes near ends earlier.
    uint64_t most() const { return rests ? 19'000 : UINT64_MAX; }
};

int main(int count, char** arguments) {
    if (count != 7) fail("usage: orders_load PORT PID CONNECTIONS resting|market SECONDS PREFIX");
    Load load{
        .port = atoi(arguments[1]), .pid = atoi(arguments[2]), .seconds = atoi(arguments[5]),
        .rests = std::string_view(arguments[4]) == "resting", .prefix = arguments[6]};
    load.connections.resize(atoi(arguments[3]));
    for (size_t i = 0; i < load.connections.size(); i++) {
        load.connections[i].number = i;
        load.open(load.connections[i]);
        load.place(load.connections[i]);
    }
    load.run(0.5);
    load.measures = true;
    uint64_t before = load.acknowledged, begun = now();
    double used = processorSeconds(load.pid);
    load.run(load.seconds);
    double time = (now() - begun) / 1e9, processor = processorSeconds(load.pid) - used;
    uint64_t placed = load.acknowledged - before;
    // What is on its way is waited for, so that the ledger can be compared with what was acknowledged.
    auto waits = [&] {
        return std::any_of(load.connections.begin(), load.connections.end(), [](auto& each) { return each.sent; });
    };
    while (waits()) load.turn(false);
    printf(
        "%llu\t%.0f\t%.0f\t%.2f\t%.2f\n", (unsigned long long)load.acknowledged, placed / time, placed / processor,
        load.latency.quantile(0.5), load.latency.quantile(0.99));
}
