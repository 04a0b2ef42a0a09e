import Platform

/// The answer that a ``BusRequest`` waits for; it may be given at any later time.
///
/// Only the first answer counts. A request whose reply object is released without one is answered with
/// an error, so that no caller waits in vain.
public final class BusReply: Sendable {
    private let number: UInt64
    private let connection: BusConnection

    init(_ number: UInt64, _ connection: BusConnection) {
        self.number = number
        self.connection = connection
    }

    deinit {
        // The connection knows whether it has been answered.
        guard !connection.thread.isCurrent else { return Self.forget(number, connection) }
        let (number, connection) = (number, connection)
        connection.thread.post { _ in Self.forget(number, connection) }
    }

    private static func forget(_ number: UInt64, _ connection: BusConnection) {
        connection.fail(number, "org.freedesktop.DBus.Error.NoReply", "nobody answers")
    }

    /// Answers with these values.
    ///
    /// Values that D-Bus does not allow are answered with an error.
    public func `return`(_ body: [BusValue] = []) {
        checkThread()
        connection.answer(number, body)
    }

    /// Answers with an error: its name, `org.bluez.Error.Failed`, and a text for people.
    public func fail(name: String, message: String) {
        checkThread()
        connection.fail(number, name, message)
    }

    private func checkThread() {
        precondition(connection.thread.isCurrent, "a BusReply is used only on its loop's thread")
    }
}
