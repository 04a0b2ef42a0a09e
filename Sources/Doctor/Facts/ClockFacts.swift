import GatewayHost
package import HealthModel

/// The clock of the machine.
package struct ClockFacts: Area {
    /// Its time; nil when nobody has looked.
    package var now: Instant?
    /// Whether a service keeps it right; nil when that is not known.
    package var isSynchronized: Bool?

    /// Whether it shows a time at which this version existed.
    package var isSet: Bool { now.map { $0 >= Version.earliestTime } ?? false }

    private static let fix = Fix(command: "sudo timedatectl set-ntp true")

    var findings: [Finding] {
        guard let now else { return [] }
        guard isSet else {
            return [
                Finding(
                    .clockUnset,
                    "the clock is not set: it shows \(now.description.prefix(10)), which is before "
                        + "this version was made; readings wait for it", fix: Self.fix)
            ]
        }
        guard isSynchronized == false else { return [] }
        return [
            Finding(
                .clockUnsynchronized,
                "the clock is set, but no service keeps it right, so times of samples may be wrong",
                fix: Self.fix)
        ]
    }

    var well: [String] {
        guard isSet, isSynchronized != false else { return [] }
        return ["clock: set" + (isSynchronized == true ? " and synchronized" : "")]
    }
}
