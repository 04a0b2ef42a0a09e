import GatewayCore
import GatewayTesting
import Readings

extension RecordingInlet {
    /// Waits for `count` further reports.
    func next(_ count: Int) async -> [DeviceReport] {
        var result: [DeviceReport] = []
        for await report in reports {
            result.append(report)
            if result.count == count { break }
        }
        return result
    }
}

extension DeviceReport {
    /// The readings that it reports; none when it reports something else.
    var readings: [TimedReading] {
        if case .readings(let readings) = content { readings } else { [] }
    }
}

extension Reading {
    /// Whether it is a value that holds at one time.
    var isInstant: Bool {
        if case .instant = self { true } else { false }
    }
}
