import GatewayCore
package import GatewayHost
import Platform

/// The remedies for states in which a device sends no measurements.
package enum DeviceRemedy {
    /// Returns the remedy for the state of a device; nil if none is needed.
    package static func text(for device: StatusReport.Device) -> String? {
        // The reason has the remedy.
        guard device.reason?.contains(text: "pulsegate pair") != true else { return nil }
        let isRadio = BluetoothAddress(device.identifier) != nil
        return switch LinkState(rawValue: device.link) {
        case .wanted:
            "wear the device, move it closer, and disconnect it from phones and other programs"
        case .backOff where isRadio:
            "move the device closer, disconnect it from other programs, or change its battery"
        case .backOff: "check that the device is switched on, and its cable"
        case .stale where !isRadio:
            "check that the device is switched on, and its cable"
        case .stale: "check skin contact and battery"
        case .live where device.contact == false:
            "no skin contact; moisten the electrodes and tighten the strap"
        // Its reason has the remedy.
        case .quarantined: nil
        case .idle, .connecting, .resolving, .subscribing, .live, nil: nil
        }
    }
}
