public import JSON

/// The devices that a source reads exclusively according to its settings.
///
/// Data read by two sources is stored twice, so a configuration with overlapping claims is
/// rejected.
public struct DeviceClaim: Hashable, Sendable {
    /// The selection of the devices.
    public enum Choice: Hashable, Sendable {
        /// Devices by local identifier: the path of a port, the address of a radio device.
        case named(Set<String>)
        /// The adopted radio devices, except some.
        case adopted(except: Set<String>)
        /// All suitable devices in range, except some.
        case any(except: Set<String>)
    }

    /// The selection of the devices.
    public let choice: Choice
    /// The transport, such as `bluetooth`, to which ``Choice/any(except:)`` is limited.
    public let transport: String
    /// The devices' protocol, as in the key `protocol` of a configuration; nil if not set.
    public let spoken: JSONValue?
    /// A readable description of the devices; nil to list the identifiers.
    public let phrase: String?

    /// Makes a claim to devices on one transport.
    public init(
        _ choice: Choice, over transport: String, spoken: JSONValue? = nil, phrase: String? = nil
    ) {
        self.choice = choice
        self.transport = transport
        self.spoken = spoken
        self.phrase = phrase
    }

    /// An empty claim: the source has no exclusive device.
    public static let nothing = DeviceClaim(.named([]), over: "")
}

extension DeviceClaim {
    /// The identifiers in the settings.
    package var named: Set<String> {
        if case .named(let devices) = choice { devices } else { [] }
    }

    /// Whether the source finds adopted devices by itself.
    package var findsAdopted: Bool {
        if case .adopted = choice { true } else { false }
    }

    /// Returns the claim with adopted devices replaced by their identifiers.
    package func resolved(adopted identifiers: [String]) -> DeviceClaim {
        guard case .adopted(let exceptions) = choice else { return self }
        let own = identifiers.compactMap { DeviceIdentifier($0) }.filter { !$0.isPort }
        return DeviceClaim(
            .named(Set(own.map(\.description)).subtracting(exceptions)), over: transport,
            spoken: spoken, phrase: phrase)
    }

    /// Returns whether the source reads an adopted device.
    package func includes(_ device: AdoptedDevice) -> Bool {
        let identifier = device.identifier.description
        switch choice {
        case .named(let devices): return devices.contains(identifier)
        case .adopted(let exceptions), .any(let exceptions):
            return !device.identifier.isPort && !device.isClassic
                && !exceptions.contains(identifier)
        }
    }

    /// Returns a readable list of the devices; nil for an empty claim.
    package func text(adopted identifiers: [String]) -> String? {
        switch choice {
        case .named(let devices): return devices.isEmpty ? nil : phrase ?? Self.list(devices)
        case .any(let exceptions):
            let devices = phrase ?? "every device"
            return exceptions.isEmpty ? devices : "\(devices), except \(Self.list(exceptions))"
        case .adopted:
            let own = resolved(adopted: identifiers).named
            return own.isEmpty
                ? "nothing: no Bluetooth device is adopted" : "\(Self.list(own)) (adopted)"
        }
    }

    private static func list(_ devices: Set<String>) -> String {
        devices.sorted().joined(separator: ", ")
    }
}
