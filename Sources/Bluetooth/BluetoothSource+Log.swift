import GatewayCore
import Platform

/// The log of a source: each problem when it begins and when it ends, and its count at powers of ten.
extension Logger {
    /// Logs that a problem has taken the place of another one, except those of the radio, which
    /// ``RadioProblems`` logs.
    func problem(_ old: CentralProblem?, replacedBy new: CentralProblem?, _ error: LinkError?) {
        if let old, old.kind != new?.kind { logEnd(of: old.kind) }
        guard let new, let error else { return }
        let isCounted = new.count != nil && old?.kind == new.kind
        if isCounted, new.count?.isPowerOfTen != true { return }
        switch new.kind {
        case .radio: break
        case .discovery: warning("discovery failed", ["reason": "\(error)"])
        case .connections: warning("devices wait for a connection", ["reason": "\(error)"])
        case .capacity: warning("not every device is read", ["reason": "\(error)"])
        }
    }

    private func logEnd(of kind: CentralProblem.Kind) {
        switch kind {
        case .radio: break
        case .discovery: info("discovery recovered")
        case .connections: info("no device waits for a connection any more")
        case .capacity: info("every device is read again")
        }
    }

    /// Logs that a device cannot be connected or its links end early, again and again.
    func keepsFailing(_ address: BluetoothAddress, _ reason: String, _ count: Int) {
        warning(
            "the device cannot be read; trying again",
            ["device": address.description, "reason": reason, "count": "\(count)"])
    }

    /// Logs that bluetoothd refuses the discovery filter.
    package func filterRefused(_ adapter: String, _ reason: String, _ count: Int) {
        warning(
            "discovery filter refused; using a shorter one or none",
            ["adapter": adapter, "reason": reason, "count": "\(count)"])
    }

    /// Logs a malformed value of bluetoothd, the first one of its object.
    package func malformedValue(_ value: MalformedValue) {
        info(
            "ignoring a malformed value from bluetoothd; further ones of the object are only counted",
            ["object": value.object, "property": value.property, "total": "\(value.total)"])
    }

    /// Logs that silent devices have made room for others.
    package func replacedDevices(_ count: Int) {
        info(
            "too many devices; silent ones are replaced by those that are received",
            ["count": "\(count)"])
    }

    /// Logs that values were lost before the pipeline.
    package func droppedValues(_ count: Int) {
        error("buffer full, values dropped", ["dropped": "\(count)"])
    }
}
