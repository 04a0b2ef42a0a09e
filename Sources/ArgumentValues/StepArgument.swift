package import GatewayHost
package import HealthModel

/// Calendar steps on the command line, such as `15m` or `1mo`.
package enum StepArgument {
    private static let components: [(suffix: String, component: CalendarStep.Component)] = [
        ("mo", .month), ("m", .minute), ("h", .hour), ("d", .day), ("w", .week),
    ]

    /// Reads `15m`, `1h`, `1d`, `2w` or `1mo`; nil when nothing was given.
    package static func step(
        _ text: String?, option: String
    ) throws(HostError) -> CalendarStep? {
        guard let text else { return nil }
        for (suffix, component) in components where text.hasSuffix(suffix) {
            guard let count = Int(text.dropLast(suffix.count)),
                let step = CalendarStep(count, component)
            else { break }
            return step
        }
        throw HostError(
            .usage,
            "\(option): expected a step such as 15m, 1h, 1d, 1w or 1mo, found `\(text)`"
        )
    }
}
