import CSystemd
import Glibc

/// The shortest program that receives and decodes heart rates of bluetoothd: a loop over sd-bus.
///
/// It runs as a process of its own, so that its CPU time can be measured.
enum BareNotifications {
    /// The first argument of the program in this role; the second is the address of the bus.
    static let argument = "bare-notifications"

    private static let rule =
        "type='signal',interface='org.freedesktop.DBus.Properties',member='PropertiesChanged',"
        + "path_namespace='/org/bluez'"

    /// Receives until the process is killed.
    static func run(_ address: String) throws -> Never {
        var bus: OpaquePointer?
        try check(sd_bus_new(&bus))
        try check(sd_bus_set_address(bus, address))
        try check(sd_bus_set_bus_client(bus, 1))
        try check(sd_bus_start(bus))
        let sum = Unmanaged.passRetained(Sum())
        try check(sd_bus_add_match(bus, nil, rule, received, sum.toOpaque()))
        while true {
            while try check(sd_bus_process(bus, nil)) > 0 {}
            var wait = pollfd(
                fd: sd_bus_get_fd(bus), events: Int16(truncatingIfNeeded: sd_bus_get_events(bus)),
                revents: 0)
            poll(&wait, 1, -1)
        }
    }

    @discardableResult
    private static func check(_ result: Int32) throws -> Int32 {
        guard result >= 0 else { throw BenchmarkError(String(cString: strerror(-result))) }
        return result
    }

    /// The sum of all decoded values, so that decoding is not optimized away.
    fileprivate final class Sum {
        var heartRates = 0
        var contacts = 0
    }
}

private func received(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _: UnsafeMutablePointer<sd_bus_error>?
) -> Int32 {
    guard let message, let userdata, let value = characteristicValue(message), value.count >= 2
    else { return 0 }
    let sum = Unmanaged<BareNotifications.Sum>.fromOpaque(userdata).takeUnretainedValue()
    let isWide = value[0] & 0x01 != 0 && value.count >= 3
    sum.heartRates += isWide ? Int(value[1]) | Int(value[2]) << 8 : Int(value[1])
    sum.contacts += value[0] & 0x06 == 0x06 ? 1 : 0
    return 0
}

/// The property `Value` of a characteristic, in the memory of the message.
private func characteristicValue(_ message: OpaquePointer) -> UnsafeRawBufferPointer? {
    func letter(_ type: Unicode.Scalar) -> CChar { CChar(truncatingIfNeeded: type.value) }
    var text: UnsafePointer<CChar>?
    guard sd_bus_message_read_basic(message, letter("s"), &text) > 0, let interface = text,
        strcmp(interface, "org.bluez.GattCharacteristic1") == 0,
        sd_bus_message_enter_container(message, letter("a"), "{sv}") > 0,
        sd_bus_message_enter_container(message, letter("e"), "sv") > 0,
        sd_bus_message_read_basic(message, letter("s"), &text) > 0, let name = text,
        strcmp(name, "Value") == 0,
        sd_bus_message_enter_container(message, letter("v"), "ay") > 0
    else { return nil }
    var start: UnsafeRawPointer?
    var count = 0
    guard sd_bus_message_read_array(message, letter("y"), &start, &count) > 0 else { return nil }
    return UnsafeRawBufferPointer(start: start, count: count)
}
