package import Glibc
package import HealthModel

extension Instant {
    /// The time of a file.
    package init(of time: timespec) {
        self.init(
            nanosecondsSince1970: Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec))
    }
}
