// The floor of the fan-out benchmark: epoll and send, one buffer for all. Just enough WebSocket for `fanout_load`;
// a peer that falls behind is waited for, so nothing can be faster and nothing should be used like this.
#include "fanout_server.hpp"

#include <poll.h>

#include <algorithm>

static std::vector<int> subscribers;
/// Gathered messages, for the end of this turn of the loop.
static std::string gathered;

static void write(int socket, const char* bytes, size_t length) {
    while (length > 0) {
        ssize_t sent = send(socket, bytes, length, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0) {
            if (errno != EAGAIN) return;
            pollfd ready{socket, POLLOUT, 0};
            poll(&ready, 1, 5000);
        } else {
            bytes += sent;
            length -= sent;
        }
    }
}

static void publish(Mode mode, int count, const char* stamp) {
    std::string frame = std::string("\x81\x64") + payload(stamp), bytes;
    for (int i = 0; i < (mode == Mode::batch ? 16 : 1); i++) bytes += frame;
    if (mode == Mode::gather) {
        for (int i = 0; i < count; i++) gathered += bytes;
        return;
    }
    for (int i = 0; i < count; i++)
        for (int socket : subscribers) write(socket, bytes.data(), bytes.size());
}

int main(int, char** arguments) {
    raiseFileLimit(6000);
    int listener = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(atoi(arguments[1]));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (bind(listener, (sockaddr*)&address, sizeof address) || listen(listener, 1024)) fail("bind");
    int epoll = epoll_create1(0);
    epoll_event event{EPOLLIN, {.fd = listener}};
    epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
    std::vector<std::string> held(20'000);
    puts("ready");
    fflush(stdout);
    while (true) {
        epoll_event events[256];
        int count = epoll_wait(epoll, events, 256, -1);
        for (int i = 0; i < count; i++) {
            int socket = events[i].data.fd;
            if (socket == listener) {
                int made = accept4(listener, nullptr, nullptr, SOCK_NONBLOCK);
                if (made < 0) continue;
                setsockopt(made, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
                epoll_event event{EPOLLIN, {.fd = made}};
                epoll_ctl(epoll, EPOLL_CTL_ADD, made, &event);
                held[made].clear();
                continue;
            }
            char bytes[65536];
            ssize_t got = recv(socket, bytes, sizeof bytes, 0);
            if (got <= 0) {
                subscribers.erase(std::remove(subscribers.begin(), subscribers.end(), socket), subscribers.end());
                close(socket);
                continue;
            }
            auto& text = held[socket];
            text.append(bytes, got);
            if (text.rfind("GET ", 0) == 0) {
                if (text.find("\r\n\r\n") == std::string::npos) continue;
                // The answer to the one key that the generator uses (RFC 6455 section 1.3).
                std::string answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                                     "Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n\r\n";
                write(socket, answer.data(), answer.size());
                if (text.rfind("GET /control", 0) != 0) subscribers.push_back(socket);
                text.clear();
                continue;
            }
            while (text.size() >= 6 && text.size() >= size_t(6 + (text[1] & 0x7F))) {
                size_t length = text[1] & 0x7F;
                obey(text.data() + 6, length, publish);
                text.erase(0, 6 + length);
            }
        }
        if (gathered.empty()) continue;
        for (int socket : subscribers) write(socket, gathered.data(), gathered.size());
        gathered.clear();
    }
}
