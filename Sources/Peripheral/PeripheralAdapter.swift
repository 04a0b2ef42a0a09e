import Bluetooth
import GatewayCore

/// The choice of the adapter that offers the services.
enum PeripheralAdapter {
    /// The interfaces that an adapter needs.
    static let managers = [BlueZName.gattManager, BlueZName.advertisingManager]
    /// The interfaces that the choice depends on.
    static let interfaces = Set(managers + [BlueZName.adapter])

    /// The path of the present adapter while it is usable, of the first usable one, or what
    /// prevents its use.
    static func best(
        in tree: ManagedObjects, named name: String?, present: String?
    ) -> (path: String?, problem: LinkError?) {
        let selection = BluetoothSelection(devices: .any, adapter: name)
        let named = tree.adapters.filter(selection.accepts)
        let capable = named.filter { adapter in
            managers.allSatisfy { tree.properties(adapter.path, $0) != nil }
        }
        let usable = capable.filter(\.isPowered).map(\.path)
        if let first = usable.first {
            return (usable.first { $0 == present } ?? first, nil)
        }
        if let off = capable.first { return (nil, PeripheralProblem.off(off.name)) }
        if let first = named.first { return (nil, PeripheralProblem.incapable(first.name)) }
        return (nil, PeripheralProblem.noAdapter(name))
    }
}
