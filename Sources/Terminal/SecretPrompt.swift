import Glibc
import Platform
import Synchronization

/// Reads one line from a terminal without showing it.
package enum SecretPrompt {
    /// The result of a read.
    package enum Reading {
        /// The bytes of the line, without its end.
        case line([UInt8])
        /// The user cancelled with ^C or ^D.
        case cancelled
        /// The line is too long.
        case tooLong
        /// The terminal cannot hide what is typed.
        case failed
    }

    /// Shows a prompt and reads a line of at most `limit` bytes.
    ///
    /// ^C is read as a character. A SIGINT, SIGTERM or SIGHUP of somebody else ends the process, as it
    /// does without a prompt, when the terminal is restored; the process must catch them since its start.
    package static func read(
        _ prompt: String, limit: Int, from descriptor: Int32 = STDIN_FILENO
    ) -> Reading {
        guard let terminal = HiddenInput(descriptor) else { return .failed }
        defer {
            terminal.restore()
            ProcessSignals.restoreDefaults()
        }
        SystemThread.start(name: "signals") {
            let number = ProcessSignals.wait()
            terminal.restore()
            ProcessSignals.end(by: number)
        }
        StandardStream.error.write(prompt)
        return readLine(limit: limit, from: descriptor)
    }

    private static func readLine(limit: Int, from descriptor: Int32) -> Reading {
        var line: [UInt8] = []
        while true {
            let (bytes, _) = SystemCall.read(descriptor, limit: 1)
            guard let byte = bytes.first else { return .cancelled }
            switch byte {
            case 0x0A, 0x0D: return .line(line)
            case 0x03, 0x04, 0x1C: return .cancelled
            case 0x08, 0x7F: removeCharacter(from: &line)
            // ^U, as in a line of the terminal itself.
            case 0x15: line = []
            default: line.append(byte)
            }
            guard line.count <= limit else { return .tooLong }
        }
    }

    /// Removes the last character of UTF-8.
    private static func removeCharacter(from line: inout [UInt8]) {
        while let byte = line.popLast(), byte & 0xC0 == 0x80 {}
    }
}

/// A terminal that does not show what is typed, until it is restored.
private final class HiddenInput: Sendable {
    private let descriptor: Int32
    /// The previous settings; nil after they are restored.
    private let saved: Mutex<termios?>

    /// Hides what is typed from now on; nil if the descriptor is not a terminal.
    init?(_ descriptor: Int32) {
        var settings = termios()
        guard tcgetattr(descriptor, &settings) == 0 else { return nil }
        self.descriptor = descriptor
        saved = Mutex(settings)
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO | ISIG | IEXTEN)
        // What was typed before the prompt was shown on the screen.
        guard tcsetattr(descriptor, TCSAFLUSH, &settings) == 0 else { return nil }
    }

    /// Restores the terminal and begins a new line; further calls do nothing.
    func restore() {
        saved.withLock { saved in
            guard var settings = saved else { return }
            tcsetattr(descriptor, TCSAFLUSH, &settings)
            StandardStream.error.write("\n")
            saved = nil
        }
    }
}
