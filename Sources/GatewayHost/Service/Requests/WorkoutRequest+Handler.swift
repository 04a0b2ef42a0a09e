import GatewayCore
import HealthModel
import JSON
import WorkoutService

extension RequestHandler {
    private static let workoutName = "workout"

    /// `workout`: answered with the workout, or with all of them; a watch continues.
    package static let workout = RequestHandler(workoutName, for: .everyone) {
        sent, service, channel in
        let object = try sent.node.object(keys: ["request"] + WorkoutRequest.keys)
        let client = channel.client
        try service.check(client, .read, AccessTypes.liveWorkout)
        if ![.status, .watch].contains(try WorkoutRequest.action(of: object)) {
            try service.check(client, .share, [RecordType.workout.name])
        }
        let request = try WorkoutRequest(
            object, people: await service.peopleNames(),
            withWorkouts: await service.workouts.people(), namesPeople: client.isOwner)
        switch request.action {
        case .status:
            let status = await service.workouts.status(of: request.person)
            // A gateway that stops before the restore does not know of all workouts.
            try Task.checkCancellation()
            channel.send(WorkoutUpdate.line(of: status))
            return nil
        case .watch:
            channel.endStream(workoutName)
            return try await service.workouts.watch(request) { update in
                if service.mayWatchWorkouts(client) { channel.send(update.line) }
            }
        default:
            channel.send(WorkoutUpdate.live(try await service.workouts.handle(request)).line)
            return nil
        }
    }
}

extension WorkoutWatch: ResponseStream {}
