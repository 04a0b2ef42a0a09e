import CUdev
import Glibc

/// Reads the terminal devices that udev knows.
///
/// This is the only file that calls libudev. Its strings are copied at once: they live as long as the
/// device they are of.
enum UdevTerminals {
    /// The most devices looked at.
    private static let deviceLimit = 4096
    /// The names of terminals that may be serial ports, as patterns of glob(7); the others are left out
    /// before they are looked at, which takes most of the time: a machine has 64 consoles.
    private static let namePatterns = ["tty[A-Za-z]*", "rfcomm*"]
    private static let usbAttributes = [
        "idVendor", "idProduct", "serial", "manufacturer", "product",
    ]
    private static let driverDepthLimit = 8

    /// Lists the terminals that may be serial ports, in no order.
    static func list() throws(SerialError) -> [UdevTerminal] {
        guard let context = udev_new() else { throw noMemory("udev_new") }
        defer { udev_unref(context) }
        guard let enumeration = udev_enumerate_new(context) else {
            throw noMemory("udev_enumerate_new")
        }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "tty")
        for pattern in namePatterns { udev_enumerate_add_match_sysname(enumeration, pattern) }
        // Without sysfs there is nothing to be found, which is no failure.
        udev_enumerate_scan_devices(enumeration)
        var terminals: [UdevTerminal] = []
        for (path, _) in entries(udev_enumerate_get_list_entry(enumeration)).prefix(deviceLimit) {
            // A device that is gone meanwhile cannot be made.
            guard let device = udev_device_new_from_syspath(context, path) else { continue }
            defer { udev_device_unref(device) }
            if let terminal = terminal(device) { terminals.append(terminal) }
        }
        return terminals
    }

    /// Reads what is known of a device; only its name when it is no serial port.
    private static func terminal(_ device: OpaquePointer) -> UdevTerminal? {
        guard let name = text(udev_device_get_sysname(device)) else { return nil }
        var terminal = UdevTerminal(name: name)
        terminal.hasHardware = udev_device_get_parent(device) != nil
        // Every question costs a read of a file or more.
        guard terminal.mayBePort else { return terminal }
        terminal.node = text(udev_device_get_devnode(device))
        terminal.uartType = text(udev_device_get_sysattr_value(device, "type"))
        terminal.driver = driver(of: device)
        terminal.links = entries(udev_device_get_devlinks_list_entry(device)).map(\.name)
        for (name, value) in entries(udev_device_get_properties_list_entry(device)) {
            terminal.properties[name] = value
        }
        if let usb = udev_device_get_parent_with_subsystem_devtype(device, "usb", "usb_device") {
            for attribute in usbAttributes {
                terminal.usb[attribute] = text(udev_device_get_sysattr_value(usb, attribute))
            }
        }
        return terminal
    }

    /// The driver of the nearest piece of hardware that has one.
    private static func driver(of device: OpaquePointer) -> String? {
        var device: OpaquePointer? = device
        for _ in 0..<driverDepthLimit {
            // A parent belongs to its child and is not released.
            device = device.flatMap { udev_device_get_parent($0) }
            guard let device else { return nil }
            if let driver = text(udev_device_get_driver(device)) { return driver }
        }
        return nil
    }

    private static func entries(_ first: OpaquePointer?) -> [(name: String, value: String?)] {
        var entries: [(name: String, value: String?)] = []
        var next = first
        while let entry = next {
            if let name = text(udev_list_entry_get_name(entry)) {
                entries.append((name, text(udev_list_entry_get_value(entry))))
            }
            next = udev_list_entry_get_next(entry)
        }
        return entries
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    private static func noMemory(_ operation: String) -> SerialError {
        .failed(path: "serial ports", operation: operation, code: ENOMEM)
    }
}
