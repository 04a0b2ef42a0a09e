public import JSON

/// The devices that a source reads and has to itself, as its settings say.
///
/// What two sources read is stored twice, so a configuration in which two claims meet is refused.
public struct DeviceClaim: Hashable, Sendable {
    /// How the devices are chosen.
    public enum Choice: Hashable, Sendable {
        /// These, by their local identifiers: the path of a port, the address of a radio device.
        case named(Set<String>)
        /// The radio devices that the user has adopted, but not these.
        case adopted(except: Set<String>)
        /// Whatever is around and fits, but not these.
        case any(except: Set<String>)
    }

    /// How the devices are chosen.
    public let choice: Choice
    /// The way to the devices, `bluetooth`: ``Choice/any(except:)`` means those on this way only.
    public let transport: String
    /// The protocol of the devices, as a configuration's `protocol`; nil when the settings name none.
    public let spoken: JSONValue?
    /// A phrase for the devices, for people; nil when the identifiers are enough.
    public let phrase: String?

    /// Makes a claim to the devices that are reached in one way.
    public init(
        _ choice: Choice, over transport: String, spoken: JSONValue? = nil, phrase: String? = nil
    ) {
        self.choice = choice
        self.transport = transport
        self.spoken = spoken
        self.phrase = phrase
    }

    /// A claim to nothing: the source shares what it reads, or has no device.
    public static let nothing = DeviceClaim(.named([]), over: "")
}

extension DeviceClaim {
    /// The devices that the settings name.
    package var named: Set<String> {
        if case .named(let devices) = choice { devices } else { [] }
    }

    /// Whether the source looks for the user's own devices by itself.
    package var findsAdopted: Bool {
        if case .adopted = choice { true } else { false }
    }

    /// The same claim, in which the adopted devices are named.
    package func resolved(adopted identifiers: [String]) -> DeviceClaim {
        guard case .adopted(let exceptions) = choice else { return self }
        let own = identifiers.compactMap { DeviceIdentifier($0) }.filter { !$0.isPort }
        return DeviceClaim(
            .named(Set(own.map(\.description)).subtracting(exceptions)), over: transport,
            spoken: spoken, phrase: phrase)
    }

    /// Whether the source reads an adopted device.
    package func includes(_ device: AdoptedDevice) -> Bool {
        let identifier = device.identifier.description
        switch choice {
        case .named(let devices): return devices.contains(identifier)
        case .adopted(let exceptions), .any(let exceptions):
            return !device.identifier.isPort && !device.isClassic
                && !exceptions.contains(identifier)
        }
    }

    /// The devices in words; nil when the source claims nothing.
    package func text(adopted identifiers: [String]) -> String? {
        switch choice {
        case .named(let devices): return devices.isEmpty ? nil : phrase ?? Self.list(devices)
        case .any(let exceptions):
            let devices = phrase ?? "every device"
            return exceptions.isEmpty ? devices : "\(devices), except \(Self.list(exceptions))"
        case .adopted:
            let own = resolved(adopted: identifiers).named
            return own.isEmpty
                ? "nothing: no Bluetooth device is adopted" : "\(Self.list(own)), as adopted"
        }
    }

    private static func list(_ devices: Set<String>) -> String {
        devices.sorted().joined(separator: ", ")
    }
}
