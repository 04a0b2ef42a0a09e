package import Platform
package import Readings
import Synchronization

/// The programs that decode for the links of a source, during one run of the source.
package final class DecoderPrograms: Sendable {
    /// A link and the channel of its program.
    package struct Key: Hashable, Sendable {
        /// The local identifier of the device.
        package let device: String
        /// The channel of the program.
        package let channel: Channel

        /// Makes a key.
        package init(device: String, channel: Channel) {
            self.device = device
            self.channel = channel
        }
    }

    /// Receives what the program of a link has printed.
    package typealias Receiver =
        @Sendable (Key, [DecoderOutput], BootInstant) async -> Void

    private struct Entry: Sendable {
        let program: any DecoderProgram
        let stop: AsyncStream<Void>.Continuation
    }

    private struct Start: Sendable {
        let key: Key
        let program: any DecoderProgram
        let stop: AsyncStream<Void>
    }

    private let entries = Mutex<[Key: Entry]>([:])
    private let starts: AsyncStream<Start>
    private let startSignal: AsyncStream<Start>.Continuation

    /// Makes an empty set of programs.
    package init() {
        (starts, startSignal) = AsyncStream.makeStream(of: Start.self)
    }

    /// Runs the programs until the task is cancelled; call it once.
    package func run(_ receive: @escaping Receiver) async {
        await withTaskGroup(of: Void.self) { group in
            for await start in starts {
                group.addTask { await Self.run(start, receive) }
            }
            group.cancelAll()
        }
    }

    private static func run(_ start: Start, _ receive: @escaping Receiver) async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                await start.program.run { outputs, receipt in
                    await receive(start.key, outputs, receipt)
                }
            }
            group.addTask {
                for await _ in start.stop {}
            }
            await group.next()
            group.cancelAll()
        }
    }

    /// Starts the program of a link that was opened, and ends an earlier one.
    package func start(_ program: any DecoderProgram, for key: Key, at moment: BootInstant) {
        end(key, at: moment)
        let (stop, signal) = AsyncStream.makeStream(of: Void.self)
        entries.withLock { $0[key] = Entry(program: program, stop: signal) }
        _ = program.send(.event(AdapterEvent(.opened, at: moment)))
        startSignal.yield(Start(key: key, program: program, stop: stop))
    }

    /// Sends an input to the program of a link; false if it is lost.
    package func send(_ input: DecoderInput, to key: Key) -> Bool {
        entries.withLock { $0[key] }?.program.send(input) ?? false
    }

    /// Ends the programs of a device whose link was closed.
    ///
    /// - Returns: The number of inputs that they have not read, which are lost.
    package func end(device: String, at moment: BootInstant) -> Int {
        let keys = entries.withLock { $0.keys.filter { $0.device == device } }
        return keys.reduce(0) { $0 + end($1, at: moment) }
    }

    @discardableResult
    private func end(_ key: Key, at moment: BootInstant) -> Int {
        guard let entry = entries.withLock({ $0.removeValue(forKey: key) }) else { return 0 }
        let unread = entry.program.unreadCount
        _ = entry.program.send(.event(AdapterEvent(.closed, at: moment)))
        entry.stop.finish()
        return unread
    }
}
