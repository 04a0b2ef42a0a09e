import GatewayCore
package import GatewayHost
import JSON

extension RequestHandler {
    private static let formatKey = "format"
    private static let valuesKey = "values"

    /// `metrics`: answered with the state of the gateway as metrics, in a text format; with
    /// `"values":true` also with the heart rates that the client may read.
    package static func metrics(heartRates: @escaping HeartRateMetric.Reading) -> RequestHandler {
        RequestHandler("metrics", for: .everyone) { request, service, channel in
            let object = try request.node.object(keys: ["request", formatKey, valuesKey])
            let word = try object[formatKey]?.choice(of: MetricsFormat.allCases.map(\.rawValue))
            let format = word.flatMap(MetricsFormat.init) ?? .prometheus
            let report = try await service.metricsStatus(for: channel.client)
            var families = StatusMetrics.families(of: report)
            if try object[valuesKey]?.boolean() == true {
                let rates = await heartRates(service, channel.client)
                families.append(HeartRateMetric.family(of: rates))
            }
            let text = format.text(of: families)
            channel.send(JSONLine.make { $0.field("metrics", text) })
            return nil
        }
    }
}
