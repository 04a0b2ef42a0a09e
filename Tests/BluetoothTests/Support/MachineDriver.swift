import DBus
import GatewayCore
import Platform
import XCTest

@testable import Bluetooth

/// Drives a machine with events and answers of bluetoothd, and records its calls and outputs.
///
/// Calls to devices are answered by the test; calls to adapters are answered immediately.
final class MachineDriver<Machine: BlueZMachine> {
    struct Call {
        let request: Machine.Request
        let call: BlueZCall

        /// The member and the object without what all of them have: `Connect hci0/01`.
        var words: String {
            let path = call.path.replacingOccurrences(of: "/org/bluez/", with: "")
            return "\(call.member) "
                + path.replacingOccurrences(of: "dev_D0_11_22_33_44_", with: "")
        }
    }

    private(set) var machine: Machine
    /// When the machine wants its timer.
    var wakeTime: BootInstant? { machine.wakeTime }
    var daemon = Daemon()
    private(set) var now = BootInstant(nanoseconds: 1_000_000_000_000)
    /// The calls that have not been answered.
    private(set) var open: [Call] = []
    private(set) var ends: [LinkError] = []
    /// Whether adapters answer at once.
    var adaptersAnswer = true
    /// The calls that register an agent; they are not answered.
    private(set) var agentCalls: [Call] = []
    /// The answers of the agent.
    private(set) var answers: [String] = []
    private var isLoaded = false
    private var calls: [Call] = []
    private var outputs: [Machine.Output] = []

    init(_ machine: Machine) {
        self.machine = machine
    }

    func handle(_ event: BlueZEvent<Machine.Request>) {
        perform(machine.handle(event, in: daemon.tree, at: now))
    }

    /// Gives the machine a command.
    func apply(_ command: Machine.Command) {
        perform(machine.apply(command, in: daemon.tree, at: now))
    }

    private func perform(_ actions: [BlueZAction<Machine.Request, Machine.Output>]) {
        for action in actions {
            switch action {
            case .call(let request, let call) where call.interface == BlueZName.agentManager:
                agentCalls.append(Call(request: request, call: call))
            case .emit: break
            case .answer(let number, let answer): answers.append("\(number) \(answer)")
            case .call(let request, let call):
                calls.append(Call(request: request, call: call))
                open.append(Call(request: request, call: call))
            case .output(let output): outputs.append(output)
            case .end(let error): ends.append(error)
            }
        }
        while adaptersAnswer,
            let index = open.firstIndex(where: { $0.call.interface == BlueZName.adapter })
        {
            handle(.finished(open.remove(at: index).request, .success([])))
        }
    }

    /// bluetoothd is available with its objects.
    func start() {
        isLoaded = true
        handle(.available)
    }

    /// bluetoothd is gone with all that it had and was asked.
    func loseDaemon(_ problem: String = "bluetoothd is not running") {
        isLoaded = false
        open = []
        daemon.restart()
        handle(.unavailable(LinkError(problem)))
    }

    /// Applies a change of bluetoothd and feeds it to the machine.
    func feed(_ change: (inout Daemon) -> [ManagedObjects.Change]) {
        let parts = change(&daemon)
        for part in parts where isLoaded { handle(.changed(part)) }
    }

    /// Answers the oldest open call with these words.
    func answer(
        _ words: String, _ error: BusError? = nil, with body: [BusValue] = [],
        file: StaticString = #filePath, line: UInt = #line
    ) {
        guard let index = open.firstIndex(where: { $0.words == words }) else {
            XCTFail(
                "no pending call \(words); pending: \(open.map(\.words))", file: file, line: line)
            return
        }
        let call = open.remove(at: index)
        handle(.finished(call.request, error.map { .failure($0) } ?? .success(body)))
    }

    /// Answers one of the open calls.
    func answer(at index: Int, _ result: Result<[BusValue], BusError>) {
        handle(.finished(open.remove(at: index).request, result))
    }

    /// Answers reads, writes and subscriptions until nothing more is asked.
    func answerSession() {
        while let index = open.firstIndex(where: {
            $0.call.interface == BlueZName.gattCharacteristic
        }) {
            handle(.finished(open.remove(at: index).request, .success([.bytes([1])])))
        }
    }

    /// Lets time pass, with the timer wherever the machine wants it.
    func pass(_ seconds: Double, file: StaticString = #filePath, line: UInt = #line) {
        let end = now.adding(seconds: seconds)
        var count = 0
        while let next = machine.wakeTime, next <= end {
            now = max(now, next)
            handle(.timer)
            count += 1
            guard count < 1_000 else {
                XCTFail("the machine wants its timer without end", file: file, line: line)
                break
            }
        }
        now = end
    }

    /// The calls since the last time; those to adapters only when asked for.
    func removeCalls(ofAdapters: Bool = false) -> [String] {
        defer { calls = [] }
        return calls.filter { ofAdapters || $0.call.interface != BlueZName.adapter }.map(\.words)
    }

    /// The calls to adapters since the last time.
    func takeAdapterCalls() -> [String] {
        defer { calls = [] }
        return calls.filter { $0.call.interface == BlueZName.adapter }.map(\.words)
    }

    /// The outputs of the machine since the last call.
    func removeOutputs() -> [Machine.Output] {
        defer { outputs = [] }
        return outputs
    }

    /// Discards the calls so far.
    func clearCalls() { calls = [] }

    /// Discards the calls and outputs so far.
    func clear() {
        calls = []
        outputs = []
    }
}

extension MachineDriver<CentralMachine> {
    /// A machine for these devices, and as many adapters.
    static func central(
        _ numbers: UInt8..., adapters: Int = 1, profiles: [any GATTProfile] = [PulseProfile()]
    ) -> MachineDriver {
        central(
            BluetoothSelection(devices: .named(Set(numbers.map { .ending($0) }))),
            adapters: adapters, profiles: profiles)
    }

    static func central(
        _ selection: BluetoothSelection, adapters: Int = 1,
        profiles: [any GATTProfile] = [PulseProfile()],
        earlierLinks: [BluetoothAddress: String] = [:], policy: LinkPolicy = LinkPolicy(),
        devices: ((inout Daemon) -> [ManagedObjects.Change])? = nil
    ) -> MachineDriver {
        let driver = MachineDriver(
            CentralMachine(
                selection: selection, profiles: profiles, policy: policy,
                earlierLinks: earlierLinks))
        for number in 0..<adapters { driver.feed { $0.addAdapter(number) } }
        if let devices { driver.feed(devices) }
        driver.start()
        if devices == nil { driver.clear() }
        return driver
    }

    /// Adds a device that was just seen.
    func advertise(_ number: UInt8, on adapter: Int = 0, strength: Int16 = -60) {
        let path = Daemon.device(number, on: adapter)
        guard daemon.tree.device(at: path) != nil else {
            return feed { $0.addDevice(number, on: adapter, strength: strength) }
        }
        feed { $0.set(path, BlueZName.device, ["RSSI": .int16(strength)]) }
    }

    func setConnected(_ number: UInt8, on adapter: Int = 0, to isConnected: Bool) {
        feed {
            $0.set(
                Daemon.device(number, on: adapter), BlueZName.device,
                ["Connected": .boolean(isConnected)])
        }
    }

    func resolve(_ number: UInt8, on adapter: Int = 0) {
        feed { $0.addServices(of: number, on: adapter) }
        feed {
            $0.set(
                Daemon.device(number, on: adapter), BlueZName.device,
                ["ServicesResolved": .boolean(true)])
        }
    }

    /// Brings a device from nothing to a live link.
    func makeLive(_ number: UInt8, on adapter: Int = 0) {
        advertise(number, on: adapter)
        setConnected(number, on: adapter, to: true)
        let words = "Connect hci\(adapter)/\(BluetoothAddress.ending(number).last)"
        if open.contains(where: { $0.words == words }) { answer(words) }
        resolve(number, on: adapter)
        answerSession()
        notify(number, on: adapter, [61])
    }

    /// The strap measures a pulse.
    func notify(_ number: UInt8, on adapter: Int = 0, _ value: [UInt8]) {
        feed {
            $0.set(
                "\(Daemon.device(number, on: adapter))/service180d/c2",
                BlueZName.gattCharacteristic, ["Value": .bytes(value)])
        }
    }

    func state(_ number: UInt8) -> Link.State? { machine.links[.ending(number)]?.state }

    /// The outputs since the last time, without ``removeOwnLinks()``.
    func outputWords() -> [String] {
        removeOutputs().filter { !$0.isOwnLink }.map(\.words)
    }

    /// The outputs about own links since the last time.
    func removeOwnLinks() -> [String] { removeOutputs().filter(\.isOwnLink).map(\.words) }
}
