import Glibc

extension DataDirectory {
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
