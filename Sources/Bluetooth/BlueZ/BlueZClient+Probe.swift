import DBus
package import GatewayCore
package import Platform

extension ComponentContext {
    /// Lets the watchdog ask the loop of a client of bluetoothd until the result is released.
    package func probe<Machine>(of client: BlueZClient<Machine>) -> ProgressProbe? {
        probe { client.loop.post($0) }
    }
}
