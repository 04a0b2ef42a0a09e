import Bluetooth
import DBus
import GatewayCore
import Platform

/// The state machine of a peripheral: registers its services and its advertisement with bluetoothd,
/// and registers them again whenever bluetoothd or the adapter was gone.
struct PeripheralMachine: BlueZMachine {
    /// How long an advertisement must last so that the next one follows soon, in seconds.
    private static let stableSeconds = 60.0

    static let objectsPath: String? = OfferedObjects.root

    enum Command: Sendable {
        /// The characteristic has this value from now on.
        case set(BluetoothUUID, [UInt8])
    }

    typealias Output = PeripheralEvent
    typealias Action = BlueZAction<Registration, Output>

    /// How far bluetoothd knows the offer.
    private enum Progress: Equatable {
        case nothing, services, all
    }

    private let adapterName: String?
    private var objects: OfferedObjects
    private let notified: [BluetoothUUID]
    private var progress = Progress.nothing
    /// The adapter that is used.
    private var adapter: String?
    /// The number of the use of an adapter: an answer to an earlier one is not for this one.
    private var turn = 0
    private var pending: Registration?
    private var retryTime: BootInstant?
    private var backoff = Backoff(first: 1, longest: 60)
    /// Since when it is offered.
    private var offeredTime: BootInstant?
    private var problem: LinkError?
    private var isStopped = false

    init(_ offer: Offer) {
        adapterName = offer.adapter
        objects = OfferedObjects(offer)
        notified = offer.services.flatMap(\.characteristics).filter { $0.access == .notify }
            .map(\.uuid)
    }

    var wakeTime: BootInstant? { retryTime }

    mutating func handle(
        _ event: BlueZEvent<Registration>, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        guard !isStopped else { return [] }
        switch event {
        case .available: return proceed(in: tree, at: now)
        case .unavailable(let error), .closed(let error):
            return forget() + show(error, ofRadio: true)
        case .changed(let change): return change.isOfAdapter ? proceed(in: tree, at: now) : []
        case .finished(let request, let result):
            return finished(request, result, in: tree, at: now)
        case .timer:
            retryTime = nil
            return proceed(in: tree, at: now)
        case .agent: return []
        case .stop:
            // bluetoothd forgets the objects of a program that leaves the bus.
            isStopped = true
            return []
        }
    }

    mutating func apply(
        _ command: Command, in tree: ManagedObjects, at now: BootInstant
    ) -> [Action] {
        switch command {
        case .set(let uuid, let value): objects.set(value, of: uuid).map { [.emit($0)] } ?? []
        }
    }

    mutating func answer(
        _ call: ObjectCall, at now: BootInstant
    ) -> (ObjectAnswer, [Action]) {
        guard call.interface != OfferedObjects.advertisement else { return released(call, at: now) }
        let before = notified.map(objects.isSubscribed)
        let answer = objects.answer(call)
        return (answer, subscriptionChanges(since: before))
    }
}

extension PeripheralMachine {
    /// Makes the next call, if one is due.
    private mutating func proceed(in tree: ManagedObjects, at now: BootInstant) -> [Action] {
        var actions: [Action] = []
        let best = PeripheralAdapter.best(in: tree, named: adapterName, present: adapter)
        if best.path != adapter {
            actions += leave(in: tree) + forget()
            adapter = best.path
        }
        guard let adapter else { return actions + show(best.problem, ofRadio: true) }
        guard pending == nil, retryTime == nil, let part = nextPart else { return actions }
        let request = Registration(part: part, turn: turn)
        pending = request
        actions.append(.call(request, request.call(on: adapter)))
        return actions
    }

    private var nextPart: Registration.Part? {
        switch progress {
        case .nothing: .services
        case .services: .advertisement
        case .all: nil
        }
    }

    /// Ends the registration with an adapter that is not used any more: it may be powered on later.
    private func leave(in tree: ManagedObjects) -> [Action] {
        guard let adapter, tree.adapter(at: adapter) != nil else { return [] }
        return [Registration.Part.advertisement, .services].map { part in
            let request = Registration(part: part, turn: turn, isEnd: true)
            return .call(request, request.call(on: adapter))
        }
    }

    /// Starts again without a registration.
    private mutating func forget() -> [Action] {
        let before = notified.map(objects.isSubscribed)
        objects.unsubscribeAll()
        progress = .nothing
        adapter = nil
        pending = nil
        retryTime = nil
        backoff.reset()
        turn += 1
        return subscriptionChanges(since: before)
    }

    private mutating func finished(
        _ request: Registration, _ result: Result<[BusValue], BusError>, in tree: ManagedObjects,
        at now: BootInstant
    ) -> [Action] {
        guard request == pending else { return [] }
        pending = nil
        if let error = result.error, !error.isAlreadyRegistered {
            retryTime = now.adding(seconds: backoff.next())
            return show(request.problem(error))
        }
        progress = request.part == .services ? .services : .all
        guard progress == .all else { return proceed(in: tree, at: now) }
        offeredTime = now
        let name = tree.adapter(at: adapter ?? "")?.name ?? ""
        return show(nil) + [.output(.offered(adapter: name))]
    }

    /// bluetoothd has ended the advertisement, as it does when a controller fails.
    private mutating func released(
        _ call: ObjectCall, at now: BootInstant
    ) -> (ObjectAnswer, [Action]) {
        guard call.path == OfferedObjects.advertisementPath, call.member == "Release" else {
            return (.unknown, [])
        }
        guard progress == .all else { return (.values([]), []) }
        let lasted = offeredTime.map { now.seconds(since: $0) } ?? 0
        if lasted >= Self.stableSeconds { backoff.reset() }
        progress = .services
        retryTime = now.adding(seconds: backoff.next())
        return (.values([]), show(PeripheralProblem.released))
    }

    private func subscriptionChanges(since before: [Bool]) -> [Action] {
        zip(notified, before).compactMap { uuid, wasSubscribed in
            let isSubscribed = objects.isSubscribed(to: uuid)
            guard isSubscribed != wasSubscribed else { return nil }
            return .output(.subscribed(uuid, isSubscribed))
        }
    }

    private mutating func show(_ new: LinkError?, ofRadio: Bool = false) -> [Action] {
        guard new != problem else { return [] }
        problem = new
        return [.output(.problem(new, ofRadio: ofRadio))]
    }
}

extension ManagedObjects.Change {
    /// Whether it may change which adapter can be used.
    fileprivate var isOfAdapter: Bool {
        switch self {
        case .added(_, let interface), .removed(_, let interface), .changed(_, let interface, _, _):
            PeripheralAdapter.interfaces.contains(interface)
        }
    }
}

extension Result {
    fileprivate var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
