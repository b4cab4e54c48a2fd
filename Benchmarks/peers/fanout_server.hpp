// What the C++ servers of the fan-out benchmark share: the commands of `fanout_load`.
#pragma once
#include "fanout.hpp"

/// 100 bytes that begin with the stamp.
inline std::string payload(const char* stamp) {
    std::string text(stamp, 20);
    text += ",\"BTC-USD\",67321.5,0.0125,";
    return text + std::string(100 - text.size(), 'x');
}

/// What to do with a message: write it to one subscriber after another, sixteen at once, or together with what else comes until
/// the server has time.
enum class Mode { each = 'e', batch = 'b', gather = 'g' };

/// `each COUNT STAMP`, `batch COUNT STAMP` or `gather COUNT STAMP`.
template <class Publish> void obey(const char* text, size_t length, Publish publish) {
    std::string command(text, length);
    char name[8];
    int count = 0;
    char stamp[24];
    if (sscanf(command.c_str(), "%7s %d %20s", name, &count, stamp) == 3) publish(Mode(name[0]), count, stamp);
}
