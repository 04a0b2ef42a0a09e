import GatewayCore
import Platform

/// The log of a source: each problem when it begins and when it ends, and its count at powers of ten.
extension BluetoothSource {
    /// Logs that a problem has taken the place of another one.
    func log(_ old: CentralProblem?, by new: CentralProblem?, _ error: LinkError?) {
        if let old, old.kind != new?.kind { logEnd(of: old.kind) }
        guard let new, let error else { return }
        let isCounted = new.count != nil && old?.kind == new.kind
        if isCounted, new.count?.isPowerOfTen != true { return }
        switch new.kind {
        case .radio: context.log.warning("Bluetooth unavailable", ["reason": "\(error)"])
        case .discovery: context.log.warning("discovery failed", ["reason": "\(error)"])
        case .capacity: context.log.warning("not every device is read", ["reason": "\(error)"])
        }
    }

    private func logEnd(of kind: CentralProblem.Kind) {
        switch kind {
        case .radio: context.log.info("Bluetooth recovered")
        case .discovery: context.log.info("discovery recovered")
        case .capacity: context.log.info("every device is read again")
        }
    }

    /// Logs that a device cannot be connected or its links end early, again and again.
    func logFailures(of address: BluetoothAddress, _ reason: String, _ count: Int) {
        context.log.warning(
            "the device cannot be read; trying again",
            ["device": address.description, "reason": reason, "count": "\(count)"])
    }

    /// Logs that bluetoothd refuses the discovery filter.
    func logRefusedFilter(_ adapter: String, _ reason: String, _ count: Int) {
        context.log.warning(
            "discovery filter refused; using a shorter one or none",
            ["adapter": adapter, "reason": reason, "count": "\(count)"])
    }
}
