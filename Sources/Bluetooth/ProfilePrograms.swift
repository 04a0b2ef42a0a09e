import GatewayCore
import Platform
import Readings
import Synchronization

/// The programs that decode for the profiles of a source.
struct ProfilePrograms: Sendable {
    let profiles: [any GATTProfile]
    let context: ComponentContext
    let inlet: any ReadingInlet
    let problems: SourceProblems
    private let programs = DecoderPrograms()

    init(
        profiles: [any GATTProfile], context: ComponentContext, inlet: any ReadingInlet,
        problems: SourceProblems
    ) {
        self.profiles = profiles
        self.context = context
        self.inlet = inlet
        self.problems = problems
    }

    /// Runs the programs until the task is cancelled, and passes their lines to the client.
    func run(_ client: BlueZClient<CentralMachine>) async {
        await programs.run { key, outputs, _ in
            var lines: [[UInt8]] = []
            for output in outputs {
                switch output {
                case .line(let line): lines.append(line)
                case .tooLong: await report(.dropped([.tooLong: 1]), of: key.device)
                case .problem(let problem): await problems.set(problem, of: key)
                }
            }
            guard !lines.isEmpty, let address = BluetoothAddress(key.device) else { return }
            await client.apply(.printed(address, key.channel, lines))
        }
    }

    /// Sends an input to the program of a device; the event `opened` starts it.
    func send(_ input: DecoderInput, to address: BluetoothAddress, on channel: Channel) async {
        let key = DecoderPrograms.Key(device: address.description, channel: channel)
        if case .event(let event) = input, event.kind == .opened {
            guard let profile = profiles.first(where: { Channel(program: $0.name) == channel })
            else { return }
            let program = (profile as? any ProgramDecoded)?.makeProgram(for: key.device, context)
            if let program { programs.start(program, for: key, at: event.receipt) }
        } else if !programs.send(input, to: key), case .event = input {
            await report(.dropped([.overrun: 1]), of: key.device)
        }
    }

    /// Ends the programs of a device whose link was closed.
    func end(_ address: BluetoothAddress, at moment: BootInstant) async {
        let unread = programs.end(device: address.description, at: moment)
        if unread > 0 { await report(.dropped([.overrun: unread]), of: address.description) }
        await problems.clear(device: address.description)
    }

    private func report(_ content: DeviceReport.Content, of device: String) async {
        await inlet.report(DeviceReport(device: device, content))
    }
}
