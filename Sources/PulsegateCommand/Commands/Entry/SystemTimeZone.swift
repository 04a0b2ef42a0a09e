import Glibc
import HealthModel
import Platform

/// The time zone of the machine, by name.
enum SystemTimeZone {
    private static let link = "/etc/localtime"
    private static let database = "zoneinfo/"
    private static let folder = "/usr/share/zoneinfo"

    /// The IANA name of the zone that `$TZ` names, or else of the machine's; nil when neither has one.
    ///
    /// The machine's is where `/etc/localtime` leads (localtime(5)).
    static func name(_ environment: Environment) -> String? {
        if let variable = environment["TZ"] {
            // What the machine does not know it takes for UTC (tzset(3)).
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
