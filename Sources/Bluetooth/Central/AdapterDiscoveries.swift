package import DBus
package import Platform

/// Discovery with every adapter that may be used, and what prevents it.
package struct AdapterDiscoveries: Sendable {
    /// A call to the adapter at a path.
    package struct Request: Hashable, Sendable {
        package let adapter: String
        package let step: Discovery.Step
    }

    /// The adapters to use.
    private let selection: BluetoothSelection
    private var sessions: [String: Discovery] = [:]
    /// What prevents discovery.
    package private(set) var problem: CentralProblem?

    package init(_ selection: BluetoothSelection = BluetoothSelection(devices: .any)) {
        self.selection = selection
    }

    /// The time of the next ``nextSteps(in:at:)``.
    package var wakeTime: BootInstant? { sessions.values.compactMap(\.wakeTime).min() }

    /// Forgets everything, because bluetoothd cannot be used.
    package mutating func reset(_ reason: CentralProblem) {
        sessions = [:]
        problem = reason
    }

    /// The steps that keep every powered adapter scanning.
    package mutating func nextSteps(in tree: ManagedObjects, at now: BootInstant) -> [Request] {
        let adapters = tree.adapters.filter(selection.accepts)
        let powered = adapters.filter(\.isPowered)
        let paths = Set(powered.map(\.path))
        sessions = sessions.filter { paths.contains($0.key) }
        let steps = powered.compactMap { adapter in
            sessions[adapter.path, default: Discovery()].nextStep(
                isWanted: true, isDiscovering: adapter.isDiscovering, at: now
            ).map { Request(adapter: adapter.path, step: $0) }
        }
        problem = findProblem(adapters)
        return steps
    }

    private func findProblem(_ adapters: [BlueZAdapter]) -> CentralProblem? {
        guard let first = adapters.first else { return .noAdapter(named: selection.adapter) }
        guard adapters.contains(where: \.isPowered) else { return .adapterOff(first.name) }
        for adapter in adapters {
            guard let failure = sessions[adapter.path]?.failure,
                failure.count >= CentralMachine.failedDiscoveryLimit
            else { continue }
            return .discovery(adapter: adapter.name, failure)
        }
        return nil
    }

    /// Handles the answer to a step; returns the next one of its sequence, if any.
    package mutating func answered(
        _ request: Request, _ error: BusError?, at now: BootInstant
    ) -> Request? {
        sessions[request.adapter]?.answered(request.step, error, at: now)
            .map { Request(adapter: request.adapter, step: $0) }
    }

    /// The number of filters that bluetoothd has refused for an adapter.
    package func refusedFilterCount(of adapter: String) -> Int {
        sessions[adapter]?.refusedFilterCount ?? 0
    }

    /// The steps that end every session.
    package mutating func finalSteps(at now: BootInstant) -> [Request] {
        sessions.keys.sorted().compactMap { path in
            sessions[path]?.nextStep(isWanted: false, isDiscovering: nil, at: now)
                .map { Request(adapter: path, step: $0) }
        }
    }

    /// The call of a step; a filter that bluetoothd refuses is replaced by a shorter one.
    package func call(_ request: Request, filter full: [String: BusValue]) -> BlueZCall {
        var filter = full
        if sessions[request.adapter]?.filter ?? .full != .full {
            filter = filter.filter { $0.key == "Transport" }
        }
        return request.step.call(on: request.adapter, filter: filter)
    }
}
