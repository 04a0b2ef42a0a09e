package import GatewayCore
import JSON

/// The result of a request to adopt a device.
package struct AdoptionResult: Hashable, Sendable {
    /// What the request changed.
    package enum Change: String, CaseIterable, Sendable {
        /// The device was not adopted before.
        case adopted
        /// The device was adopted before; facts about it changed.
        case changed
        /// The device was adopted before, with the same facts.
        case unchanged
        /// The device was in quarantine, and is read again.
        case released
    }

    /// The adopted device.
    package let device: AdoptedDevice
    /// What the request changed.
    package let change: Change
    /// Hints for the user, such as a configuration that does not read the device.
    package var notes: [String]
}

/// The result of a request to forget a device.
package struct ForgetResult: Hashable, Sendable {
    /// The device that is no longer adopted.
    package let device: DeviceIdentifier
    /// Hints for the user, such as a configuration that names the device too.
    package let notes: [String]
}

extension AdoptedDevice {
    /// The facts about the device, in words: `person ada, role backup`.
    package var summary: String {
        var parts: [String] = []
        if let person { parts.append("person \(person)") }
        if let role { parts.append("role \(role.rawValue)") }
        if let name { parts.append("name \(name)") }
        if let spoken { parts.append("protocol \(Self.word(spoken))") }
        if let format { parts.append("format \(format)") }
        return parts.joined(separator: ", ")
    }

    private static func word(_ spoken: JSONValue) -> String {
        if case .string(let word) = spoken { word } else { spoken.json }
    }
}
