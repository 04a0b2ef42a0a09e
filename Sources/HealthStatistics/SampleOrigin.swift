public import HealthModel

/// The origin of samples: a device, or the source when the device is unknown.
public struct SampleOrigin: Hashable, Sendable {
    /// The device; nil when unknown.
    public let device: Device?
    /// The name of the source; nil when the device is known, which several sources may read.
    public let source: String?
    /// Whether the samples were manually entered.
    public let isEntered: Bool

    /// Makes an origin; the source counts only without a device.
    public init(device: Device?, source: String?, isEntered: Bool) {
        self.device = device
        self.source = device == nil ? source : nil
        self.isEntered = isEntered
    }

    /// Makes the origin of a sample.
    public init(_ sample: QuantitySample) {
        self.init(
            device: sample.device, source: sample.source?.name,
            isEntered: sample.metadata[.wasUserEntered] == true)
    }

    /// The display name; nil when nothing is known.
    public var name: String? {
        let name = device?.name ?? device?.localIdentifier ?? source
        guard isEntered else { return name }
        return [name, "(manually entered)"].compactMap(\.self).joined(separator: " ")
    }
}
