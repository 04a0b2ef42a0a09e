import GatewayCore
import Platform

/// Connection attempts: which device is next, and with which adapter.
extension CentralMachine {
    /// Puts a device in the queue of every adapter that can connect it now, or removes it from the
    /// queues.
    mutating func enqueue(_ address: BluetoothAddress, in tree: ManagedObjects) {
        guard links.ready.contains(address) else {
            let isRefused = links.read(address, \.isRefusedByAdapter) == true
            if !isRefused { waitingForConnection.remove(address) }
            return queues.set(address, to: [])
        }
        let usable = (paths[address] ?? []).compactMap(tree.device).filter {
            adapters[$0.adapterPath]?.isPowered == true
        }
        if usable.contains(where: \.isConnected) {
            // Nothing has to be connected, so no adapter has to be idle.
            connected.append(address)
            waitingForConnection.remove(address)
            return queues.set(address, to: [])
        }
        let candidates = AdapterChoice.candidates(among: usable)
        let free = candidates.filter { !fullAdapters.contains($0.adapterPath) }
        let choice = AdapterChoice(objects: free, failed: failedPath(of: address))
        queues.set(address, to: choice.acceptable.map(\.adapterPath).sorted())
        noteWait(of: address, isForConnection: !candidates.isEmpty && free.isEmpty)
    }

    /// Notes what a ready device waits for, and whether that must be reported.
    private mutating func noteWait(of address: BluetoothAddress, isForConnection: Bool) {
        if isForConnection { waitingForConnection.insert(address) }
        guard isForConnection || queues.contains(address) else {
            waitingForConnection.remove(address)
            return
        }
        let reported = links.read(address, \.reportedWait) ?? nil
        if reported != (isForConnection ? .connection : .adapter) { newlyWaiting.append(address) }
    }

    /// The object of the last attempt, when it has failed.
    private func failedPath(of address: BluetoothAddress) -> String? {
        links.read(address, \.failedPath) ?? nil
    }

    /// Uses the links that exist, and starts connection attempts, one at a time for each adapter.
    mutating func startAttempts(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions = useConnected(in: tree, at: now)
        while let address = nextInLine(at: now) {
            guard let device = bestObject(of: address, in: tree) else {
                queues.set(address, to: [])
                continue
            }
            connecting[Self.adapterPath(of: device.path)] = address
            actions += start(address, on: device, in: tree, at: now)
        }
        updateFullAdapters(in: tree, at: now)
        for address in newlyWaiting {
            guard let wait = wait(of: address) else { continue }
            actions += move(address, in: tree, at: now) { $0.report(wait) }
        }
        newlyWaiting = []
        return actions + shortenAttempts(in: tree, at: now)
    }

    /// What a ready device waits for; nil when it does not wait.
    private func wait(of address: BluetoothAddress) -> Link.Wait? {
        if queues.contains(address) { return .adapter }
        return links.ready.contains(address) && waitingForConnection.contains(address)
            ? .connection : nil
    }

    /// Resumes the devices that are connected already.
    private mutating func useConnected(
        in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        var actions: [Action] = []
        for address in connected where links.ready.contains(address) {
            let objects = (paths[address] ?? []).sorted().compactMap(tree.device)
            let usable = objects.first {
                $0.isConnected && adapters[$0.adapterPath]?.isPowered == true
            }
            guard let usable else { continue }
            actions += start(address, on: usable, in: tree, at: now)
        }
        connected = []
        return actions
    }

    /// Shortens the attempts that other devices wait for.
    private mutating func shortenAttempts(
        in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        var actions: [Action] = []
        for (adapter, address) in connecting where !queues[adapter].isEmpty {
            connecting[adapter] = nil
            guard linkPaths[address].map(Self.adapterPath) == adapter else { continue }
            actions += move(address, in: tree, at: now) { $0.shortenAttempt(at: now) }
        }
        return actions
    }

    private mutating func start(
        _ address: BluetoothAddress, on device: BlueZDevice, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        linkPaths[address] = device.path
        attempts += 1
        let attempt = attempts
        return move(address, in: tree, at: now) {
            $0.isPaired = device.isPaired
            return $0.startAttempt(attempt, isConnected: device.isConnected, at: now)
        }
    }

    /// The next device that waits for an idle adapter.
    private func nextInLine(at now: BootInstant) -> BluetoothAddress? {
        var next: (rank: ConnectRank, address: BluetoothAddress)?
        for path in adapters.keys where isIdle(path) {
            for address in queues[path] {
                guard let rank = links.read(address, { ConnectRank($0, at: now) }) else { continue }
                if next.map({ rank < $0.rank }) ?? true { next = (rank, address) }
            }
        }
        return next?.address
    }

    private func isIdle(_ adapter: String) -> Bool {
        adapters[adapter]?.isPowered == true && !links.isBusy(adapter: adapter)
    }

    /// The object of a device on an idle adapter, the one that suits best.
    private func bestObject(
        of address: BluetoothAddress, in tree: ManagedObjects
    ) -> BlueZDevice? {
        let idle = (paths[address] ?? []).compactMap(tree.device).filter {
            queues[$0.adapterPath].contains(address) && isIdle($0.adapterPath)
        }
        return AdapterChoice(objects: idle, failed: failedPath(of: address))
            .best(linkCount: links.linkCount)
    }
}
