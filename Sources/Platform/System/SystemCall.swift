import Glibc

/// What every call to the system needs.
package enum SystemCall {
    /// Calls again while a signal interrupts (EINTR); `errno` is that of the last call.
    package static func repeatWhileInterrupted(_ call: () -> Int) -> Int {
        var result = call()
        while result < 0 && errno == EINTR { result = call() }
        return result
    }

    /// Reads what is there, at most `limit` bytes.
    ///
    /// Without bytes, a code of 0 says that it is the end; any other is the `errno` of the failure.
    package static func read(_ descriptor: Int32, limit: Int) -> (bytes: [UInt8], code: Int32) {
        var code: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            let result = repeatWhileInterrupted {
                Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            }
            code = result < 0 ? errno : 0
            count = max(result, 0)
        }
        return (bytes, code)
    }

    /// Where a symbolic link leads, as it was written; nil when the path is none.
    package static func target(ofLink path: String) -> String? {
        var characters = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &characters, characters.count)
        guard count > 0 else { return nil }
        let bytes = characters.prefix(count).map(UInt8.init(bitPattern:))
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Makes the names in the folder of a file last, with a new one among them; a file system that cannot
    /// do so has done what it can.
    package static func syncFolder(of path: String) {
        let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        let descriptor = open(folder.isEmpty ? "/" : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }

    /// The system's words for an error number.
    package static func message(of code: Int32) -> String {
        // glibc's own strerror is safe on every thread since 2.32 (strerror(3)).
        String(cString: strerror(code))
    }
}
