import Bluetooth
package import GatewayCore
import Peripheral
import Platform

/// A service that offers the heart rate of one person as a Bluetooth heart-rate strap.
package struct Rebroadcast: Service {
    static let service = BluetoothUUID(0x180D)
    static let measurement = BluetoothUUID(0x2A37)
    static let location = BluetoothUUID(0x2A38)
    /// The body sensor location `Other`: the gateway does not know where the sensor is worn.
    static let otherLocation: UInt8 = 0

    private let settings: RebroadcastSettings
    private let context: ComponentContext
    private let busAddress: String?

    init(_ settings: RebroadcastSettings, busAddress: String?, context: ComponentContext) {
        self.settings = settings
        self.busAddress = busAddress
        self.context = context
    }

    /// Offers the heart rate until the task is cancelled.
    ///
    /// - Throws: ``GatewayCore/LinkError`` when the system bus is unavailable or was lost.
    package func run(_ gateway: ServiceAccess) async throws {
        let peripheral = try Peripheral(
            Offer(
                adapter: settings.adapter, name: settings.name,
                services: [
                    OfferedService(
                        Self.service,
                        [
                            OfferedCharacteristic(
                                Self.measurement, .notify, value: HeartRatePacket.noContact.bytes),
                            OfferedCharacteristic(
                                Self.location, .read, value: [Self.otherLocation]),
                        ])
                ]), busAddress: busAddress, context: context)
        let sender = HeartSender(
            HeartRelay(person: settings.person, silenceSeconds: settings.silenceSeconds),
            clock: context.clock
        ) { await peripheral.set($0.bytes, of: Self.measurement) }
        let log = context.log
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                try await peripheral.run { event in
                    log.note(event)
                    switch event {
                    case .offered: gateway.report(nil)
                    case .problem(let problem, _): gateway.report(problem.map { "\($0)" })
                    case .subscribed(Self.measurement, let isOn):
                        await sender.subscriptionChanged(to: isOn)
                    case .subscribed: break
                    }
                }
            }
            group.addTask { await sender.run(on: gateway.live) }
            defer { group.cancelAll() }
            try await group.next()
        }
    }
}

extension Logger {
    fileprivate func note(_ event: PeripheralEvent) {
        switch event {
        case .offered(let adapter): info("heart rate offered", ["adapter": adapter])
        case .problem(let problem?, ofRadio: false):
            warning(
                "cannot offer the heart rate",
                problem.remedy.map { ["reason": problem.problem, "remedy": $0] }
                    ?? ["reason": problem.problem])
        case .problem: break
        case .subscribed(_, true): info("a receiver has subscribed")
        case .subscribed(_, false): info("no receiver is subscribed any more")
        }
    }
}
