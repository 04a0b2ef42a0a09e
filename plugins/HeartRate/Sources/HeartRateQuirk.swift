import HealthModel

/// How the sensors of one make depart from the Heart Rate Service.
package struct HeartRateQuirk: Hashable, Sendable {
    /// What an RR interval is counted in.
    package enum RRUnit: String, CaseIterable, Sendable {
        /// What the service asks for (Heart Rate Service 1.0, §3.1.1.4).
        case standard = "1/1024 s"
        /// Milliseconds.
        case milliseconds = "ms"

        /// How many of them make a second.
        package var perSecond: Double {
            switch self {
            case .standard: 1024
            case .milliseconds: 1000
            }
        }
    }

    /// What the two contact bits are worth.
    package enum ContactBits: String, CaseIterable, Sendable {
        /// They say whether the sensor touches the skin.
        case believed
        /// They say nothing.
        case ignored
    }

    /// The whole Manufacturer Name String (0x2A29), case as it is.
    package let manufacturer: String
    /// What the Model Number String (0x2A24) begins with; every model when it is left out.
    package let model: String?
    /// What RR intervals are counted in, where it is known.
    package let rrUnit: RRUnit?
    /// Whether the contact bits can be believed, where it is known.
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

    /// Whether the device is of this make, as far as it has said.
    func matches(_ device: Device) -> Bool {
        guard device.manufacturer == manufacturer else { return false }
        guard let model else { return true }
        return device.model?.hasPrefix(model) ?? false
    }
}

extension [HeartRateQuirk] {
    /// What the device counts RR intervals in: the first entry for it that knows wins.
    func rrUnit(of device: Device) -> HeartRateQuirk.RRUnit {
        first { $0.rrUnit != nil && $0.matches(device) }?.rrUnit ?? .standard
    }

    /// What the device's contact bits are worth: the first entry for it that knows wins.
    func contactBits(of device: Device) -> HeartRateQuirk.ContactBits {
        first { $0.contact != nil && $0.matches(device) }?.contact ?? .believed
    }
}
