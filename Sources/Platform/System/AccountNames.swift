package import Glibc

/// Looks up the names and numbers of users and groups.
package enum AccountNames {
    /// The buffer size for an entry of the user or group database.
    private static let entryLimit = 16_384

    /// The name of a user, or its number.
    package static func user(_ number: uid_t) -> String { userName(number) ?? "\(number)" }

    /// The number of a user; nil if there is none with this name.
    package static func number(ofUser name: String) -> uid_t? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: entryLimit)
        guard !name.utf8.contains(0),
            getpwnam_r(name, &entry, &text, text.count, &found) == 0, found != nil
        else { return nil }
        return entry.pw_uid
    }

    /// The name of a user, if it has one.
    package static func userName(_ number: uid_t) -> String? { account(number)?.name }

    /// The name, first group and home directory of a user, if it has an account.
    static func account(_ number: uid_t) -> (name: String, group: gid_t, home: String?)? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        var text = [CChar](repeating: 0, count: entryLimit)
        guard getpwuid_r(number, &entry, &text, text.count, &found) == 0, found != nil,
            let name = entry.pw_name
        else { return nil }
        return (String(cString: name), entry.pw_gid, entry.pw_dir.map { String(cString: $0) })
    }

    /// Sets the supplementary groups of the process to those of a user; returns the first group, and nil with errno
    /// when that fails.
    private static func setGroups(of number: uid_t, otherwise group: gid_t) -> gid_t? {
        guard let account = account(number) else { return setgroups(0, nil) == 0 ? group : nil }
        return initgroups(account.name, account.group) == 0 ? account.group : nil
    }

    /// Gives the process the rights of a user with all its groups, and no others; false with errno when that
    /// fails.
    ///
    /// - Parameter group: The group of a user without an account.
    package static func become(_ number: uid_t, otherwise group: gid_t) -> Bool {
        guard let group = setGroups(of: number, otherwise: group) else { return false }
        return setgid(group) == 0 && setuid(number) == 0
    }

    /// Gives the process the effective rights of a user with all its groups, until ``asRealUser(_:)`` needs those
    /// of root again; false with errno when that fails.
    ///
    /// It must start no program meanwhile, which could become root.
    ///
    /// - Parameter group: The group of a user without an account.
    package static func act(as number: uid_t, otherwise group: gid_t) -> Bool {
        guard let group = setGroups(of: number, otherwise: group) else { return false }
        return setegid(group) == 0 && seteuid(number) == 0
    }

    /// Calls a function with the rights of the user that has started the process, if they are not effective now.
    package static func asRealUser<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let effective = geteuid()
        guard effective != getuid(), seteuid(getuid()) == 0 else { return try body() }
        defer { _ = seteuid(effective) }
        return try body()
    }

    /// The name of a group, if it has one.
    package static func group(_ number: gid_t) -> String? {
        var entry = Glibc.group()
        var found: UnsafeMutablePointer<Glibc.group>?
        var text = [CChar](repeating: 0, count: entryLimit)
        guard getgrgid_r(number, &entry, &text, text.count, &found) == 0, found != nil,
            let name = entry.gr_name
        else { return nil }
        return String(cString: name)
    }

    /// The name of a group other than root's, to suggest for membership.
    ///
    /// Only the local group file is read: opening a port must not wait for a network directory.
    package static func joinableGroup(_ number: gid_t, file: String = "/etc/group") -> String? {
        number == 0 ? nil : name(of: number, in: file)
    }

    /// The name of a user in the list of this machine.
    ///
    /// Only the local file is read, as for ``joinableGroup(_:file:)``.
    package static func localUser(_ number: uid_t, file: String = "/etc/passwd") -> String? {
        name(of: number, in: file)
    }

    /// The name with a number in a list of users or groups.
    private static func name(of number: UInt32, in file: String) -> String? {
        guard let list = fopen(file, "re") else { return nil }
        defer { fclose(list) }
        var line: UnsafeMutablePointer<CChar>?
        var size = 0
        defer { free(line) }
        while getline(&line, &size, list) > 0, let text = line {
            // Name, password, number, and more (group(5), passwd(5)).
            let fields = String(cString: text).split(
                separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
            if fields.count > 2, UInt32(fields[2]) == number { return String(fields[0]) }
        }
        return nil
    }
}
