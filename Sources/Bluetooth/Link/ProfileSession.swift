import GatewayCore
import JSON
import Platform
import Readings

/// The profiles of one connection: values of the device in, reports and writes out.
///
/// It keeps the profiles within their allowance, and gives every reading a unique time of receipt.
struct ProfileSession: Sendable {
    /// What became of a value.
    struct Output: Sendable {
        /// The reports, and the events for programs that decode.
        var actions: [Link.Action] = []
        /// The values to write to the device.
        var writes: [GATTWrite] = []
    }

    /// The maximum length of an attribute's value (Bluetooth Core 5.4, Vol 3 Part F 3.2.9).
    static let maximumValueLength = 512

    /// The report of the profiles, for a capture.
    let description: Link.Action
    private var adapter: GATTAdapter
    private var receipts = ReceiptSequence()
    private var allowance = AdapterAllowance()
    private let mark: CallMark?
    /// Whether to report the values that are handed to the adapter.
    private let recordsTraffic: Bool

    /// Makes the session of profiles, of which the device offers the services.
    init(_ profiles: [any GATTProfile], mark: CallMark?, recordsTraffic: Bool) {
        adapter = GATTAdapter(profiles: profiles)
        let names = profiles.map { JSONValue.string($0.name) }
        description = .report(.traffic(.adapter(.object(["profiles": .array(names)]))))
        self.mark = mark
        self.recordsTraffic = recordsTraffic
    }

    /// The characteristics to subscribe to.
    var subscriptions: [BluetoothUUID] { adapter.subscriptions }

    /// Starts the session: returns the characteristics to read, and the events for programs.
    mutating func open(at now: BootInstant) -> (reads: [BluetoothUUID], actions: [Link.Action]) {
        let reads = adapter.open()
        let programs = Set(adapter.programChannels.values).sorted { $0.name < $1.name }
        return (reads, programs.map { .program($0, .event(AdapterEvent(.opened, at: now))) })
    }

    /// Decodes a value: reports its readings and drops, and returns the writes.
    mutating func received(
        _ value: [UInt8], of uuid: BluetoothUUID, at now: BootInstant
    ) -> Output {
        allowance.earn(bytes: value.count, at: now)
        let decoding = during { $0.decode(value, of: uuid, at: now) }
        var output = Output()
        record(value, on: Channel(uuid), at: now, in: &output)
        report(decoding, at: now, in: &output)
        if let program = adapter.programChannels[uuid] {
            let event = AdapterEvent(.received(value, on: Channel(uuid)), at: now)
            output.actions.append(.program(program, .event(event)))
        }
        return output
    }

    /// Handles a line of the program that decodes for a profile.
    mutating func printed(
        _ line: [UInt8], on channel: Channel, at now: BootInstant
    ) -> Output {
        let event = AdapterEvent(.received(line, on: channel), at: now)
        var output = Output()
        record(line, on: channel, at: now, in: &output)
        // The bytes of the device, and not those of the program, allow readings.
        allowance.earn(bytes: 0, at: now)
        let requests = during { $0.handle(event) }
        var decoding = GATTDecoding()
        for request in requests {
            switch request {
            case .reading(let reading): decoding.readings.append(reading)
            case .dropped(let reason): decoding.drops.append(reason)
            case .send(let bytes, let target) where target.isOfProgram:
                let reason = String(decoding: bytes, as: UTF8.self)
                output.actions.append(.program(channel, .rejected(reason: reason)))
            case .send(let bytes, let target):
                guard let uuid = BluetoothUUID(target.name) else { continue }
                decoding.writes.append(GATTWrite(bytes, to: uuid))
            case .read, .wake: break
            }
        }
        report(decoding, at: now, in: &output)
        return output
    }

    private func record(
        _ bytes: [UInt8], on channel: Channel, at now: BootInstant, in output: inout Output
    ) {
        guard recordsTraffic else { return }
        output.actions.append(.report(.traffic(.received(bytes, on: channel, at: now))))
    }

    /// Reports readings, drops and what exceeds the allowance, and selects the writes.
    private mutating func report(
        _ decoding: GATTDecoding, at now: BootInstant, in output: inout Output
    ) {
        var readings: [TimedReading] = []
        for reading in decoding.readings where allowance.admits(reading) {
            readings.append(TimedReading(reading, at: receipts.next(now, for: reading)))
        }
        if !readings.isEmpty { output.actions.append(.report(.readings(readings))) }
        output.writes = admitted(decoding.writes)
        let excess = allowance.takeExcess()
        var drops = Dictionary(decoding.drops.map { ($0, 1) }, uniquingKeysWith: +)
        if excess.actions > 0 { drops[.flood, default: 0] += excess.actions }
        if !drops.isEmpty { output.actions.append(.report(.dropped(drops))) }
        if !excess.faults.isEmpty {
            output.actions.append(.report(.discarded(excess.faults, at: now)))
        }
    }

    /// The time of the next postponed write, or at which a profile wants to be woken.
    var wakeTime: BootInstant? { adapter.wakeTime }

    /// Wakes the profiles that are due, and returns the postponed writes whose time has come.
    mutating func wake(at now: BootInstant) -> Output {
        allowance.earn(bytes: 0, at: now)
        var output = Output()
        report(during { $0.wake(at: now) }, at: now, in: &output)
        return output
    }

    /// Calls the adapter, with the mark of the profiles' calls.
    private mutating func during<Value>(_ call: (inout GATTAdapter) -> Value) -> Value {
        guard let mark else { return call(&adapter) }
        return mark.during { call(&adapter) }
    }

    /// Handles a write that the device has rejected; one that is made again is counted.
    mutating func writeFailed(
        _ bytes: [UInt8], to uuid: BluetoothUUID, at now: BootInstant
    ) -> [Link.Action] {
        let isMadeAgain = adapter.writeFailed(bytes, to: uuid, at: now)
        return isMadeAgain ? [.report(.dropped([.invalid: 1]))] : []
    }

    private mutating func admitted(_ writes: [GATTWrite]) -> [GATTWrite] {
        writes.filter {
            $0.bytes.count <= Self.maximumValueLength
                && allowance.admitsAction(sending: $0.bytes.count)
        }
    }
}
