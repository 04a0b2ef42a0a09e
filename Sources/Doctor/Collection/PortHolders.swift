import GatewayHost
import Glibc
import Platform

/// Finds the program that uses a serial port, as far as this user may see it.
///
/// Root sees every program; others see their own, and those that lock the port.
struct PortHolders: Sendable {
    /// The maximum number of processes that are looked at.
    private static let processLimit = 20_000

    let system: DoctorSystem
    /// The processes that may use the port.
    let ignored: Set<Int>

    init(system: DoctorSystem, ignoring processes: Set<Int>) {
        self.system = system
        ignored = processes.union([Int(getpid())])
    }

    /// The first program that uses a port.
    func holder(of path: String) -> PortFacts.Holder? {
        var port = stat()
        guard stat(path, &port) == 0 else { return nil }
        if let process = processes.first(where: { opens(port, process: $0) }) {
            return PortFacts.Holder(process: process, name: name(of: process))
        }
        return lockOwner(port).map {
            PortFacts.Holder(process: $0, name: name(of: $0), hasPortOpen: false)
        }
    }

    /// The lock file of a terminal program, as of minicom (FHS 3.0, 5.9), with the number of a
    /// process that runs.
    ///
    /// Every user can write into its folder, so the process may have nothing to do with the port.
    func lockFile(of path: String) -> String? {
        let target = (try? TextFile.followingLinks(path)) ?? path
        let file = "/run/lock/LCK..\(target.split(separator: "/").last ?? "")"
        guard let text = regularFile(file), let process = Int(text.filter { !$0.isWhitespace }),
            process > 0, !ignored.contains(process), system.has("/proc/\(process)")
        else { return nil }
        return file
    }

    /// The beginning of a file that may be anything.
    private func regularFile(_ path: String) -> String? {
        let flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC
        let descriptor = open(system.path(path), flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            return nil
        }
        return String(decoding: SystemCall.read(descriptor, limit: 64).bytes, as: UTF8.self)
    }

    private var processes: [Int] {
        let names = (try? Folder.names(in: system.path("/proc"))) ?? []
        return names.compactMap { Int($0) }.filter { !ignored.contains($0) }.prefix(
            Self.processLimit
        ).sorted()
    }

    private func opens(_ port: stat, process: Int) -> Bool {
        let folder = system.path("/proc/\(process)/fd")
        let names = (try? Folder.names(in: folder)) ?? []
        return names.contains { name in
            // The file behind another link may be on a server that does not answer.
            let link = "\(folder)/\(name)"
            guard SystemCall.target(ofLink: link)?.hasPrefix("/dev/") == true else { return false }
            var file = stat()
            return stat(link, &file) == 0 && file.st_mode & S_IFMT == S_IFCHR
                && file.st_rdev == port.st_rdev
        }
    }

    /// The process that holds a lock of flock(2), from `/proc/locks` (proc(5)).
    private func lockOwner(_ port: stat) -> Int? {
        guard let text = virtualFile("/proc/locks") else { return nil }
        let file = Self.identity(device: port.st_dev, file: port.st_ino)
        for line in text.split(separator: "\n") {
            let fields = line.split(separator: " ")
            guard fields.count >= 6, fields[1] == "FLOCK", let process = Int(fields[4]),
                process > 0, !ignored.contains(process),
                fields[5] == file
            else { continue }
            return process
        }
        return nil
    }

    /// A file as the kernel writes it there: major and minor number in two or more hexadecimal
    /// digits, and the inode.
    private static func identity(device: UInt, file: UInt) -> String {
        // The numbers are spread over the bits as makedev(3) does it.
        let major = device >> 8 & 0xFFF | device >> 32 & ~0xFFF
        let minor = device & 0xFF | device >> 12 & 0xFFFF_FF00
        let numbers = [major, minor].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        return "\(numbers.joined(separator: ":")):\(file)"
    }

    private func name(of process: Int) -> String? {
        virtualFile("/proc/\(process)/comm").map {
            LogFormat.escaped(String($0.prefix { $0 != "\n" }))
        }
    }

    /// The text of a file whose size is not known before it is read.
    private func virtualFile(_ path: String) -> String? {
        let descriptor = open(system.path(path), O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        while bytes.count < 1 << 20 {
            let part = SystemCall.read(descriptor, limit: 65_536).bytes
            if part.isEmpty { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
