import CSystemd
import Glibc

/// A message to be sent, which goes when whoever made it is done.
final class OutgoingMessage {
    /// The connection that it is for.
    let bus: OpaquePointer
    let pointer: OpaquePointer

    /// Makes a message with a body; `make` calls sd-bus's function for its kind.
    init(
        _ operation: String, on connection: BusConnection, saying body: [BusValue],
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

/// Does what a callback of sd-bus is for, with the object that was given to sd-bus for it.
///
/// The object is alive: its slot, which goes with it, would have taken the callback back.
func handleCallback<Registered: AnyObject>(
    _ message: OpaquePointer?, _ userdata: UnsafeMutableRawPointer?,
    _ body: (Registered, OpaquePointer) -> Void
) {
    guard let message, let userdata else { return }
    body(Unmanaged<Registered>.fromOpaque(userdata).takeUnretainedValue(), message)
}
