import Bluetooth
package import BluetoothSetup
package import GatewayCore
import HealthModel
import JSON
import Platform
package import Readings

/// The output of `inspect`, as text or JSON lines.
package struct InspectReport: Sendable {
    private let address: BluetoothAddress
    private let isJSON: Bool
    /// The clock epoch that converts the times of notifications to UTC.
    private let epoch: ClockEpoch

    /// Creates the report of a device; notifications get the times of a clock epoch.
    package init(address: BluetoothAddress, isJSON: Bool, epoch: ClockEpoch) {
        self.address = address
        self.isJSON = isJSON
        self.epoch = epoch
    }

    /// The progress line for standard error; nil if an event has none.
    package func progress(_ event: BluetoothInspector.Event) -> String? {
        switch event {
        case .scanning: "scanning for \(address) …"
        case .connecting(let name): "connecting to \(LogFormat.escaped(name ?? "\(address)")) …"
        case .listening: isJSON ? nil : "waiting for notifications; stop with Ctrl-C"
        default: nil
        }
    }

    /// The output of an event; may be empty.
    package func text(_ event: BluetoothInspector.Event) -> String {
        isJSON ? value(event).map { "\($0.json)\n" } ?? "" : lines(event).map { "\($0)\n" }.joined()
    }

    private func lines(_ event: BluetoothInspector.Event) -> [String] {
        switch event {
        case .scanning, .connecting, .listening: []
        case .discovered(let name, let services):
            ["name  \(LogFormat.escaped(name ?? "-"))"] + services.flatMap(lines)
        case .read(let characteristic, let value):
            ["read      \(label(characteristic))  \(hex(value))\(quoted(value))"]
        case .notified(let characteristic, let value, let time):
            ["\(clockTime(time))  \(characteristic.uuid.shortest)  \(hex(value))"]
        case .refused(let characteristic, let reason):
            ["failed    \(label(characteristic))  \(LogFormat.escaped(reason))"]
        }
    }

    private func lines(_ service: BluetoothInspector.Service) -> [String] {
        let heading = "service   \(service.uuid.shortest) \(service.uuid.assignedName ?? "")"
        return [heading]
            + service.characteristics.map { characteristic in
                "          \(label(characteristic))  [\(characteristic.flags.joined(separator: " "))]"
            }
    }

    private func label(_ characteristic: BluetoothInspector.Characteristic) -> String {
        let name = characteristic.uuid.assignedName.map { " \($0)" } ?? ""
        return characteristic.uuid.shortest + name
    }

    private func hex(_ value: [UInt8]) -> String {
        value.map(Self.hex).joined(separator: " ")
    }

    private static func hex(_ byte: UInt8) -> String {
        String(byte >> 4, radix: 16) + String(byte & 0xF, radix: 16)
    }

    /// The value as a quoted string, if all bytes are printable ASCII.
    private func quoted(_ value: [UInt8]) -> String {
        guard value.count > 1, value.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "" }
        return "  \"\(String(decoding: value, as: UTF8.self))\""
    }

    /// The time of day in UTC with milliseconds.
    private func clockTime(_ time: BootInstant) -> String {
        let text = epoch.instant(at: time).description
        return String(text.drop { $0 != "T" }.dropFirst().prefix(12))
    }
}

/// JSON lines.
extension InspectReport {
    private func value(_ event: BluetoothInspector.Event) -> JSONValue? {
        switch event {
        case .scanning, .connecting: return nil
        case .listening: return .object(["event": .string("listening")])
        case .discovered(let name, let services):
            var object: [String: JSONValue] = [
                "event": .string("offers"), "services": .array(services.map(value)),
            ]
            object["name"] = name.map(JSONValue.string)
            return .object(object)
        case .read(let characteristic, let bytes):
            return value("read", characteristic, ["hex": .string(bytes.map(Self.hex).joined())])
        case .notified(let characteristic, let bytes, let time):
            return value(
                "notified", characteristic,
                [
                    "hex": .string(bytes.map(Self.hex).joined()),
                    "at": .string(epoch.instant(at: time).description),
                ])
        case .refused(let characteristic, let reason):
            return value("refused", characteristic, ["reason": .string(reason)])
        }
    }

    private func value(
        _ event: String, _ characteristic: BluetoothInspector.Characteristic,
        _ more: [String: JSONValue]
    ) -> JSONValue {
        let object: [String: JSONValue] = [
            "event": .string(event), "service": .string(characteristic.service.shortest),
            "characteristic": .string(characteristic.uuid.shortest),
        ]
        return .object(object.merging(more) { own, _ in own })
    }

    private func value(_ service: BluetoothInspector.Service) -> JSONValue {
        .object([
            "uuid": .string(service.uuid.shortest),
            "characteristics": .array(
                service.characteristics.map { characteristic in
                    .object([
                        "uuid": .string(characteristic.uuid.shortest),
                        "flags": .strings(characteristic.flags),
                    ])
                }),
        ])
    }
}
