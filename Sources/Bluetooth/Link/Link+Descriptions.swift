import DBus
import GatewayCore
import HealthModel
import Platform

extension Link.State {
    /// The state that `pulsegate status` shows.
    var shown: LinkState {
        switch self {
        case .wanted: .wanted
        case .connecting: .connecting
        case .resolving: .resolving
        case .subscribing: .subscribing
        case .live: .live
        case .stale: .stale
        case .ending, .backOff: .backOff
        case .idle: .idle
        }
    }

    var reason: String? {
        if case .ending(let ending) = self { ending.reason } else { nil }
    }
}

extension GATTSession.Operation {
    /// The operation as a verb with its object, for log lines.
    var summary: String {
        switch self {
        case .read(let path): "read \(path)"
        case .write(let path, _): "write to \(path)"
        case .subscribe(let path): "subscribe to \(path)"
        case .acquire(let path): "acquire the notifications of \(path)"
        case .unsubscribe(let path): "unsubscribe from \(path)"
        }
    }
}

extension Result<[UInt8], BusError> {
    /// Whether BlueZ was busy with another request for the same attribute.
    var isBusy: Bool {
        guard case .failure(.remote(name: "org.bluez.Error.InProgress", _)) = self else {
            return false
        }
        return true
    }

    /// Whether bluetoothd cannot let a characteristic be acquired, whatever the device says: another
    /// program may have subscribed.
    var isNotOffered: Bool {
        guard case .failure(.remote(let name, _)) = self else { return false }
        return [
            "org.bluez.Error.NotSupported", "org.bluez.Error.NotPermitted",
            "org.bluez.Error.InProgress", "org.freedesktop.DBus.Error.UnknownMethod",
        ].contains(name)
    }

    /// Whether there is no link.
    var isNotConnected: Bool {
        guard case .failure(.remote(let name, let message)) = self else { return false }
        return name == "org.bluez.Error.NotConnected"
            || name == "org.bluez.Error.Failed" && message == "Not connected"
    }

    /// Whether there was no answer in time.
    var isUnanswered: Bool {
        if case .failure(.timedOut) = self { true } else { false }
    }

    /// Whether the answer comes from the device, even if it is an ATT error.
    var isFromDevice: Bool {
        guard case .failure(let error) = self else { return true }
        guard case .remote(let name, let message) = error else { return false }
        let refusals = ["NotPermitted", "NotAuthorized", "NotSupported", "InvalidOffset"]
        return message.contains(text: "ATT error")
            || refusals.contains { name == "org.bluez.Error.\($0)" }
    }
}

extension BlueZDevice {
    /// The device information known before the first read.
    var known: Device {
        Device(name: name, localIdentifier: address.description)
    }
}
