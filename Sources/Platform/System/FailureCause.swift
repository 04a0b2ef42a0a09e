import Glibc

/// Why something failed, as far as a caller does different things about it.
package enum FailureCause: String, Sendable {
    /// What was given is wrong, such as a file that cannot be read: it fails again.
    case input
    /// It does not fit what is stored now, such as a person who was deleted.
    case conflict
    /// Something else is using what is needed, or there are too few resources: it can succeed later.
    case busy
    /// There is no space left.
    case storageFull
    /// This program or this machine cannot do it, whatever is given.
    case failure

    /// The cause of a system call that failed on something of this program.
    package init(errno code: Int32) {
        self =
            switch code {
            case ENOSPC, EDQUOT, EFBIG: .storageFull
            case EAGAIN, EBUSY, EMFILE, ENFILE, ENOMEM: .busy
            default: .failure
            }
    }
}

/// An error that knows its cause.
package protocol CausedError: Error {
    /// The cause; nil when it is not known.
    var failureCause: FailureCause? { get }
}
