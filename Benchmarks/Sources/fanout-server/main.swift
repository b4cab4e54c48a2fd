import Foundation
import NIOCore
import NIOHTTP1
import NIOPosix
import WebSocketTransport

// Usage: fanout-server PORT
// The transport alone in the fan-out benchmark, on one event loop: connections to /control give commands (see
// `peers/fanout_load.cpp`), all others are subscribers.

guard CommandLine.arguments.count == 2, let port = Int(CommandLine.arguments[1]) else {
    FileHandle.standardError.write(Data("usage: fanout-server PORT\n".utf8))
    exit(2)
}

let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
let fanout = NIOLoopBoundBox.makeBoxSendingValue(Fanout(), eventLoop: group.next())
var configuration = WebSocketConfiguration.server
// Commands come as fast as they are obeyed.
configuration.messageRate = nil
let upgrade = WebSocketServerUpgrade(
    configuration: configuration,
    shouldUpgrade: { _ in .accept() },
    onOpen: { socket, head in
        if head.uri == "/control" {
            socket.delegate = Control(fanout: fanout.value)
        } else {
            fanout.value.add(socket)
        }
    })
let channel = try ServerBootstrap(group: group)
    .serverChannelOption(.backlog, value: 1024)
    .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
    .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
    .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
            _ = try upgrade.configure(channel) { $0.close() }
        }
    }
    .bind(host: "127.0.0.1", port: port).wait()
FileHandle.standardOutput.write(Data("ready\n".utf8))
try channel.closeFuture.wait()
