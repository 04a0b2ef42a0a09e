import CSystemd
import Glibc

/// A message to send; it is released with the last reference.
final class OutgoingMessage {
    /// The connection that it is for.
    let bus: OpaquePointer
    let pointer: OpaquePointer

    /// Makes a message with a body; `make` calls sd-bus's function for its kind.
    init(
        _ operation: String, on connection: BusConnection, body: [BusValue],
        _ make: (_ bus: OpaquePointer, _ message: inout OpaquePointer?) -> Int32
    ) throws(BusError) {
        guard let bus = connection.usable else { throw .disconnected }
        var message: OpaquePointer?
        try connection.check(operation, make(bus, &message))
        guard let message else { throw .failed(operation: operation, code: ENOMEM) }
        self.bus = bus
        pointer = message
        try MessageWriter.write(body, to: message)
    }

    deinit {
        sd_bus_message_unref(pointer)
    }
}

/// Calls `body` with the object that was registered for an sd-bus callback.
///
/// The object is alive: it owns the slot, and releasing the slot unregisters the callback.
func handleCallback<Registered: AnyObject>(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _ body: (Registered, OpaquePointer) -> Void
) {
    guard let message, let userdata else { return }
    body(Unmanaged<Registered>.fromOpaque(userdata).takeUnretainedValue(), message)
}
