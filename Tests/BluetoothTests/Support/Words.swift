import GatewayCore
import HealthModel
import JSON
import Readings

@testable import Advertisements
@testable import Bluetooth
@testable import BluetoothSetup

extension DeviceReport.Content {
    /// Whether the device has accepted the subscriptions.
    var isSubscription: Bool {
        switch self {
        case .link(.live, _), .link(.subscribing, reason: .some): true
        default: false
        }
    }
}

/// Short texts for actions and outputs, so that a test can compare lists.
extension DeviceReport.Content {
    var words: String {
        switch self {
        case .opened(let device, _): device.name.map { "opened \($0)" } ?? "opened"
        case .readings(let readings): readings.map(\.reading.words).joined(separator: ", ")
        case .dropped(let drops):
            "dropped "
                + drops.map { "\($0.key.rawValue) \($0.value)" }.sorted().joined(separator: ", ")
        case .records(let records, _): "\(records.count) records"
        case .discarded(let faults, _): "discarded \(faults.total)"
        case .seen: "heard"
        case .forgotten: "forgotten"
        case .traffic(.adapter(let settings)): "adapter \(settings.json)"
        case .traffic(.device(let device)): "device \(device.name ?? "")"
        case .traffic(.received(let bytes, let channel, _)):
            "traffic \(bytes) on \(channel.name.prefix(8))"
        case .stale(_, let reason): "stale: \(reason)"
        case .closed(_, let reason): "closed: \(reason)"
        case .link(let state, let reason): reason.map { "\(state): \($0)" } ?? "\(state)"
        }
    }
}

extension Reading {
    var words: String {
        switch self {
        case .instant(_, let quantity, _): "pulse \(quantity.valueText)"
        case .state(.battery(let charge)): "battery \(charge)"
        case .state(.contact(let isThere)): "contact \(isThere.map { "\($0)" } ?? "unknown")"
        case .identity(let device): "made by \(device.manufacturer ?? "?")"
        case .counter, .beats, .waveform, .metadata, .correlation: "\(self)"
        }
    }
}

extension Link.Action {
    /// What a link does in its attempt with this number.
    func words(attempt: Int) -> String {
        switch self {
        case .perform(.connect): "connect \(attempt)"
        case .perform(.disconnect): "disconnect \(attempt)"
        case .perform(.remove): "remove \(attempt)"
        case .perform(.gatt(let operation)): operation.summary
        case .report(let content): content.words
        case .restartDiscovery: "restart discovery"
        case .note(let text): "note: \(text)"
        case .requiresPairing(let reason): "requires pairing: \(reason)"
        case .keepsFailing(let reason, let count): "failed \(count) times: \(reason)"
        case .program(let channel, let input): "\(channel): \(input.words)"
        }
    }
}

extension CentralMachine.Output {
    var words: String {
        switch self {
        case .report(let address, let content): "\(address.last) \(content.words)"
        case .problem(let problem): problem.map { "problem: \($0.problem)" } ?? "no problem"
        case .note(let address, let text): "\(address.last) note: \(text)"
        case .requiresPairing(let address, let reason):
            "\(address.last) requires pairing: \(reason)"
        case .ownLink(let address, let daemon):
            "\(address.last) " + (daemon.map { "own link in \($0)" } ?? "no own link")
        case .keepsFailing(let address, let reason, let count):
            "\(address.last) failed \(count) times: \(reason)"
        case .filterRefused(let adapter, let reason, let count):
            "filter refused by \(adapter): \(reason), \(count)"
        case .replaced(let count): "replaced \(count)"
        case .program(let address, let channel, let input):
            "\(address.last) \(channel): \(input.words)"
        }
    }
}

extension CentralMachine.Output {
    /// Whether it is about the ownership of a link.
    var isOwnLink: Bool {
        if case .ownLink = self { true } else { false }
    }
}

extension DecoderInput {
    /// What a program gets.
    fileprivate var words: String {
        switch self {
        case .event(let event):
            switch event.kind {
            case .opened: "opened"
            case .closed: "closed"
            case .timer: "timer"
            case .received(let bytes, _): "received \(bytes)"
            }
        case .rejected(let reason): "rejected \(reason)"
        }
    }
}

extension ScanMachine.Output {
    var words: String {
        switch self {
        case .found(let device):
            "found \(device.address.last) \(device.signalStrength.map { "\($0)" } ?? "-") "
                + device.adapter
        case .lost(let address): "lost \(address.last)"
        case .problem(let problem): problem.map { "problem: \($0.problem)" } ?? "no problem"
        }
    }
}

extension BluetoothInspector.Event {
    var words: String {
        switch self {
        case .scanning: "scanning"
        case .connecting(let name): "connecting \(name ?? "-")"
        case .discovered(let name, let services):
            "discovered \(name ?? "-"): "
                + services.map { service in
                    let characteristics = service.characteristics.map(\.uuid.shortest)
                    return "\(service.uuid.shortest)(\(characteristics.joined(separator: " ")))"
                }.joined(separator: " ")
        case .read(let characteristic, let bytes): "\(characteristic.uuid.shortest) read \(bytes)"
        case .notified(let characteristic, let bytes, _):
            "\(characteristic.uuid.shortest) notified \(bytes)"
        case .refused(let characteristic, let reason):
            "\(characteristic.uuid.shortest) refused: \(reason)"
        case .listening: "listening"
        }
    }
}

extension BluetoothAddress {
    /// The last two digits.
    var last: String { String(description.suffix(2)) }
}
