import Glibc
import Platform

/// The drafts of an output file whose commands were killed: `FILE.PID.new`, and `FILE.PID.store.new` of a backup.
enum AbandonedDrafts {
    /// How long a draft is left alone, in seconds: its command can run on another machine, which writes to it.
    private static let quietSeconds = 60
    private static let endings = [".store.new", ".new"]

    /// Removes them; what cannot be removed stays.
    static func remove(of path: String) {
        let (folder, base) = (TextFile.folder(of: path), path.split(separator: "/").last ?? "")
        for name in (try? Folder.names(in: folder)) ?? [] {
            guard let process = process(of: name, of: base),
                isQuiet("\(folder)/\(name)"), kill(process, 0) != 0, errno == ESRCH
            else { continue }
            _ = AccountNames.asRealUser { unlink("\(folder)/\(name)") }
        }
    }

    /// The process that has made a draft; nil for another file.
    private static func process(of name: String, of base: Substring) -> pid_t? {
        guard name.hasPrefix("\(base)."), let ending = endings.first(where: name.hasSuffix)
        else { return nil }
        let number = name.dropFirst(base.count + 1).dropLast(ending.count)
        guard !number.isEmpty, number.allSatisfy(\.isASCII) else { return nil }
        return pid_t(number).flatMap { $0 > 0 ? $0 : nil }
    }

    private static func isQuiet(_ path: String) -> Bool {
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return false }
        return time(nil) - status.st_mtim.tv_sec > quietSeconds
    }
}
