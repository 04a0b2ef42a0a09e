import CPty
import GatewayCore
import Glibc
import Platform

/// An open descriptor of a terminal; releasing the last reference closes it.
///
/// This is the only file that calls the terminal driver. No call blocks.
final class TerminalDescriptor: StreamDescriptor {
    let number: Int32
    let path: String

    private init(_ number: Int32, path: String) {
        self.number = number
        self.path = path
    }

    deinit {
        close(number)
    }

    var name: String { path }

    /// A disconnected terminal reads as end of file, or fails with EIO.
    var endOfStream: SerialError { .unplugged(path: path) }

    /// Always false: reads of a disconnected terminal fail.
    var isDisconnected: Bool { false }

    func writeAvailable(_ buffer: UnsafeRawBufferPointer) -> Int {
        Glibc.write(number, buffer.baseAddress, buffer.count)
    }

    func failure(of operation: String, code: Int32) -> SerialError {
        switch code {
        case EIO, ENXIO, ENODEV: .unplugged(path: path)
        default: .failed(path: path, operation: operation, code: code)
        }
    }

    /// Duplicates the descriptor.
    func duplicate() throws(SerialError) -> TerminalDescriptor {
        try duplicate(named: path)
    }

    private func duplicate(named path: String) throws(SerialError) -> TerminalDescriptor {
        let copy = fcntl(number, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw failure(of: "dup", code: errno) }
        return TerminalDescriptor(copy, path: path)
    }

    /// Discards the buffered input and output, and releases the exclusive use.
    ///
    /// Otherwise closing a port may block for half a minute while output is pending.
    func prepareToClose() {
        tcflush(number, TCIOFLUSH)
        release()
    }
}

extension TerminalDescriptor {
    /// Opens a serial port exclusively in raw mode, without waiting for a carrier.
    ///
    /// The node is checked first, because opening some devices has side effects.
    static func open(
        _ path: String, settings: LineSettings
    ) throws(SerialError) -> TerminalDescriptor {
        var status = stat()
        guard stat(path, &status) == 0 else { throw openError(path, errno, nil) }
        guard status.st_mode & S_IFMT == S_IFCHR else { throw .notASerialPort(path: path) }
        let number = SystemCall.repeatWhileInterrupted {
            Int(Glibc.open(path, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC))
        }
        guard number >= 0 else { throw openError(path, errno, status) }
        let descriptor = TerminalDescriptor(Int32(number), path: path)
        guard isatty(descriptor.number) == 1 else { throw .notASerialPort(path: path) }
        try descriptor.claim()
        try descriptor.configure(settings)
        return descriptor
    }

    /// Claims exclusive use with TIOCEXCL and flock(2).
    ///
    /// TIOCEXCL makes later opens fail, except those of root; the lock also excludes root and ends with
    /// this process. A sandbox may not support TIOCEXCL; there the lock alone is used.
    private func claim() throws(SerialError) {
        if flock(number, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK {
            throw .busy(path: path)
        }
        if cpty_set_exclusive(number) != 0, errno != ENOTTY {
            throw failure(of: "TIOCEXCL", code: errno)
        }
    }

    /// Releases the exclusive use.
    func release() {
        _ = cpty_clear_exclusive(number)
        flock(number, LOCK_UN)
    }

    /// Sets raw mode: all bytes pass unchanged, and modem lines are ignored.
    ///
    /// VMIN is 1: with 0 a read could not distinguish an empty buffer from a hang-up (termios(3)).
    func configure(_ settings: LineSettings) throws(SerialError) {
        var attributes = termios()
        guard tcgetattr(number, &attributes) == 0 else {
            throw failure(of: "tcgetattr", code: errno)
        }
        cfmakeraw(&attributes)
        attributes.c_iflag = 0
        let shape = tcflag_t(CSIZE) | tcflag_t(CSTOPB) | tcflag_t(PARENB) | tcflag_t(PARODD)
        attributes.c_cflag &= ~(shape | tcflag_t(CRTSCTS))
        attributes.c_cflag |= tcflag_t(CLOCAL) | tcflag_t(CREAD) | settings.format.flags
        if settings.usesHardwareFlowControl { attributes.c_cflag |= tcflag_t(CRTSCTS) }
        withUnsafeMutableBytes(of: &attributes.c_cc) { characters in
            characters[Int(VMIN)] = 1
            characters[Int(VTIME)] = 0
        }
        guard cfsetspeed(&attributes, settings.baud.speed) == 0 else {
            throw failure(of: "cfsetspeed", code: errno)
        }
        guard tcsetattr(number, TCSANOW, &attributes) == 0 else {
            throw failure(of: "tcsetattr", code: errno)
        }
    }

    static func openError(_ path: String, _ code: Int32, _ status: stat?) -> SerialError {
        switch code {
        case ENOENT, ENOTDIR: .noSuchPort(path: path)
        case EACCES, EPERM: .permissionDenied(path: path, code: code, status)
        case EBUSY: .busy(path: path)
        case EIO, ENXIO, ENODEV: .unplugged(path: path)
        default: .failed(path: path, operation: "open", code: code)
        }
    }
}

extension TerminalDescriptor {
    /// Makes a pseudo-terminal: its master, not blocking, and its slave, raw.
    ///
    /// openpty(3) cannot set O_CLOEXEC, and a copy of the master in a child process would hide an
    /// unplugged device.
    static func makePair() throws(SerialError) -> (
        master: TerminalDescriptor, slave: TerminalDescriptor
    ) {
        let flags = O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC
        let number = posix_openpt(flags)
        guard number >= 0 else {
            throw .failed(path: "/dev/ptmx", operation: "posix_openpt", code: errno)
        }
        let master = TerminalDescriptor(number, path: "/dev/ptmx")
        guard grantpt(number) == 0 else { throw master.failure(of: "grantpt", code: errno) }
        guard unlockpt(number) == 0 else { throw master.failure(of: "unlockpt", code: errno) }
        let path = try master.slavePath()
        let slaveNumber = Glibc.open(path, flags)
        guard slaveNumber >= 0 else { throw openError(path, errno, nil) }
        let slave = TerminalDescriptor(slaveNumber, path: path)
        try slave.configure(LineSettings(baud: .baud115200))
        return (try master.duplicate(named: path), slave)
    }

    private func slavePath() throws(SerialError) -> String {
        var name = [CChar](repeating: 0, count: 128)
        let code = ptsname_r(number, &name, name.count)
        guard code == 0 else { throw failure(of: "ptsname", code: code) }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

extension LineSettings.CharacterFormat {
    fileprivate var flags: tcflag_t {
        switch self {
        case .eightNoneOne: tcflag_t(CS8)
        case .eightEvenOne: tcflag_t(CS8) | tcflag_t(PARENB)
        case .sevenEvenOne: tcflag_t(CS7) | tcflag_t(PARENB)
        }
    }
}

extension BaudRate {
    fileprivate var speed: speed_t {
        let code =
            switch self {
            case .baud300: B300
            case .baud600: B600
            case .baud1200: B1200
            case .baud1800: B1800
            case .baud2400: B2400
            case .baud4800: B4800
            case .baud9600: B9600
            case .baud19200: B19200
            case .baud38400: B38400
            case .baud57600: B57600
            case .baud115200: B115200
            case .baud230400: B230400
            case .baud460800: B460800
            case .baud500000: B500000
            case .baud576000: B576000
            case .baud921600: B921600
            case .baud1000000: B1000000
            case .baud1152000: B1152000
            case .baud1500000: B1500000
            case .baud2000000: B2000000
            case .baud2500000: B2500000
            case .baud3000000: B3000000
            case .baud3500000: B3500000
            case .baud4000000: B4000000
            }
        return speed_t(code)
    }
}
