import Glibc

/// The maximum number of open descriptors of this process (setrlimit(2), RLIMIT_NOFILE).
package enum DescriptorLimit {
    private static let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)

    /// Raises the limit to a number, or as far as the system allows; it is never lowered.
    ///
    /// - Returns: The limit after that.
    package static func raise(to number: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return number }
        let wanted = min(rlim_t(clamping: number), limit.rlim_max)
        if wanted > limit.rlim_cur {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(resource, &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
