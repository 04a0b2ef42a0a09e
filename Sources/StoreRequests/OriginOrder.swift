import GatewayCore
import HealthModel
import HealthStatistics
import SQLiteStore

/// The priority of origins that have counted the same activity.
///
/// Primary devices come first, then devices without a role, backup devices, sources without a
/// device, and manually entered samples. Among equals the origin added to the store last has
/// priority. The order does not depend on the queried time.
struct OriginOrder: Sendable {
    private let devices: [Device: Int]
    private let sources: [String: Int]

    /// Orders the known origins of a store.
    ///
    /// - Parameter role: The configured role of a device; nil when there is none.
    init(_ known: KnownOrigins, role: (Device) -> People.Role?) {
        func place(_ device: Device) -> Int {
            switch role(device) {
            case .primary: 0
            case nil: 1
            case .backup: 2
            }
        }
        let places = Dictionary(
            known.devices.map { ($0, place($0)) }, uniquingKeysWith: { first, _ in first })
        // `sorted` is not stable, so the age is a part of the key.
        let order = known.devices.enumerated().sorted {
            let (one, other) = (places[$0.element] ?? 1, places[$1.element] ?? 1)
            return (one, -$0.offset) < (other, -$1.offset)
        }
        devices = Dictionary(
            order.enumerated().map { ($0.element.element, $0.offset) },
            uniquingKeysWith: { first, _ in first })
        sources = Dictionary(
            known.sources.reversed().enumerated().map { ($0.element, order.count + $0.offset) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The rank of an origin; the lowest has priority.
    func rank(of origin: SampleOrigin) -> Int {
        if origin.isEntered { return .max }
        if let device = origin.device { return devices[device] ?? .max - 2 }
        return origin.source.flatMap { sources[$0] } ?? .max - 1
    }
}
