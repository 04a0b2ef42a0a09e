package import GatewayCore
package import JSON

/// Which devices a source of the configuration reads, as far as its settings say so.
package struct SourceScope {
    /// How the source chooses its devices.
    package enum Choice: Equatable {
        /// Those that it names, by address or path.
        case named([String])
        /// The port with these marks, in words.
        case marked(String)
        /// The Bluetooth devices that are adopted, without these.
        case adopted(except: [String])
        /// Every Bluetooth device around that a profile takes, without these.
        case any(except: [String])
        /// What it reads is not said by addresses or ports.
        case other
    }

    package let choice: Choice
    /// What the devices speak, as a configuration's `protocol`.
    package let spoken: JSONValue?

    /// Looks at the settings; they need not be right.
    package init(_ component: GatewayConfiguration.Component) {
        choice = Self.choice(component.use, component.settings.value)
        spoken = component.settings.value["protocol"]
    }

    private static func choice(_ use: String, _ settings: JSONValue) -> Choice {
        if let address = settings["address"]?.text { return .named([normal(address)]) }
        if let port = settings["port"] {
            return port["path"]?.text.map { .named([$0]) } ?? .marked(port.json)
        }
        guard use == AdoptedSources.bluetooth else { return .other }
        let denied = settings["deny"]?.texts.map(normal) ?? []
        switch settings["devices"] {
        case nil: return .adopted(except: denied)
        case .array(let devices)?: return .named(devices.compactMap(\.text).map(normal))
        default: return .any(except: denied)
        }
    }

    /// Radio addresses are written in either case.
    private static func normal(_ text: String) -> String {
        DeviceIdentifier(text)?.description ?? text
    }

    /// The devices that the source names.
    package var named: [String] {
        if case .named(let devices) = choice { devices } else { [] }
    }

    /// Whether the source reads a device.
    package func includes(_ device: AdoptedDevice) -> Bool {
        let isBluetooth = !device.identifier.isPort && !device.isClassic
        switch choice {
        case .named(let devices): return devices.contains(device.identifier.description)
        case .adopted(let denied), .any(let denied):
            return isBluetooth && !denied.contains(device.identifier.description)
        case .marked, .other: return false
        }
    }

    /// What the source reads, in words; nil when its settings do not say so.
    package func text(adopted devices: [String]) -> String? {
        switch choice {
        case .named(let devices): return devices.joined(separator: ", ")
        case .marked(let marks): return "the port with \(marks)"
        case .any(let denied):
            return "every Bluetooth device that a profile takes"
                + (denied.isEmpty ? "" : ", except \(denied.joined(separator: ", "))")
        case .other: return nil
        case .adopted(let denied):
            let own = devices.map(Self.normal).filter { !$0.hasPrefix("/") && !denied.contains($0) }
            return own.isEmpty
                ? "nothing: no Bluetooth device is adopted"
                : "\(own.joined(separator: ", ")), as adopted"
        }
    }
}

extension JSONValue {
    package subscript(key: String) -> JSONValue? {
        if case .object(let object) = self { object[key] } else { nil }
    }

    fileprivate var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    fileprivate var texts: [String] {
        if case .array(let array) = self { array.compactMap(\.text) } else { [] }
    }
}
