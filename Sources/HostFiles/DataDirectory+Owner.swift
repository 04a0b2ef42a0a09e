import Glibc
import Platform

/// The user of a data directory, beside the user of the command.
extension DataDirectory {
    /// The data directory of the system service.
    package static let ofService = "/var/lib/pulsegate"

    /// Whether a service starts and stops its gateway: the data is that of the system service, or root looks at
    /// that of another user.
    package var isOfService: Bool { path == Self.ofService || geteuid() == 0 && owner != nil }

    /// Continues as the user of the directory when root has run the command, so that the gateway of that user can
    /// read what is written.
    package func becomeOwner() throws(HostError) {
        guard let user = foreignUser else { return }
        guard AccountNames.become(user.number, otherwise: user.group) else {
            throw .system("become the user of", path, errno: errno, remedy: owner?.remedy)
        }
    }

    /// Continues as the user of the directory as ``becomeOwner()`` does, for a command that reads files that root has
    /// named: each must be readable for that user, too.
    package func becomeOwner(reading paths: [String]) throws(HostError) {
        guard geteuid() == 0, let owner else { return }
        try becomeOwner()
        for path in paths where access(path, R_OK) != 0 && errno == EACCES {
            let (word, user) = (ShellWord.quoted(path), ShellWord.quoted(owner.name))
            throw HostError(
                .failure,
                "cannot read \(LogFormat.escaped(path)) as \(owner.name), the user of \(self.path): "
                    + "\(SystemCall.message(of: EACCES)); import a copy that belongs to that user: "
                    + "`sudo install -o \(user) -m 600 \(word) /var/tmp/`")
        }
    }

    /// Reads as the user of the directory when root has run the command: what this user cannot read does not get into
    /// a file that may be this user's.
    package func actAsOwner() throws(HostError) {
        guard let user = foreignUser else { return }
        guard AccountNames.act(as: user.number, otherwise: user.group) else {
            throw .system("become the user of", path, errno: errno, remedy: owner?.remedy)
        }
    }

    /// Refuses a file that is not of the user of the directory, for root: a link of that user leads to it.
    package func checkBelongs(_ file: String) throws(HostError) {
        guard let user = foreignUser else { return }
        var status = stat()
        guard lstat(file, &status) == 0 else { return }
        guard status.st_uid == user.number, status.st_mode & S_IFMT == S_IFREG else {
            throw HostError(
                .failure,
                "\(file) is not a file of \(owner?.name ?? "the user") of \(path), and root does not read it "
                    + "there; remove it, or change its owner")
        }
    }

    /// Whether root runs the command, and the directory is another user's.
    package var isForeignToRoot: Bool { foreignUser != nil }

    /// The user of the directory when that is not root, who runs the command.
    private var foreignUser: (number: uid_t, group: gid_t)? {
        var status = stat()
        guard geteuid() == 0, stat(path, &status) == 0, status.st_uid != 0 else { return nil }
        return (status.st_uid, status.st_gid)
    }

    /// The user of the directory, and how to run a command as this user; nil for a directory of root, or that is
    /// not known.
    var owner: (name: String, remedy: String)? {
        var status = stat()
        guard stat(path, &status) == 0, status.st_uid != 0 else { return nil }
        let name = AccountNames.userName(status.st_uid)
        let word = ShellWord.quoted(name ?? "#\(status.st_uid)")
        return (
            name ?? "user \(status.st_uid)",
            "run this command as that user: `sudo -u \(word) pulsegate …`"
        )
    }

    /// The error of a command that needs the files of another user.
    package var othersFiles: HostError {
        HostError(
            .failure,
            "\(path) belongs to \(owner?.name ?? "another user"); run this command as root: "
                + "`sudo pulsegate …`, or use commands that ask the running gateway for what is granted "
                + "to you, such as `pulsegate query` and `pulsegate add`")
    }

    /// Whether it belongs to another user, and this one can neither read nor write it.
    ///
    /// Then only the gateway of that user has the data. A directory that does not exist is of nobody.
    package var isOfAnotherUser: Bool {
        var status = stat()
        guard stat(path, &status) == 0 else { return errno == EACCES }
        return status.st_uid != geteuid() && access(path, R_OK | W_OK | X_OK) != 0
            && errno == EACCES
    }
}
