import Bluetooth
import GatewayCore
import HealthModel
import JSON
import Platform

/// What `inspect` prints, as lines for people or for programs.
struct InspectReport: Sendable {
    let address: BluetoothAddress
    let isJSON: Bool
    /// When the times of notifications are, in UTC.
    let epoch: ClockEpoch

    /// What is said on standard error: how far the way to the device is.
    func progress(_ event: BluetoothInspector.Event) -> String? {
        switch event {
        case .scanning: "looking for \(address) …"
        case .connecting(let name): "connecting \(LogFormat.escaped(name ?? "\(address)")) …"
        case .listening: isJSON ? nil : "listening; Ctrl-C ends this"
        default: nil
        }
    }

    /// What is printed of an event; empty when there is nothing to print.
    func text(_ event: BluetoothInspector.Event) -> String {
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
            ["refused   \(label(characteristic))  \(LogFormat.escaped(reason))"]
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

    /// The value as text too, where it is one.
    private func quoted(_ value: [UInt8]) -> String {
        guard value.count > 1, value.allSatisfy({ (0x20..<0x7F).contains($0) }) else { return "" }
        return "  \"\(String(decoding: value, as: UTF8.self))\""
    }

    /// The time of the day in UTC, to the millisecond.
    private func clockTime(_ time: BootInstant) -> String {
        let text = epoch.instant(at: time).description
        return String(text.drop { $0 != "T" }.dropFirst().prefix(12))
    }
}

/// Lines for programs.
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
