package import GatewayCore
import JSON
import Platform

/// Which source of a configuration reads which device; no device has two.
package struct DeviceClaims {
    /// So many devices are named in a message at most.
    private static let maximumListLength = 4

    /// A source that reads devices which it is not told.
    private struct Collector {
        let path: String
        let transport: String
        let exceptions: Set<String>
    }

    /// Key paths and transports of sources, by the devices that they name.
    private var readers: [String: (path: String, transport: String)] = [:]
    private var collectors: [Collector] = []

    /// Notes what the source with these settings reads; the adopted devices in the claim are named.
    ///
    /// - Throws: ``ConfigurationError`` when another source reads some of it already.
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
                "reads \(Self.list(devices)), which \(first.path) reads already; "
                    + "let one of them read it, or everything would be stored twice")
        }
        for collector in collectors where collector.transport == transport {
            let devices = devices.subtracting(collector.exceptions).sorted()
            guard !devices.isEmpty else { continue }
            throw node.error(
                "reads \(Self.list(devices)), which \(collector.path) reads already as it reads any "
                    + "device; \(Self.denial(at: collector.path))")
        }
    }

    private func checkCollector(
        _ collector: Collector, _ node: ConfigurationNode
    ) throws(ConfigurationError) {
        if let other = collectors.first(where: { $0.transport == collector.transport }) {
            throw node.error(
                "reads any device, as \(other.path) does already; keep one of them, which uses "
                    + "every adapter, or everything would be stored twice")
        }
        let named = readers.filter { device, reader in
            reader.transport == collector.transport && !collector.exceptions.contains(device)
        }
        guard let path = named.values.map(\.path).min() else { return }
        let devices = named.filter { $0.value.path == path }.keys.sorted()
        throw node.error(
            "reads any device, so \(Self.list(devices)) too, which \(path) reads already; "
                + Self.denial(at: node.path))
    }

    private static func denial(at path: String) -> String {
        "add that to `deny` of \(path), or everything would be stored twice"
    }

    private static func list(_ devices: [String]) -> String {
        let shown = devices.prefix(maximumListLength).map { LogFormat.escaped($0) }
        let rest = devices.count - shown.count
        return shown.joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }
}
