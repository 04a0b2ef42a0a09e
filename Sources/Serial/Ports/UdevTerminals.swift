import CUdev
import Glibc

/// Lists the terminal devices with libudev.
///
/// This is the only file that calls libudev. Its strings are copied, because they are owned by the
/// device.
enum UdevTerminals {
    /// The maximum number of devices.
    private static let deviceLimit = 4096
    /// The name patterns (glob(7)) of possible serial ports; they exclude the 64 consoles, whose
    /// lookup would dominate the time.
    private static let namePatterns = ["tty[A-Za-z]*", "rfcomm*"]
    private static let usbAttributes = [
        "idVendor", "idProduct", "serial", "manufacturer", "product",
    ]
    private static let driverDepthLimit = 8

    /// Lists the terminals that may be serial ports, unsorted.
    static func list() throws(SerialError) -> [UdevTerminal] {
        guard let context = udev_new() else { throw noMemory("udev_new") }
        defer { udev_unref(context) }
        guard let enumeration = udev_enumerate_new(context) else {
            throw noMemory("udev_enumerate_new")
        }
        defer { udev_enumerate_unref(enumeration) }
        udev_enumerate_add_match_subsystem(enumeration, "tty")
        for pattern in namePatterns { udev_enumerate_add_match_sysname(enumeration, pattern) }
        // Without sysfs the list is empty, which is not an error.
        udev_enumerate_scan_devices(enumeration)
        var terminals: [UdevTerminal] = []
        for (path, _) in entries(udev_enumerate_get_list_entry(enumeration)).prefix(deviceLimit) {
            // The device may have been removed since.
            guard let device = udev_device_new_from_syspath(context, path) else { continue }
            defer { udev_device_unref(device) }
            if let terminal = terminal(device) { terminals.append(terminal) }
        }
        return terminals
    }

    /// Reads the properties of a device; only its name if it is not a serial port.
    private static func terminal(_ device: OpaquePointer) -> UdevTerminal? {
        guard let name = text(udev_device_get_sysname(device)) else { return nil }
        var terminal = UdevTerminal(name: name)
        terminal.hasHardware = udev_device_get_parent(device) != nil
        // Each property costs at least one file read.
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

    /// The driver of the nearest parent device that has one.
    private static func driver(of device: OpaquePointer) -> String? {
        var device: OpaquePointer? = device
        for _ in 0..<driverDepthLimit {
            // A parent is owned by its child and must not be released.
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
