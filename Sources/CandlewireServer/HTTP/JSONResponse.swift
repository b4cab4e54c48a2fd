import HTTPTypes
import Hummingbird
import NIOCore

/// Answers whose bodies our own writer makes.
enum JSONResponse {
    static func make(status: HTTPResponse.Status = .ok, _ write: (inout [UInt8]) -> Void) -> Response {
        var bytes: [UInt8] = []
        write(&bytes)
        return Response(
            status: status,
            headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Runs a handler; its `APIError` becomes the answer.
    static func answer(_ handler: () async throws -> Response) async throws -> Response {
        do {
            return try await handler()
        } catch let error as APIError {
            return error.response
        }
    }
}
