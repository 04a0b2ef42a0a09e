import GatewayCore
import HealthModel

/// A service that does what a closure says.
struct ClosureService: Service {
    let body: @Sendable (ServiceAccess) async throws -> Void

    func run(_ gateway: ServiceAccess) async throws { try await body(gateway) }

    /// Reads every heart rate until the task is cancelled.
    @Sendable static func read(
        _ gateway: ServiceAccess, _ show: (Double) throws -> Void
    ) async rethrows {
        let records = gateway.live.subscribeBuffered()
        defer { gateway.live.cancel(records) }
        while let delivery = await records.next() {
            guard case .records(let batch) = delivery else { continue }
            for case .sample(let sample) in batch where sample.type == .heartRate {
                if let rate = try? sample.quantity.value(in: .countPerMinute) { try show(rate) }
            }
        }
    }

    /// A heart rate of ada.
    static func record(_ rate: Double) throws -> Record {
        let time = Instant(nanosecondsSince1970: 1_795_284_900_000_000_000)
        return .sample(
            try QuantitySample(
                id: RecordID(high: 7, low: 7), type: .heartRate, start: time, end: time,
                quantity: Quantity(rate, .countPerMinute), person: "ada"))
    }
}
