import DBus

/// How a call goes wrong.
public enum FakeOutcome: Hashable, Sendable {
    /// It fails.
    case error(FakeFault)
    /// It succeeds and does nothing.
    case noEffect
    /// It is never answered.
    case noAnswer
}

/// An error reply of ``FakeBlueZ``, in the format of bluetoothd.
public struct FakeFault: Hashable, Sendable {
    /// The D-Bus error name.
    public var name: String
    /// The error message, which often distinguishes errors with the same name.
    public var message: String

    /// Makes an error.
    public init(name: String, message: String) {
        self.name = name
        self.message = message
    }

    /// `org.bluez.Error.Failed` with a text such as `le-connection-timeout`.
    public static func failed(_ message: String) -> FakeFault {
        FakeFault(name: "org.bluez.Error.Failed", message: message)
    }

    /// `org.bluez.Error.InProgress`: the operation is already in progress.
    public static let inProgress = bluez("InProgress", "Operation already in progress")
    /// `org.bluez.Error.NotReady`: the adapter is powered off.
    public static let notReady = bluez("NotReady", "Resource Not Ready")
    /// `org.bluez.Error.Blocked`: the adapter is blocked by rfkill.
    public static let blocked = bluez("Blocked", "Blocked through rfkill")

    static let notSupported = bluez("NotSupported", "Operation is not supported")
    static let invalidArguments = bluez(
        "InvalidArguments", "Invalid arguments in method call")
    static let alreadyExists = bluez("AlreadyExists", "Already Exists")
    static let doesNotExist = bluez("DoesNotExist", "Does Not Exist")
    static let notConnected = failed("Not connected")

    static func authentication(_ outcome: String) -> FakeFault {
        bluez("Authentication\(outcome)", "Authentication \(outcome)")
    }

    static func notPermitted(_ message: String) -> FakeFault { bluez("NotPermitted", message) }

    static func attribute(_ code: UInt8) -> FakeFault {
        let digits = String(code, radix: 16)
        return failed(
            "Operation failed with ATT error: 0x\(digits.utf8.count < 2 ? "0" : "")\(digits)")
    }

    static func noProperty(_ name: String) -> FakeFault {
        bus("InvalidArgs", "No such property '\(name)'")
    }

    static func readOnly(_ name: String) -> FakeFault {
        bus("PropertyReadOnly", "Property '\(name)' is not writable")
    }

    static func noInterface(_ name: String) -> FakeFault {
        bus("InvalidArgs", "No such interface '\(name)'")
    }

    /// The libdbus error for an unknown method or object.
    static func unknown(_ request: BusRequest, objectExists: Bool) -> FakeFault {
        let signature = request.body.map(\.signature).joined()
        return bus(
            objectExists ? "UnknownMethod" : "UnknownObject",
            "Method \"\(request.member)\" with signature \"\(signature)\" on interface "
                + "\"\(request.interface)\" doesn't exist\n")
    }

    private static func bluez(_ name: String, _ message: String) -> FakeFault {
        FakeFault(name: "org.bluez.Error.\(name)", message: message)
    }

    private static func bus(_ name: String, _ message: String) -> FakeFault {
        FakeFault(name: "org.freedesktop.DBus.Error.\(name)", message: message)
    }
}

extension BusReply {
    func fail(_ fault: FakeFault) { fail(name: fault.name, message: fault.message) }
}

/// The names of the interfaces of bluetoothd.
enum FakeInterface {
    static let adapter = "org.bluez.Adapter1"
    static let device = "org.bluez.Device1"
    static let battery = "org.bluez.Battery1"
    static let service = "org.bluez.GattService1"
    static let characteristic = "org.bluez.GattCharacteristic1"
    static let descriptor = "org.bluez.GattDescriptor1"
    static let advertisement = "org.bluez.LEAdvertisement1"
    static let gattManager = "org.bluez.GattManager1"
    static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    static let agentManager = "org.bluez.AgentManager1"
    static let profileManager = "org.bluez.ProfileManager1"
    static let properties = "org.freedesktop.DBus.Properties"
    static let introspectable = "org.freedesktop.DBus.Introspectable"
    static let objectManager = "org.freedesktop.DBus.ObjectManager"
}
