import GatewayCore
import GatewayHost
import HealthModel
import Terminal
import WorkoutScreens

/// Tells what was entered.
struct EntryReport {
    /// What was done: added, changed.
    let verb: String
    let people: People
    let now: Instant

    /// Prints a sample; an error of the output says that it is stored.
    func write(_ sample: QuantitySample, time: String) throws(HostError) {
        do throws(HostError) {
            try StandardStream.output.writeResult(text(of: sample, time: time))
        } catch {
            throw HostError(error.status, "the value was \(verb), but \(error.text)")
        }
        if sample.end > now.adding(nanoseconds: 1_000_000_000) {
            CommandNote.write("the time is in the future")
        }
    }

    private func text(of sample: QuantitySample, time: String) -> String {
        let format = QuantityFormat(unit: sample.quantity.unit, people: people)
        let parts = format.parts(of: sample.quantity, sample.type, of: sample.person)
        let owner = people.names.count > 1 ? ", \(sample.person ?? "")" : ""
        return "\(verb) \(sample.type.name) \(parts.value) \(parts.unit), \(time)\(owner)\n"
    }
}
