import Glibc
import Platform

/// The desktop of the user, if there is one.
struct Desktop {
    private static let opener = "xdg-open"

    let environment: Environment

    /// Opens an address in the browser; without a desktop it does nothing.
    ///
    /// The opener runs on by itself; what it prints is not shown.
    func open(_ address: String) {
        guard environment["DISPLAY"] != nil || environment["WAYLAND_DISPLAY"] != nil else { return }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] {
            posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
        }
        let arguments = [strdup(Self.opener), strdup(address), nil]
        defer { arguments.forEach { free($0) } }
        var process = pid_t()
        // A missing opener is no failure: the address is printed.
        posix_spawnp(&process, Self.opener, &actions, nil, arguments, environ)
    }
}

/// Text in the query of a URL.
enum URLText {
    /// Escapes all but the unreserved characters (RFC 3986, section 2.3).
    static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."),
                UInt8(ascii: "_"), UInt8(ascii: "~"):
                String(UnicodeScalar(byte))
            default:
                (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
            }
        }.joined()
    }
}
