import GatewayCore
import HTTPServer

/// Answers each request: checks it, finds its route, and passes it to the gateway.
struct RequestHandling: Sendable {
    let requests: any GatewayRequests
    let checks: WebGuard
    let streams: EventStreams
    /// The version of the gateway, for the description.
    let version: String
    /// Whether the metrics have health values.
    let hasValuesInMetrics: Bool
    private let router = WebRouter(files: StaticFiles())
    private let lists = ListPlaces()

    /// The headers of every response.
    private static let securityHeaders = [
        ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
        ("Cross-Origin-Resource-Policy", "same-origin"),
        (
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
                + "img-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
                + "frame-ancestors 'none'"
        ),
    ]

    init(
        requests: any GatewayRequests, checks: WebGuard, streams: EventStreams, version: String,
        hasValuesInMetrics: Bool
    ) {
        self.requests = requests
        self.checks = checks
        self.streams = streams
        self.version = version
        self.hasValuesInMetrics = hasValuesInMetrics
    }

    /// The response to a request that the server refuses.
    static func refusal(_ status: Int, _ problem: String) -> HTTPServerResponse {
        var response = Problem(status: status, detail: problem).response
        response.headers += securityHeaders
        return response
    }

    /// Answers a request.
    func answer(_ call: WebCall) async {
        let responder = call.responder.adding(Self.securityHeaders)
        do throws(Problem) {
            try await answer(call.request, responder)
        } catch {
            responder.send(error.response)
        }
    }

    private func answer(
        _ request: HTTPServerRequest, _ responder: HTTPResponder
    ) async throws(Problem) {
        try checks.check(request)
        guard let target = RequestTarget(request.target) else {
            throw Problem(status: 400, detail: "The address is not valid.")
        }
        switch try router.route(request.method, target.path) {
        case .file(let file): responder.send(file.response(to: request))
        case .health: responder.send(Self.text(200, "ok\n"))
        case .readiness: await readiness(responder)
        case .description:
            responder.send(
                Negotiation(request).response(
                    [("Content-Type", "application/json"), ("Cache-Control", "no-cache")],
                    InterfaceDescription.json(version: version)))
        case .operation(let operation, let values):
            try await answer(operation, values, request, target, responder)
        }
    }

    private func answer(
        _ operation: Operation, _ values: [String: String], _ request: HTTPServerRequest,
        _ target: RequestTarget, _ responder: HTTPResponder
    ) async throws(Problem) {
        let client = try checks.client(of: request, target)
        if operation.body != nil { try Self.checkType(of: request) }
        if operation.isUpload { try Self.checkType(of: request, UploadedContent.type) }
        let query = target.query.filter { $0.name != WebGuard.tokenParameter }
            .map { (name: $0.name, value: $0.value) }
        let metrics = metricsText(for: request)
        let line = try operation.makeRequest(
            values, query, request.body,
            adding: operation.answer == .metrics ? metrics.fields : [:])
        if operation.answer == .events { try streams.checkPlace(for: client) }
        if operation.answer.isLong { try lists.enter(client) }
        defer { if operation.answer.isLong { lists.leave(client) } }
        let format = format(of: operation, request)
        let channel = AnswerChannel(
            client, format, Negotiation(request), responder,
            content: request.input.map(UploadedContent.init))
        let stream = await requests.answer(line, on: channel)
        channel.finish()
        guard let output = format.output else { return }
        // Who is refused has no stream.
        if let stream { streams.keep(output, of: client, stream) } else { output.finish() }
    }

    private func metricsText(for request: HTTPServerRequest) -> MetricsText {
        MetricsText(accept: request.headers["accept"], hasValues: hasValuesInMetrics)
    }

    private func format(
        of operation: Operation, _ request: HTTPServerRequest
    ) -> AnswerChannel.Format {
        switch operation.answer {
        case .list(let key, let end): LineList(key: key, end: end).format
        case .file: FileDownload.format()
        case .events: streams.format(after: request.headers["last-event-id"])
        case .metrics: metricsText(for: request).format
        case .object:
            AnswerChannel.Format(
                headers: [("Content-Type", "application/json"), ("Cache-Control", "no-store")],
                convert: { line, _ in Array(line) })
        }
    }

    /// A page of another site can send plain text without asking, but not these types.
    private static func checkType(
        of request: HTTPServerRequest, _ wanted: String = "application/json"
    ) throws(Problem) {
        guard !request.body.isEmpty || request.input != nil else { return }
        let type = request.headers["content-type"]?.split(separator: ";").first ?? ""
        guard type.lowercased() == wanted, request.headers["content-encoding"] == nil else {
            throw Problem(
                status: 415, detail: "The content must be \(wanted), not compressed.")
        }
    }

    private func readiness(_ responder: HTTPResponder) async {
        let channel = ReadinessChannel()
        _ = await requests.answer(ReadinessChannel.request, on: channel)
        responder.send(
            channel.isReady
                ? Self.text(200, "ok\n")
                : Self.text(503, "a part does not work; see `GET /v1/status`\n"))
    }

    private static func text(_ status: Int, _ text: String) -> HTTPServerResponse {
        HTTPServerResponse(
            status,
            headers: [
                ("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store"),
            ], body: .bytes(Array(text.utf8)))
    }
}
