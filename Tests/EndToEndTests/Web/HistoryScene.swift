/// Stored days, weeks and workouts of Ada for the page of the history.
enum HistoryScene {
    static let id = "0198f3c2-0000-8000-8000-000000000001"

    static let scene = ScriptedPages.Scene(stored: [
        ("/v1/people", #"{"people":[{"name":"ada"},{"name":"bob"}],"default":"ada"}"#),
        ("/v1/statistics?person=ada&type=stepCount&bucket=day", rows("sum", [nil, 5_250, 10_500])),
        (
            "/v1/statistics?person=ada&type=distanceWalkingRunning&bucket=day",
            rows("sum", [nil, 4_000, 8_000])
        ),
        (
            "/v1/statistics?person=ada&type=heartRateVariabilitySDNN&bucket=week",
            rows("average", [40, 44, 45, 48])
        ),
        ("/v1/statistics", #"{"rows":[]}"#),
        (
            "/v1/workouts/\(id)/file",
            #"{"records":[]}"#
        ),
        ("/v1/workouts/\(id)", detail), ("/v1/workouts", #"{"records":[\#(workout)]}"#),
    ])

    /// Rows of days, of which the last one has the last value; nil is a day without records.
    private static func rows(_ key: String, _ values: [Int?]) -> String {
        let rows = values.enumerated().map { index, value in
            #"{"start":"2026-11-2\#(index)T00:00:00.000Z","end":"2026-11-2\#(index + 1)T00:00:00.000Z","#
                + (value.map { #""count":1,"\#(key)":\#($0)}"# } ?? #""count":0}"#)
        }
        return #"{"rows":[\#(rows.joined(separator: ","))]}"#
    }

    private static let workout = """
        {"kind":"workout","id":"\(id)","activity":"running","start":"2026-11-22T18:00:00.000Z",\
        "end":"2026-11-22T18:30:00.000Z","seconds":1800,"totals":[\
        {"type":"distanceWalkingRunning","sum":5200,"unit":"m"},\
        {"type":"heartRate","average":130,"minimum":120,"maximum":140,"unit":"count/min"}],\
        "person":"ada"}
        """

    private static let detail = """
        {"workout":{"id":"\(id)","activity":"running","start":"2026-11-22T18:00:00.000Z",\
        "end":"2026-11-22T18:30:00.000Z","seconds":1800,"measures":{"elapsedSeconds":1800,\
        "activeSeconds":1800,"heartRate":{"average":130,"minimum":120,"maximum":140},\
        "zoneSeconds":[0,60,900,600,240,0],"distanceMeters":5200,"energyMethods":[]},"laps":[],\
        "zones":[96,115,134,152,170],"plot":{"seconds":[0,3,6,900,903],\
        "rate":[120,125,131,138,140]}}}
        """

    /// The same with values of all columns.
    static let full: ScriptedPages.Scene = {
        var scene = Self.scene
        let days = (1...14).map { day in
            let date = "2026-11-\(day < 10 ? "0" : "")\(day)T00:00:00.000Z"
            return #"{"start":"\#(date)","end":"\#(date)","count":9,"sum":\#(12_345 - day * 500),"#
                + #""average":\#(48 + day % 5)}"#
        }
        let rows = #"{"rows":[\#(days.joined(separator: ","))]}"#
        scene.stored.removeAll { $0.start.hasPrefix("/v1/statistics") }
        scene.stored.append(("/v1/statistics", rows))
        return scene
    }()
}
