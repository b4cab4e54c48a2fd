// The peer of `socket bytes to candle`: the same frames, read by a minimal frame loop and simdjson's on-demand parser,
// into candles of the same five timeframes. No UTF-8 check of its own (simdjson does one), no control frames, no
// duplicate or gap check: less work than ours, so the ratio flatters the peer.
//
// Usage: simdjson_candles frames.bin RUNS   prints messages a second, median and best, tab-separated

#include <simdjson.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

struct Bar {
    double start = -1, open = 0, high = 0, low = 0, close = 0, volume = 0;
};

struct Candles {
    double length;
    Bar bar;
    long finished = 0;

    void add(double time, double price, double volume) {
        double start = std::floor(time / length) * length;
        if (start != bar.start) {
            finished += bar.start >= 0;
            bar = {start, price, price, price, price, 0};
        }
        bar.high = std::max(bar.high, price);
        bar.low = std::min(bar.low, price);
        bar.close = price;
        bar.volume += volume;
    }
};

static long run(const std::vector<uint8_t>& bytes, simdjson::ondemand::parser& parser, long& bars) {
    Candles candles[] = {{60}, {300}, {900}, {3600}, {86400}};
    long messages = 0;
    size_t at = 0;
    while (at + 2 <= bytes.size()) {
        size_t length = bytes[at + 1] & 0x7F, head = 2;
        if (length == 126) {
            length = size_t(bytes[at + 2]) << 8 | bytes[at + 3];
            head = 4;
        }
        const char* text = reinterpret_cast<const char*>(bytes.data() + at + head);
        at += head + length;
        // The buffer has padding at its end, and the next frame lies behind every other one.
        auto document = parser.iterate(text, length, length + simdjson::SIMDJSON_PADDING);
        auto data = document["data"];
        if (std::string_view(data["e"]) != "trade") continue;
        if (std::string_view(data["s"]).empty()) continue;
        double price = data["p"].get_double_in_string();
        double quantity = data["q"].get_double_in_string();
        double time = double(int64_t(data["T"])) / 1000;
        if (!(price > 0) || quantity < 0) continue;
        for (auto& timeframe : candles) timeframe.add(time, price, quantity);
        messages++;
    }
    for (auto& timeframe : candles) bars += timeframe.finished;
    return messages;
}

int main(int argc, char** argv) {
    std::ifstream file(argv[1], std::ios::binary);
    std::vector<uint8_t> bytes((std::istreambuf_iterator<char>(file)), {});
    size_t size = bytes.size();
    bytes.reserve(size + simdjson::SIMDJSON_PADDING);
    simdjson::ondemand::parser parser;
    std::vector<double> times;
    long messages = 0, bars = 0;
    for (int round = 0; round <= std::atoi(argv[2]); round++) {
        auto start = std::chrono::steady_clock::now();
        messages = run(bytes, parser, bars);
        std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
        if (round > 0) times.push_back(elapsed.count());
    }
    std::sort(times.begin(), times.end());
    if (messages == 0 || bars == 0) return 1;
    std::printf("%f\t%f\n", messages / times[times.size() / 2], messages / times[0]);
}
