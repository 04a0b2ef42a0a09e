import GatewayCore
import Platform

@testable import Bluetooth

extension CentralMachine {
    /// The names of the indexes that differ from what a look at every link and object gives.
    func differingIndexes(in tree: ManagedObjects) -> [String] {
        let waits = adapters.keys.reduce(into: [String: Set<BluetoothAddress>]()) {
            $0[$1] = waiting(for: $1, in: tree)
        }
        let checks: [(String, Bool)] = [
            ("wake time", links.wakeTime == links.values.compactMap(\.wakeTime).min()),
            ("ready", links.ready == Set(links.values.filter(\.isReadyToConnect).map(\.address))),
            (
                "unseen",
                links.unseen
                    == Set(
                        links.values.filter { $0.state == .wanted(isSeen: false) }
                            .map(\.address))
            ),
            (
                "needs discovery",
                links.needsDiscovery == links.values.contains(where: \.needsDiscovery)
            ),
            ("own", links.own == Set(links.values.filter(\.isOwnLink).map(\.address))),
            ("busy", adapters.keys.allSatisfy { links.isBusy(adapter: $0) == isBusy($0) }),
            ("queues", waits.allSatisfy { queues[$0.key] == $0.value }),
            (
                "link counts",
                adapters.keys.allSatisfy { links.linkCount(of: $0) == linkCount(of: $0) }
            ),
            ("waiting for a connection", waitingForConnection.allSatisfy(mayWaitForConnection)),
            (
                "addresses",
                addresses.allSatisfy { paths[$0.value]?.contains($0.key) == true }
                    && addresses.count == paths.values.map(\.count).reduce(0, +)
            ),
            (
                "owners",
                owners.allSatisfy { ownedPaths[$0.value]?.contains($0.key) == true }
                    && owners.count == ownedPaths.values.map(\.count).reduce(0, +)
            ),
        ]
        return checks.filter { !$0.1 }.map(\.0)
    }

    private func linkCount(of adapter: String) -> Int {
        links.values.count { link in
            link.isLinked && linkPaths[link.address].map(Self.adapterPath) == adapter
        }
    }

    private func mayWaitForConnection(_ address: BluetoothAddress) -> Bool {
        links.read(address) { $0.isReadyToConnect || $0.isRefusedByAdapter } == true
    }

    private func isBusy(_ adapter: String) -> Bool {
        links.values.contains { link in
            link.isBusy && linkPaths[link.address].map(Self.adapterPath) == adapter
        }
    }

    private func waiting(for adapter: String, in tree: ManagedObjects) -> Set<BluetoothAddress> {
        Set(
            links.values.filter(\.isReadyToConnect).map(\.address).filter { address in
                let usable = (paths[address] ?? []).compactMap(tree.device).filter {
                    adapters[$0.adapterPath]?.isPowered == true
                }
                guard !usable.contains(where: \.isConnected) else { return false }
                let bonded = usable.contains { $0.isPaired }
                let possible = usable.filter { $0.isPaired || !bonded }
                let received = possible.filter(\.isInRange)
                let free = (received.isEmpty ? possible : received).filter {
                    !fullAdapters.contains($0.adapterPath)
                }
                let failed = links.read(address, \.failedPath) ?? nil
                return AdapterChoice(objects: free, failed: failed).acceptable.contains {
                    $0.adapterPath == adapter
                }
            })
    }
}
