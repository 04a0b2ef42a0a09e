/// People for the pages, as the live stream has them.
enum PageScenes {
    /// A person whose strap measures; zones from 96 count/min.
    static func measured(
        _ name: String = "ada", rate: Int = 158, isOnWall: Bool = true, backup: Bool = false,
        workout: String? = nil
    ) -> String {
        person(
            name, isOnWall: isOnWall, workout: workout,
            heart: """
                {"state":"measured","rate":\(rate),"zone":\(zone(of: rate)),"zones":5,\
                "percent":\(rate * 100 / 190),"device":"Polar H10","backup":\(backup),"battery":80}
                """)
    }

    /// A person without a heart rate: `waiting`, `noContact` or `lost`.
    static func missing(_ state: String, _ name: String = "ada", workout: String? = nil) -> String {
        person(
            name, isOnWall: true, workout: workout,
            heart: #"{"state":"\#(state)","device":"Polar H10"}"#)
    }

    /// A workout with all figures, and a step of a plan if there is advice.
    static func workout(_ state: String = "running", advice: String? = nil) -> String {
        let step = advice.map {
            #","step":{"number":2,"count":5,"name":"Intervals","progress":0.4,"rest":"1:20","#
                + #""advice":"\#($0)"}"#
        }
        return """
            {"id":"0198f3c2-0000-8000-8000-000000000001","person":"ada","activity":"running",\
            "activityNumber":37,"location":"outdoor","state":"\(state)",\
            "at":"2026-11-27T10:00:00Z","start":"2026-11-27T09:47:26Z",\
            "heart":{"state":"waiting"},"measures":{"elapsedSeconds":754,"activeSeconds":754,\
            "heartRate":{"average":141,"minimum":98,"maximum":172},"zoneSeconds":[0,60,200,400,94,0],\
            "energyKilocalories":412.4,"energyMethods":["heartRate"],"distanceMeters":2234,\
            "stepCount":1210},"lapNumber":3,"lap":{"elapsedSeconds":83,"activeSeconds":83},\
            "speed":3.2,"cadence":172,"power":231,"zoneBounds":[96,115,134,152,170],\
            "plot":{"secondsAgo":[8,6,4,2],"rate":[120,125,131,158]}\(step ?? ""),"gaps":0}
            """
    }

    /// The state of a gateway with devices.
    static let devices = ScriptedPages.Scene(
        status: """
            {"devices":[{"device":"A0:9E:1A:00:00:01","name":"Polar H10","person":"ada",\
            "link":"live","contact":true,"battery":0.8,"silentSeconds":2.4},\
            {"device":"A0:9E:1A:00:00:02","name":"TICKR","link":"live","contact":false},\
            {"device":"A0:9E:1A:00:00:03","name":"HRM","link":"wanted"},\
            {"device":"/dev/serial/by-id/usb-Zephyr_HxM_0001-if00-port0","name":"HxM",\
            "link":"backOff","reason":"cannot open /dev/ttyUSB0: permission denied; add yourself to \
            the group dialout: sudo usermod -aG dialout $USER"}]}
            """)

    private static func person(
        _ name: String, isOnWall: Bool, workout: String?, heart: String
    ) -> String {
        let workout = workout.map { #","workout":\#($0)"# } ?? ""
        return #"{"name":"\#(name)","wall":\#(isOnWall),"heart":\#(heart),"values":[]\#(workout)}"#
    }

    private static func zone(of rate: Int) -> Int {
        [96, 115, 134, 152, 170].filter { $0 <= rate }.count
    }
}
