package import GatewayCore
package import GatewayHost

/// The present heart rates of people, as a metric.
package enum HeartRateMetric {
    /// Returns the heart rates that a client may read.
    package typealias Reading =
        @Sendable (GatewayService, ServiceClient) async -> [(
            person: String?, device: String?, rate: Double
        )]

    /// Makes the metric.
    static func family(
        of rates: [(person: String?, device: String?, rate: Double)]
    ) -> MetricFamily {
        var family = MetricFamily(
            "pulsegate_heart_rate_beats_per_minute",
            "The heart rate of a person, as long as it is fresh.")
        for (person, device, rate) in rates {
            family.add(
                rate, .init("person", person ?? ""), .init("device", device ?? ""))
        }
        return family
    }
}
