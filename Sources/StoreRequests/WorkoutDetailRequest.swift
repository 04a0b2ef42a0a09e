import GatewayCore
import GatewayHost
import HealthModel
import JSON
import WorkoutFiles
import Workouts

extension RequestHandler {
    /// `workoutDetail`: answered with a stored workout, its figures and the curve of the heart rate.
    static func workoutDetail(_ limiter: RequestLimiter) -> RequestHandler {
        RequestHandler("workoutDetail", for: .everyone) { request, service, channel in
            let id = try request.parameters.object(keys: ["id"]).require("id").recordID()
            try service.check(channel.client, reads: .workout)
            try await limiter.run(channel) {
                let shown = try await ShownWorkout(id, service, for: channel.client)
                channel.send(shown?.line ?? ShownWorkout.notFound)
            }
            return nil
        }
    }
}

extension ShownWorkout {
    /// `{"workout":{…}}`: as `pulsegate workout show --json`, with a curve in place of the samples.
    fileprivate var line: [UInt8] {
        let workout = recorded.workout
        let curve = ThinnedCurve(
            of: recorded.samples, .heartRate, in: workout.start..<workout.end)
        return JSONLine.make { json in
            json.field("workout") { bytes in
                bytes += WorkoutJSON.object(recorded) { json in
                    json.field("recovery", recovery?.quantity.value)
                    json.object("plot") { curve.write(to: &$0, value: "rate") }
                }
            }
        }
    }
}
