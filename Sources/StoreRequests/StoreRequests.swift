package import GatewayHost

/// The requests about stored data, for every transport.
package enum StoreRequests {
    /// The maximum number of clients that get statistics at a time: each uses connections to the store.
    package static let statisticsLimit = 8
    /// The maximum number of clients that get a workout at a time: each has all its samples in memory.
    package static let workoutLimit = 2

    /// The handlers of the requests.
    package static func handlers() -> [RequestHandler] {
        let workouts = RequestLimiter(workoutLimit)
        return [
            .types, .statistics(RequestLimiter(statisticsLimit)), .workouts,
            .workoutDetail(workouts), .workoutFile(workouts), .changes,
        ]
    }
}

/// The codes of errors that are not about access.
enum StoreErrorCode {
    /// There is no such workout.
    static let notFound = "notFound"
    /// The anchor is not valid for this store any more.
    static let anchor = "anchor"
    /// Too many such requests are in progress.
    static let busy = "busy"
}
