package import GatewayCore
import JSON
import Platform

/// The devices that each source reads, checked so that no device is read twice.
package struct DeviceClaims {
    /// The maximum number of devices named in a message.
    private static let maximumListLength = 4

    /// A source that reads any device in range, except some.
    private struct Collector {
        let path: String
        let transport: String
        let exceptions: Set<String>
    }

    /// The key path and transport of the source that names a device.
    private var readers: [String: (path: String, transport: String)] = [:]
    private var collectors: [Collector] = []

    /// Adds the claim of the source with these settings; adopted devices must be resolved.
    ///
    /// - Throws: ``ConfigurationError`` if another source reads one of the devices.
    package mutating func add(
        _ claim: DeviceClaim, of node: ConfigurationNode
    ) throws(ConfigurationError) {
        switch claim.choice {
        case .named, .adopted:
            try checkNamed(claim.named, over: claim.transport, node)
            for device in claim.named { readers[device] = (node.path, claim.transport) }
        case .any(let exceptions):
            let collector = Collector(
                path: node.path, transport: claim.transport, exceptions: exceptions)
            try checkCollector(collector, node)
            collectors.append(collector)
        }
    }

    private func checkNamed(
        _ devices: Set<String>, over transport: String, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        let taken = devices.compactMap { device in
            readers[device].map { (device: device, path: $0.path) }
        }.sorted { $0.device < $1.device }
        if let first = taken.first {
            let devices = taken.filter { $0.path == first.path }.map(\.device)
            throw node.error(
                "reads \(Self.list(devices)), which \(first.path) also reads; "
                    + "remove it from one of them")
        }
        for collector in collectors where collector.transport == transport {
            let devices = devices.subtracting(collector.exceptions).sorted()
            guard !devices.isEmpty else { continue }
            throw node.error(
                "reads \(Self.list(devices)), and \(collector.path) reads any device; "
                    + Self.denial(at: collector.path))
        }
    }

    private func checkCollector(
        _ collector: Collector, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        if let other = collectors.first(where: { $0.transport == collector.transport }) {
            throw node.error(
                "reads any device, and \(other.path) also does; "
                    + "remove one of them: a source uses all adapters")
        }
        let named = readers.filter { device, reader in
            reader.transport == collector.transport && !collector.exceptions.contains(device)
        }
        guard let path = named.values.map(\.path).min() else { return }
        let devices = named.filter { $0.value.path == path }.keys.sorted()
        throw node.error(
            "reads any device, and \(path) reads \(Self.list(devices)); "
                + Self.denial(at: node.path))
    }

    private static func denial(at path: String) -> String {
        "add it to `deny` of \(path)"
    }

    private static func list(_ devices: [String]) -> String {
        let shown = devices.prefix(maximumListLength).map { LogFormat.escaped($0) }
        let rest = devices.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
