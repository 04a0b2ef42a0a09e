import DBus
import GatewayCore
import Platform

@testable import Bluetooth

/// Drives one link and describes its actions in words.
final class LinkDriver {
    /// The states that a link can be brought to.
    enum Place: CaseIterable {
        case wanted, seen, connecting, resolving, subscribing, live, asked, silent, ending
        case backOff, idle
    }

    var link: Link
    private(set) var now = BootInstant(nanoseconds: 1_000_000_000_000)
    /// What the device was asked and has not answered.
    private(set) var question: GATTSession.Operation?
    private var attempts = 0

    init(_ profiles: [any GATTProfile] = [PulseProfile()], policy: LinkPolicy = LinkPolicy()) {
        link = Link(address: .ending(1), profiles: profiles, policy: policy)
    }

    /// How many seconds it is until the link wants its timer.
    var wait: Double? { link.wakeTime?.seconds(since: now) }

    private func words(_ actions: [Link.Action]) -> [String] {
        for case .perform(.gatt(let operation)) in actions { question = operation }
        return actions.map { $0.words(attempt: link.attempt) }
    }

    func seen() -> [String] { words(link.seen(at: now)) }

    func turn(isConnected: Bool = false) -> [String] {
        attempts += link.isReadyToConnect ? 1 : 0
        return words(link.startAttempt(attempts, isConnected: isConnected, at: now))
    }

    func connectAnswered(_ error: BusError? = nil) -> [String] {
        words(link.connectAnswered(error, at: now))
    }

    func connected(_ isConnected: Bool) -> [String] {
        words(link.connectionChanged(to: isConnected, at: now))
    }

    func resolved(
        _ characteristics: [BlueZCharacteristic] = BlueZCharacteristic.strap, battery: UInt8? = nil
    ) -> [String] {
        let properties: [String: BusValue] = [
            "Address": .string("\(link.address)"), "Adapter": .objectPath("/org/bluez/hci0"),
            "Name": .string("Strap"),
        ]
        guard let device = BlueZDevice(path: "/org/bluez/hci0/dev_1", properties: properties)
        else { return [] }
        return words(
            link.resolved(characteristics, of: device, batteryPercentage: battery, at: now))
    }

    /// Answers what the device was asked last.
    func answer(_ value: [UInt8] = [1]) -> [String] { finish(.success(value)) }

    func refuse(_ error: BusError) -> [String] { finish(.failure(error)) }

    private func finish(_ result: Result<[UInt8], BusError>) -> [String] {
        guard let asked = question else { return ["nothing was asked"] }
        question = nil
        return words(link.answered(asked, result, at: now))
    }

    /// Answers everything that the device is asked.
    func answerAll() -> [String] {
        var all: [String] = []
        while question != nil { all += answer() }
        return all
    }

    func notify(_ value: [UInt8] = [72], from path: String = "c2") -> [String] {
        words(link.received(value, from: path, at: now))
    }

    /// The socket of acquired notifications has ended.
    func released(_ path: String = "c2") -> [String] { words(link.released(path, at: now)) }

    func battery(_ percentage: UInt8) -> [String] { words(link.battery(percentage, at: now)) }

    func paired(_ isPaired: Bool) -> [String] {
        words(link.pairingChanged(to: isPaired, at: now))
    }

    func disconnectAnswered() -> [String] { words(link.disconnectAnswered(at: now)) }

    func interrupt(_ reason: String) -> [String] { words(link.interrupt(reason, at: now)) }

    func deviceRemoved() -> [String] { words(link.deviceRemoved(at: now)) }

    func stop() -> [String] { words(link.stop(at: now)) }

    /// Lets time pass, with the timer wherever the link wants it.
    func pass(_ seconds: Double) -> [String] {
        let end = now.adding(seconds: seconds)
        var all: [String] = []
        while let next = link.wakeTime, next <= end, all.count < 1_000 {
            now = max(now, next)
            all += words(link.timerFired(at: now))
        }
        now = end
        return all
    }

    /// Moves the clock to the link's next time without telling the link.
    func comeToWake() { now = max(now, link.wakeTime ?? now) }

    /// Brings a new link to a state.
    func reach(_ place: Place) {
        switch place {
        case .wanted: break
        case .seen: _ = seen()
        case .connecting: after(.seen) { _ = turn() }
        case .resolving: after(.connecting) { _ = connectAnswered() }
        case .subscribing: after(.resolving) { _ = resolved() }
        case .live:
            after(.subscribing) {
                _ = answerAll()
                _ = notify()
            }
        case .asked: after(.live) { _ = pass(10) }
        case .silent:
            after(.asked) {
                _ = answer()
                _ = answerAll()
            }
        case .ending: after(.connecting) { _ = pass(20) }
        case .backOff: after(.connecting) { _ = connectAnswered(.failed("refused")) }
        case .idle: _ = stop()
        }
    }

    private func after(_ place: Place, _ next: () -> Void) {
        reach(place)
        next()
    }

    /// A live link made by another program.
    static func takenOver() -> LinkDriver {
        let driver = LinkDriver.at(.seen)
        _ = driver.turn(isConnected: true)
        _ = driver.resolved()
        _ = driver.answerAll()
        return driver
    }

    static func at(_ place: Place) -> LinkDriver {
        let driver = LinkDriver()
        driver.reach(place)
        return driver
    }
}
