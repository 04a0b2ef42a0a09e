import Glibc
package import Platform
import Synchronization

/// The keys of a terminal one by one, as long as this has not been restored: without Enter, and without an
/// echo on the screen.
///
/// ^C still ends the process; ^Z does nothing, because the screen would stay behind.
package final class TerminalKeys: Sendable {
    private let descriptor: Int32

    private static let readLimit = 4_096

    private struct State {
        /// How the terminal was before; nil when it is so again.
        var former: termios?
        var parser = KeyParser()
    }

    private let state: Mutex<State>
    private let clock: any BootClock

    /// Takes over the keys of a terminal; nil when the descriptor is none.
    package init?(_ descriptor: Int32 = STDIN_FILENO, clock: any BootClock) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        self.clock = clock
        state = Mutex(State(former: settings))
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        settings.c_lflag |= tcflag_t(ISIG)
        // ^S would leave an old picture there.
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

    /// Gives the terminal back as it was; again it does nothing.
    package func restore() {
        state.withLock { state in
            guard var former = state.former else { return }
            tcsetattr(descriptor, TCSANOW, &former)
            state.former = nil
        }
    }

    /// What has been read.
    package enum Reading: Equatable {
        case key(Character)
        /// Nothing that is a key.
        case nothing
        /// The terminal is gone.
        case end
    }

    /// The key that has been pressed; to be called when poll(2) says that there is something.
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
    /// The terminal is not there any more.
    package struct Failure: Error {
        let code: Int32
    }

    /// The descriptor of the terminal.
    package var number: Int32 { descriptor }

    /// What ends a wait when the watch is closed.
    package var notOpen: Failure { Failure(code: EBADF) }

    /// What the system refused.
    package func failure(of operation: String, code: Int32) -> Failure { Failure(code: code) }
}
