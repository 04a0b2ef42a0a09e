import HealthModel

/// A known deviation of a sensor model from the Heart Rate Service.
package struct HeartRateQuirk: Hashable, Sendable {
    /// The unit of RR intervals.
    package enum RRUnit: String, CaseIterable, Sendable {
        /// The unit required by the service (Heart Rate Service 1.0, §3.1.1.4).
        case standard = "1/1024 s"
        /// Milliseconds.
        case milliseconds = "ms"

        /// The number of units per second.
        package var perSecond: Double {
            switch self {
            case .standard: 1024
            case .milliseconds: 1000
            }
        }
    }

    /// The use of the two contact bits.
    package enum ContactBits: String, CaseIterable, Sendable {
        /// Use the contact bits.
        case believed
        /// Ignore the contact bits.
        case ignored
    }

    /// The complete Manufacturer Name String (0x2A29), case-sensitive.
    package let manufacturer: String
    /// A prefix of the Model Number String (0x2A24); nil matches all models.
    package let model: String?
    /// The unit of RR intervals, if specified.
    package let rrUnit: RRUnit?
    /// The use of the contact bits, if specified.
    package let contact: ContactBits?

    /// Makes an entry.
    package init(
        manufacturer: String, model: String? = nil, rrUnit: RRUnit? = nil,
        contact: ContactBits? = nil
    ) {
        self.manufacturer = manufacturer
        self.model = model
        self.rrUnit = rrUnit
        self.contact = contact
    }

    /// Whether the device has this manufacturer and model.
    func matches(_ device: Device) -> Bool {
        guard device.manufacturer == manufacturer else { return false }
        guard let model else { return true }
        return device.model?.hasPrefix(model) ?? false
    }
}

extension [HeartRateQuirk] {
    /// The unit of RR intervals of a device; the first matching entry applies.
    func rrUnit(of device: Device) -> HeartRateQuirk.RRUnit {
        first { $0.rrUnit != nil && $0.matches(device) }?.rrUnit ?? .standard
    }

    /// The use of the contact bits of a device; the first matching entry applies.
    func contactBits(of device: Device) -> HeartRateQuirk.ContactBits {
        first { $0.contact != nil && $0.matches(device) }?.contact ?? .believed
    }
}
