import Foundation
import GatewayTesting
import Glibc
import XCTest

/// A small file system that a test fills up and frees again.
final class SmallDisk {
    private let folder: String
    private let image: TemporaryFolder

    /// Mounts a `tmpfs` of a size in KiB, or an `ext4` of 6 MiB in a file.
    ///
    /// - Throws: `XCTSkip` where that is not possible.
    init(_ kind: String, at folder: String, kibibytes: Int = 3_072) throws {
        self.folder = folder
        image = try TemporaryFolder()
        guard getuid() == 0 else {
            throw XCTSkip("needs the right to mount a file system; run the tests as root")
        }
        if kind == "tmpfs" {
            guard mount("tmpfs", folder, "tmpfs", 0, "size=\(kibibytes)k,mode=0700") == 0 else {
                throw XCTSkip("cannot mount a tmpfs: \(String(cString: strerror(errno)))")
            }
        } else {
            try mountImage()
        }
    }

    private func mountImage() throws {
        let path = image.path("disk")
        let script = """
            set -e
            truncate -s 6M '\(path)'
            mkfs.ext4 -q -m 0 -O ^has_journal '\(path)'
            mount -o loop '\(path)' '\(folder)'
            chmod 700 '\(folder)'
            rmdir '\(folder)/lost+found'
            """
        let process = Process()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", script]
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw XCTSkip("needs mkfs.ext4 and loop devices: apt-get install e2fsprogs mount")
        }
    }

    /// Writes a file until there is no space for one byte more.
    func fill() throws {
        let descriptor = open("\(folder)/ballast", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemFailure("open ballast") }
        defer { close(descriptor) }
        for size in [1 << 16, 1 << 10, 1] {
            let bytes = [UInt8](repeating: 1, count: size)
            while write(descriptor, bytes, size) > 0 {}
        }
    }

    /// Removes the file of ``fill()``.
    func free() { unlink("\(folder)/ballast") }

    /// Unmounts it, also while it is in use.
    func unmount() { umount2(folder, Int32(MNT_DETACH)) }
}
