import Glibc
import HealthModel
import Platform

/// The time zone of the system, by name.
enum SystemTimeZone {
    private static let link = "/etc/localtime"
    private static let database = "zoneinfo/"
    private static let folder = "/usr/share/zoneinfo"

    /// Returns the IANA name of the zone in `$TZ`, or of the system's zone; nil if there is none.
    ///
    /// The system's zone is the target of the link `/etc/localtime` (localtime(5)).
    static func name(_ environment: Environment) -> String? {
        if let variable = environment["TZ"] {
            // The system treats an unknown zone as UTC (tzset(3)).
            return isName(variable) && access("\(folder)/\(variable)", F_OK) == 0 ? variable : nil
        }
        guard let target = SystemCall.target(ofLink: link),
            let range = target.ranges(of: database).last
        else { return nil }
        let name = String(target[range.upperBound...])
        return isName(name) ? name : nil
    }

    /// Whether a text looks like `Europe/Berlin` or `UTC`, not like a rule such as `CET-1CEST`.
    private static func isName(_ text: String) -> Bool {
        (text.contains("/") || text == "UTC") && TimeZoneName.isValid(text)
    }
}
