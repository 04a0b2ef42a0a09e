import Foundation
import HealthModel
import HealthStatistics
import HealthStore
import SQLiteStore

guard let path = CommandLine.arguments.dropFirst().first else {
    print("usage: lastmonth STORE")
    exit(64)
}
let calendar = LocalCalendar { instant in
    let seconds = Double(instant.nanosecondsSince1970) / 1e9
    return TimeZone.current.secondsFromGMT(for: Date(timeIntervalSince1970: seconds))
}
let now = Instant(nanosecondsSince1970: Int64(Date().timeIntervalSince1970 * 1e9))

do {
    let store = try SQLiteHealthStore(reading: path)
    for (type, unit) in [
        (QuantityType.stepCount, HealthModel.Unit.count), (.distanceWalkingRunning, .kilometer),
        (.flightsClimbed, .count),
    ] {
        let days = try await store.dailyStatistics(of: type, last: 30, until: now, in: calendar)
        guard let month = DailyAverage(of: days), let average = month.average else {
            print("\(type.name): no samples")
            continue
        }
        let (total, daily) = (try month.total.value(in: unit), try average.value(in: unit))
        print("\(type.name): \(total) \(unit.string), \(daily) on each of \(month.dayCount) days")
    }
} catch let error as HealthStoreError {
    print("lastmonth: \(error)")
    exit(1)
}
