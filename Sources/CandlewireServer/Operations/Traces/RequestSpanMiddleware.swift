import HTTPTypes
import Hummingbird
import Tracing

/// A span for each request; what the request causes becomes its children, as far as it is traced.
struct RequestSpanMiddleware<Context: RequestContext>: RouterMiddleware {
    let tracer: any Tracer

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var parent = ServiceContext.topLevel
        tracer.extract(request.headers, into: &parent, using: FieldExtractor())
        let root = parent
        return try await tracer.withAnySpan(request.method.rawValue, context: root, ofKind: .server) { span in
            let response = try await next(request, context)
            // By its pattern: a path may have names of accounts and orders.
            span.operationName = "\(request.method.rawValue) /\(context.endpointPath ?? "")"
                .replacing("//", with: "/")
            span.attributes["http.response.status_code"] = response.status.code
            if let id = RequestScope.correlationID { span.attributes["correlation_id"] = id }
            if response.status.code >= 500 { span.setStatus(SpanStatus(code: .error)) }
            return response
        }
    }
}

private struct FieldExtractor: Extractor {
    func extract(key: String, from fields: HTTPFields) -> String? { HTTPField.Name(key).flatMap { fields[$0] } }
}
