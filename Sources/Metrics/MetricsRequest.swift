import GatewayCore
package import GatewayHost
import JSON

extension RequestHandler {
    private static let formatKey = "format"

    /// `metrics`: answered with the state of the gateway as metrics, in a text format.
    package static let metrics = RequestHandler("metrics", for: .everyone) {
        request, service, channel in
        let object = try request.node.object(keys: ["request", formatKey])
        let word = try object[formatKey]?.choice(of: MetricsFormat.allCases.map(\.rawValue))
        let format = word.flatMap(MetricsFormat.init) ?? .prometheus
        let report = try await service.status(for: channel.client)
        let text = format.text(of: StatusMetrics.families(of: report))
        channel.send(JSONLine.make { $0.field("metrics", text) })
        return nil
    }
}
