package import GatewayCore
package import HealthModel

/// Which of several origins counts, where they have counted the same.
///
/// A device worn as the primary one comes first, then those without a role, then backups, then what has no
/// device, and at last what a person has entered. Of equal ones the device that was used last is the best.
package struct OriginOrder: Sendable {
    private let ranks: [SampleOrigin: Int]

    /// Orders the origins.
    ///
    /// - Parameter origins: Each with the newest start of its samples.
    package init(_ origins: [SampleOrigin: Instant], role: (Device) -> People.Role?) {
        func place(_ origin: SampleOrigin) -> Int {
            guard !origin.isEntered else { return 4 }
            guard let device = origin.device else { return 3 }
            switch role(device) {
            case .primary: return 0
            case nil: return 1
            case .backup: return 2
            }
        }
        let order = origins.sorted { left, right in
            let (one, other) = (place(left.key), place(right.key))
            if one != other { return one < other }
            if left.value != right.value { return left.value > right.value }
            return left.key.name < right.key.name
        }
        ranks = Dictionary(
            uniqueKeysWithValues: order.enumerated().map { ($0.element.key, $0.offset) })
    }

    /// How good the origin of a sample is; the lowest is the best.
    package func rank(of sample: QuantitySample) -> Int {
        ranks[SampleOrigin(sample)] ?? ranks.count
    }
}

extension SampleOrigin {
    /// What people call it.
    package var name: String {
        let name = device?.name ?? device?.localIdentifier ?? source ?? "-"
        return isEntered ? "\(name) (entered)" : name
    }
}

extension HealthStore {
    /// The origins of the samples of a query, each with the newest start of its samples.
    package nonisolated func origins(of query: SampleQuery) async throws -> [SampleOrigin: Instant]
    {
        var origins: [SampleOrigin: Instant] = [:]
        for try await page in pages(matching: query) {
            for sample in page { origins[SampleOrigin(sample)] = sample.start }
        }
        return origins
    }
}
