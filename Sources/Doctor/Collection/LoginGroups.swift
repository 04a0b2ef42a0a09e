import Glibc
import Platform

/// The groups of the login in which the doctor runs.
struct LoginGroups: Sendable {
    let system: DoctorSystem

    /// The names of the groups; none beside a process of another user, which has groups of its own.
    func names(besideProcess process: Int) -> Set<String> {
        var status = stat()
        guard stat(system.path("/proc/\(process)"), &status) == 0, status.st_uid == geteuid()
        else { return [] }
        var groups = [gid_t](repeating: 0, count: max(0, Int(getgroups(0, nil))))
        let count = getgroups(Int32(groups.count), &groups)
        return Set(groups.prefix(max(0, Int(count))).compactMap(AccountNames.group))
    }

    /// How the services of the user get the groups: with lingering, or while another session is open, their manager
    /// keeps those that it was started with.
    var restartOfManager: Fix {
        Fix(
            command: "sudo systemctl restart user@\(geteuid()).service",
            note: "restarts all services of this user")
    }
}
