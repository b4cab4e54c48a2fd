// uWebSockets for the fan-out benchmark, without another language in between: the library that the Python package
// `socketify` carries has a C interface (its libuv build). `each` sends to one socket after another; `batch` and
// `gather` publish to a topic, as the manual advises, and the library gathers.
#include "fanout_server.hpp"

extern "C" {
struct us_socket_context_options_t {
    const char *key_file_name, *cert_file_name, *passphrase, *dh_params_file_name, *ca_file_name, *ssl_ciphers;
    int ssl_prefer_low_memory_usage;
};
typedef void (*socket_handler)(void* socket, void* user);
struct uws_socket_behavior_t {
    int compression;
    unsigned maxPayloadLength;
    unsigned short idleTimeout;
    unsigned maxBackpressure;
    bool closeOnBackpressureLimit, resetIdleTimeoutOnSend, sendPingsAutomatically;
    unsigned short maxLifetime;
    void (*upgrade)(void* response, void* request, void* context, void* user);
    socket_handler open;
    void (*message)(void* socket, const char* text, size_t length, int opcode, void* user);
    socket_handler drain;
    void (*ping)(void* socket, const char* text, size_t length, void* user);
    void (*pong)(void* socket, const char* text, size_t length, void* user);
    void (*close)(void* socket, int code, const char* text, size_t length, void* user);
    void (*subscription)(void* socket, const char* topic, size_t length, int now, int before, void* user);
};
struct uws_app_listen_config_t {
    int port;
    const char* host;
    int options;
};
void* uws_create_app(int ssl, us_socket_context_options_t options);
void uws_ws(int ssl, void* app, const char* pattern, uws_socket_behavior_t behavior, void* user);
void uws_app_listen(int ssl, void* app, int port, void (*handler)(void*, uws_app_listen_config_t, void*), void* user);
void uws_app_run(int ssl, void* app);
bool uws_publish(
    int ssl, void* app, const char* topic, size_t topicLength, const char* text, size_t length, int opcode,
    bool compress);
int uws_ws_send(int ssl, void* socket, const char* text, size_t length, int opcode);
void* uws_get_loop();
void uws_loop_defer(void* loop, void (*handler)(void* user), void* user);
bool uws_ws_subscribe(int ssl, void* socket, const char* topic, size_t length);
}

static const int TEXT = 1;
static void* app;
static std::vector<void*> subscribers;

static void publish(Mode mode, int count, const char* stamp) {
    std::string message = payload(stamp);
    for (int i = 0; i < count; i++) {
        if (mode != Mode::each) {
            for (int j = 0; j < (mode == Mode::batch ? 16 : 1); j++) uws_publish(0, app, "all", 3, message.data(), message.size(), TEXT, false);
        } else {
            for (void* socket : subscribers) uws_ws_send(0, socket, message.data(), message.size(), TEXT);
        }
    }
}

int main(int, char** arguments) {
    raiseFileLimit(6000);
    app = uws_create_app(0, {});
    uws_socket_behavior_t behavior{};
    behavior.maxPayloadLength = 1 << 20;
    behavior.maxBackpressure = 4 << 20;
    behavior.open = [](void* socket, void*) {
        uws_ws_subscribe(0, socket, "all", 3);
        subscribers.push_back(socket);
    };
    behavior.close = [](void* socket, int, const char*, size_t, void*) {
        subscribers.erase(std::remove(subscribers.begin(), subscribers.end(), socket), subscribers.end());
    };
    uws_ws(0, app, "/", behavior, nullptr);
    behavior.open = nullptr;
    behavior.close = nullptr;
    behavior.message = [](void*, const char* text, size_t length, int, void*) {
        // Not from inside a handler: its socket holds the one buffer that the library gathers in.
        uws_loop_defer(uws_get_loop(), [](void* user) {
            auto* command = (std::string*)user;
            obey(command->data(), command->size(), publish);
            delete command;
        }, new std::string(text, length));
    };
    uws_ws(0, app, "/control", behavior, nullptr);
    uws_app_listen(0, app, atoi(arguments[1]), [](void* socket, uws_app_listen_config_t, void*) {
        if (!socket) fail("listen");
        puts("ready");
        fflush(stdout);
    }, nullptr);
    uws_app_run(0, app);
}
