package import GatewayCore
import HTTPServer
import Platform

/// The web server of a gateway: pages, the HTTP interface, live events and metrics.
///
/// It is a transport of the gateway's requests, and contains no logic of its own.
package struct WebServer: Service {
    private let settings: WebSettings
    private let context: ComponentContext

    init(settings: WebSettings, context: ComponentContext) {
        self.settings = settings
        self.context = context
    }

    /// The factory for `use: "web"`.
    package static let factory = ServiceFactory(
        use: "web", keys: WebSettings.keys, about: WebSettings.about
    ) { object, context throws(ConfigurationError) in
        WebServer(settings: try WebSettings(object, context), context: context)
    }

    /// Serves until the task is cancelled.
    ///
    /// - Throws: ``HTTPServer/HTTPServerError`` when the address cannot be used or the library is missing.
    package func run(_ gateway: ServiceAccess) async throws {
        try await run(gateway) { _ in }
    }

    /// Serves until the task is cancelled; `started` gets the port.
    func run(
        _ gateway: ServiceAccess, started: @Sendable (UInt16) -> Void
    ) async throws {
        let tokens = TokenList(settings.tokens, log: context.log)
        tokens.check()
        let limits = HTTPServerLimits().fittingDescriptors()
        let streams = EventStreams(clock: context.clock, connections: limits.connections)
        let handler = RequestHandling(
            requests: gateway.requests,
            checks: WebGuard(hosts: hosts, findToken: tokens.find), streams: streams,
            version: context.version, hasValuesInMetrics: settings.hasValuesInMetrics)
        let (calls, incoming) = AsyncStream.makeStream(of: WebCall.self)
        let server = try await HTTPServer.start(
            on: settings.address, limits: limits, refuse: RequestHandling.refusal,
            inputLimit: WebRouter.inputLimit
        ) { request, responder in
            incoming.yield(WebCall(request: request, responder: responder))
        }
        context.log.info("web page", ["address": address])
        gateway.announce(address)
        started(server.port)
        await withDiscardingTaskGroup { group in
            group.addTask { await streams.run() }
            for await call in calls { group.addTask { await handler.answer(call) } }
            group.cancelAll()
        }
        streams.finish()
        await server.stop()
    }

    /// The address of the pages; of all addresses of this machine the one that others reach.
    private var address: String {
        var host = settings.address
        if host.isAny, let reachable = host.reachable { host = reachable }
        return "http://\(host)/"
    }

    /// The configured names, and those of this machine, also in the local network (RFC 6762, section 3).
    private var hosts: Set<String> {
        guard let own = HostName.ofThisMachine() else { return settings.hosts }
        return settings.hosts.union([own, own + ".local"])
    }
}

/// A request with the way back.
struct WebCall: Sendable {
    let request: HTTPServerRequest
    let responder: HTTPResponder
}
