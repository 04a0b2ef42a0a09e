import Bluetooth
import DBus
import GatewayCore

/// A call that registers a part of the offer with an adapter, or ends its registration.
struct Registration: Hashable, Sendable {
    /// A part of the offer, in the order of registration.
    enum Part: Hashable, Sendable {
        case services, advertisement
    }

    let part: Part
    /// The number of the use of the adapter.
    let turn: Int
    /// Whether it ends the registration.
    var isEnd = false
}

extension Registration {
    /// bluetoothd reads the objects before it answers.
    private static let timeoutSeconds = 15.0

    /// The call on the adapter at a path (BlueZ D-Bus API, org.bluez.GattManager,
    /// org.bluez.LEAdvertisingManager).
    func call(on adapter: String) -> BlueZCall {
        let (interface, object, path) =
            switch part {
            case .services: (BlueZName.gattManager, "Application", OfferedObjects.root)
            case .advertisement:
                (
                    BlueZName.advertisingManager, "Advertisement",
                    OfferedObjects.advertisementPath
                )
            }
        return BlueZCall(
            path: adapter, interface: interface,
            member: (isEnd ? "Unregister" : "Register") + object,
            body: [.objectPath(path)] + (isEnd ? [] : [.properties([:])]),
            timeoutSeconds: Self.timeoutSeconds)
    }

    /// The problem when bluetoothd refuses it.
    func problem(_ error: BusError) -> LinkError {
        switch (part, error) {
        case (_, .timedOut): PeripheralProblem.noAnswer
        case (.advertisement, .remote(name: "org.bluez.Error.NotPermitted", _)):
            PeripheralProblem.tooManyAdvertisements
        case (.services, _): PeripheralProblem.refused("services", error)
        case (.advertisement, _): PeripheralProblem.refused("advertisement", error)
        }
    }
}

extension BusError {
    /// Whether bluetoothd has the object already, which is as good.
    var isAlreadyRegistered: Bool {
        if case .remote(name: "org.bluez.Error.AlreadyExists", _) = self { true } else { false }
    }
}

/// Why a peripheral is not offered.
enum PeripheralProblem {
    static let noAnswer = LinkError(
        "bluetoothd does not answer", remedy: .restartBluetooth)
    static let released = LinkError("bluetoothd has ended the advertisement")
    static let tooManyAdvertisements = LinkError(
        "the Bluetooth adapter cannot send another advertisement",
        remedy: "end those of other programs, or use another adapter")

    static func refused(_ part: String, _ error: BusError) -> LinkError {
        LinkError("bluetoothd refuses the \(part): \(error)")
    }

    static func noAdapter(_ name: String?) -> LinkError {
        LinkError(
            name.map { "Bluetooth adapter \($0) not found" } ?? "no Bluetooth adapter found",
            remedy: "plug it in and check with `bluetoothctl list`")
    }

    static func off(_ name: String) -> LinkError {
        LinkError(
            "Bluetooth adapter \(name) is powered off",
            remedy: .turnOnAdapter)
    }

    static func incapable(_ name: String) -> LinkError {
        LinkError(
            "Bluetooth adapter \(name) cannot be a peripheral",
            remedy: "use an adapter with Bluetooth LE, and BlueZ 5.50 or later")
    }
}
