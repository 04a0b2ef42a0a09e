import DBus

/// A program's services that bluetoothd offers to centrals.
struct FakeApplication {
    let sender: String
    let path: String
    let adapter: String
    /// The characteristics by UUID in full, with their paths and flags.
    let characteristics: [String: (path: String, flags: [String])]
    let services: [String]
    /// The UUIDs that a central is subscribed to.
    var subscriptions: Set<String> = []
}

/// A program's advertisement.
struct FakeAdvertisement {
    let sender: String
    let path: String
    let adapter: String
    let properties: [String: BusValue]
}

/// The programs that are peripherals.
struct FakePeripherals {
    var applications: [FakeApplication] = []
    var advertisements: [FakeAdvertisement] = []
    var notified: [FakeNotification] = []
    /// The senders whose signals are received.
    var watched: Set<String> = []
}

/// A value that a central received from a program.
public struct FakeNotification: Hashable, Sendable {
    /// The characteristic, as a full UUID.
    public let uuid: String
    /// The value.
    public let value: [UInt8]
}

/// GattManager1 and LEAdvertisingManager1, and the centrals that use what programs offer.
extension FakeBlueZ {
    /// The maximum number of advertisements of an adapter.
    public static let advertisementLimit = 5

    func answerPeripheralManager(_ request: BusRequest, _ reply: BusReply) {
        guard let path = request.body.first?.string else { return reply.fail(.invalidArguments) }
        switch request.member {
        case "RegisterApplication": registerApplication(path, request, reply)
        case "RegisterAdvertisement": registerAdvertisement(path, request, reply)
        case "UnregisterApplication":
            let count = peripherals.applications.count
            peripherals.applications.removeAll {
                $0.sender == request.sender && $0.path == path && $0.adapter == request.path
            }
            answer(reply, removed: count != peripherals.applications.count)
        case "UnregisterAdvertisement":
            let count = peripherals.advertisements.count
            peripherals.advertisements.removeAll {
                $0.sender == request.sender && $0.path == path && $0.adapter == request.path
            }
            answer(reply, removed: count != peripherals.advertisements.count)
        default: failUnknown(request, reply)
        }
    }

    private func answer(_ reply: BusReply, removed: Bool) {
        if removed { reply.return() } else { reply.fail(.doesNotExist) }
    }

    private func registerApplication(_ path: String, _ request: BusRequest, _ reply: BusReply) {
        let isKnown = peripherals.applications.contains {
            $0.sender == request.sender && $0.path == path && $0.adapter == request.path
        }
        guard !isKnown else { return reply.fail(.alreadyExists) }
        let call = BusCall(
            request.sender, path, FakeInterface.objectManager, "GetManagedObjects")
        bus?.call(call, timeoutSeconds: 10) { [weak self] result in
            self?.assumeIsolated { bluez in
                guard let application = FakeApplication(request, path, try? result.get()) else {
                    return reply.fail(.failed("No object received"))
                }
                bluez.receiveSignals(of: request.sender)
                bluez.peripherals.applications.append(application)
                reply.return()
                bluez.notifyWaiters()
            }
        }
    }

    private func registerAdvertisement(_ path: String, _ request: BusRequest, _ reply: BusReply) {
        let others = peripherals.advertisements.filter { $0.adapter == request.path }
        guard !others.contains(where: { $0.sender == request.sender && $0.path == path }) else {
            return reply.fail(.alreadyExists)
        }
        guard others.count < Self.advertisementLimit else {
            return reply.fail(.notPermitted("Maximum advertisements reached"))
        }
        let call = BusCall(
            request.sender, path, FakeInterface.properties, "GetAll",
            [.string(FakeInterface.advertisement)])
        bus?.call(call, timeoutSeconds: 10) { [weak self] result in
            self?.assumeIsolated { bluez in
                guard let properties = (try? result.get())?.first?.entries,
                    properties["Type"]?.string == "peripheral"
                else { return reply.fail(.failed("Failed to parse advertisement.")) }
                bluez.peripherals.advertisements.append(
                    FakeAdvertisement(
                        sender: request.sender, path: path, adapter: request.path,
                        properties: properties))
                reply.return()
                bluez.notifyWaiters()
            }
        }
    }

    private func receiveSignals(of sender: String) {
        guard peripherals.watched.insert(sender).inserted else { return }
        bus?.addMatch(
            "type='signal',sender='\(sender)',interface='\(FakeInterface.properties)',"
                + "member='PropertiesChanged'"
        ) { [weak self] signal in
            self?.assumeIsolated { $0.notified(signal) }
        }
    }

    private func notified(_ signal: BusSignal) {
        guard signal.body.count == 3, let value = signal.body[1].entries?["Value"]?.bytes else {
            return
        }
        for application in peripherals.applications where application.sender == signal.sender {
            for (uuid, part) in application.characteristics
            where part.path == signal.path && application.subscriptions.contains(uuid) {
                peripherals.notified.append(FakeNotification(uuid: uuid, value: value))
            }
        }
        notifyWaiters()
    }

    func removePeripherals(of sender: String) {
        peripherals.applications.removeAll { $0.sender == sender }
        peripherals.advertisements.removeAll { $0.sender == sender }
    }
}

/// What a central of the test does.
extension FakeBlueZ {
    /// The names of the programs that are advertised with their services.
    public func advertisedNames(adapter name: String = "hci0") -> [String] {
        let adapter = "/org/bluez/\(name)"
        return peripherals.advertisements.filter { advertisement in
            advertisement.adapter == adapter
                && peripherals.applications.contains {
                    $0.sender == advertisement.sender && $0.adapter == adapter
                }
        }.compactMap { $0.properties["LocalName"]?.string }
    }

    /// The services that are advertised, as full UUIDs.
    public var advertisedServices: [String] {
        peripherals.advertisements.flatMap {
            $0.properties["ServiceUUIDs"]?.elements?.compactMap(\.string) ?? []
        }
    }

    /// The values that centrals have received.
    public var notified: [FakeNotification] { peripherals.notified }

    /// Whether a central is subscribed to anything.
    public var hasSubscriptions: Bool {
        peripherals.applications.contains { !$0.subscriptions.isEmpty }
    }

    /// Subscribes a central to an offered characteristic, or ends that; false when it is refused.
    @discardableResult
    public func subscribe(to uuid: String, _ isOn: Bool = true) async -> Bool {
        let uuid = FakeUUID.full(uuid)
        // A value may follow the answer at once.
        let answer = await call(isOn ? "StartNotify" : "StopNotify", of: uuid, []) { bluez in
            bluez.setSubscription(to: uuid, isOn)
        }
        return answer != nil
    }

    private func setSubscription(to uuid: String, _ isOn: Bool) {
        for index in peripherals.applications.indices
        where peripherals.applications[index].characteristics[uuid] != nil {
            if isOn {
                peripherals.applications[index].subscriptions.insert(uuid)
            } else {
                peripherals.applications[index].subscriptions.remove(uuid)
            }
        }
        notifyWaiters()
    }

    /// Reads an offered characteristic; nil when it is refused.
    public func readOffered(_ uuid: String, offset: UInt16 = 0) async -> [UInt8]? {
        let options: [String: BusValue] = offset == 0 ? [:] : ["offset": .uint16(offset)]
        return await call("ReadValue", of: FakeUUID.full(uuid), [.properties(options)])?
            .first?.bytes
    }

    /// Ends all advertisements, as bluetoothd does when the controller fails.
    public func releaseAdvertisements() {
        for advertisement in peripherals.advertisements {
            bus?.send(
                BusCall(
                    advertisement.sender, advertisement.path, FakeInterface.advertisement,
                    "Release"))
        }
        peripherals.advertisements = []
        notifyWaiters()
    }

    private func call(
        _ member: String, of uuid: String, _ body: [BusValue],
        succeeded: @escaping @Sendable (isolated FakeBlueZ) -> Void = { _ in }
    ) async -> [BusValue]? {
        let owner = peripherals.applications.first { $0.characteristics[uuid] != nil }
        guard let owner, let path = owner.characteristics[uuid]?.path, let bus else { return nil }
        return await withCheckedContinuation { done in
            let call = BusCall(owner.sender, path, FakeInterface.characteristic, member, body)
            bus.call(call, timeoutSeconds: 10) { [weak self] result in
                let answer = try? result.get()
                if answer != nil { self?.assumeIsolated { succeeded($0) } }
                done.resume(returning: answer)
            }
        }
    }
}

extension FakeApplication {
    /// Reads the objects of a program; nil without any service.
    fileprivate init?(_ request: BusRequest, _ path: String, _ body: [BusValue]?) {
        var characteristics: [String: (path: String, flags: [String])] = [:]
        var services: [String] = []
        for (object, interfaces) in body?.first?.entries ?? [:] {
            for (interface, properties) in interfaces.entries ?? [:] {
                guard let uuid = properties.entries?["UUID"]?.string else { continue }
                let flags = properties.entries?["Flags"]?.elements?.compactMap(\.string) ?? []
                switch interface {
                case FakeInterface.service: services.append(uuid)
                case FakeInterface.characteristic: characteristics[uuid] = (object, flags)
                default: break
                }
            }
        }
        guard !services.isEmpty else { return nil }
        self.init(
            sender: request.sender, path: path, adapter: request.path,
            characteristics: characteristics, services: services)
    }
}
