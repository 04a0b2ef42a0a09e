import Glibc
package import Platform
import Synchronization

/// Single key presses from a terminal, without Enter and without echo, until it is restored.
///
/// ^C still ends the process. ^Z does nothing, because the shell would not get its screen back.
package final class TerminalKeys: Sendable {
    private let descriptor: Int32

    private static let readLimit = 4_096

    private struct State {
        /// The previous terminal settings; nil after they are restored.
        var savedSettings: termios?
        var parser = KeyParser()
    }

    private let state: Mutex<State>
    private let clock: any BootClock

    /// Switches a terminal to single key presses; nil if the descriptor is not a terminal.
    package init?(_ descriptor: Int32 = STDIN_FILENO, clock: any BootClock) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        self.clock = clock
        state = Mutex(State(savedSettings: settings))
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_lflag |= tcflag_t(ISIG)
        // ^S would freeze the picture.
        settings.c_iflag &= ~tcflag_t(IXON)
        settings[control: VMIN] = 1
        settings[control: VTIME] = 0
        // _POSIX_VDISABLE, which is 0 on Linux.
        settings[control: VSUSP] = 0
        guard tcsetattr(descriptor, TCSANOW, &settings) == 0 else { return nil }
    }

    deinit {
        restore()
    }

    /// Restores the terminal settings; further calls do nothing.
    package func restore() {
        state.withLock { state in
            guard var savedSettings = state.savedSettings else { return }
            tcsetattr(descriptor, TCSANOW, &savedSettings)
            state.savedSettings = nil
        }
    }

    /// The result of a read.
    package enum Reading: Equatable {
        case key(Character)
        /// Bytes that are not a key.
        case nothing
        /// The terminal was closed.
        case end
    }

    /// Reports each reading until the terminal is closed, or the task is cancelled.
    package func readAll(_ report: (Reading) -> Void) async {
        let poller = DescriptorPoller()
        guard let readable = try? poller.watch(self, .readable) else { return report(.end) }
        defer { readable.close() }
        while (try? await readable.wait()) != nil {
            let reading = read()
            report(reading)
            if reading == .end { return }
        }
    }

    /// Reads a key press; call it when the descriptor is readable.
    package func read() -> Reading {
        let (bytes, _) = SystemCall.read(descriptor, limit: Self.readLimit)
        guard !bytes.isEmpty else { return .end }
        let key = state.withLock { $0.parser.key(of: bytes, at: clock.now()) }
        return key.map(Reading.key) ?? .nothing
    }
}

extension termios {
    /// A control character; its number is one of termios(3).
    fileprivate subscript(control number: Int32) -> cc_t {
        get { withUnsafeBytes(of: c_cc) { $0[Int(number)] } }
        set { withUnsafeMutableBytes(of: &c_cc) { $0[Int(number)] = newValue } }
    }
}

extension TerminalKeys: WatchedDescriptor {
    /// A failure of watching the terminal's descriptor.
    package struct Failure: Error {
        let code: Int32
    }

    /// The descriptor of the terminal.
    package var number: Int32 { descriptor }

    /// The error of a wait when the watch is closed.
    package var notOpen: Failure { Failure(code: EBADF) }

    /// The error of a failed system call.
    package func failure(of operation: String, code: Int32) -> Failure { Failure(code: code) }
}
