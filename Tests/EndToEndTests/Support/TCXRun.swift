import Foundation

/// A TCX file of the first seconds of a run: 100 kcal and 2 km in ten minutes.
struct TCXRun {
    let seconds: Int
    /// The seconds between two points.
    var step = 5
    /// The day of November 2026.
    var day = 20

    var text: String {
        let points = stride(from: 0, through: seconds, by: step).map { second in
            "<Trackpoint><Time>\(time(second))</Time><DistanceMeters>\(second * 10 / 3)"
                + "</DistanceMeters><HeartRateBpm><Value>140</Value></HeartRateBpm></Trackpoint>"
        }
        return """
            <?xml version="1.0"?>
            <TrainingCenterDatabase><Activities><Activity Sport="Running"><Id>\(time(0))</Id>
            <Lap StartTime="\(time(0))"><TotalTimeSeconds>\(seconds)</TotalTimeSeconds>
            <DistanceMeters>\(seconds * 10 / 3)</DistanceMeters>
            <Calories>\(seconds / 6)</Calories><Track>\(points.joined())</Track></Lap>
            </Activity></Activities></TrainingCenterDatabase>
            """
    }

    private func time(_ second: Int) -> String {
        String(format: "2026-11-%02dT08:%02d:%02dZ", day, second / 60, second % 60)
    }
}
