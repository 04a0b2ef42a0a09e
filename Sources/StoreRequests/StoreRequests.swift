package import GatewayHost

/// The requests about stored data, for every transport.
package enum StoreRequests {
    /// The maximum number of clients that get statistics at a time: each uses connections to the store.
    package static let statisticsLimit = 8
    /// The maximum number of clients that get a workout at a time: each has all its samples in memory.
    package static let workoutLimit = 2
    /// The maximum number of further requests of these kinds that wait for their turn.
    package static let waitingLimit = 16

    /// The handlers of the requests.
    ///
    /// - Parameter uploads: Imports the files of clients; nil for a gateway that imports none.
    package static func handlers(uploads: Uploads? = nil) -> [RequestHandler] {
        let workouts = RequestLimiter(workoutLimit, waiting: waitingLimit)
        let statistics = RequestLimiter(statisticsLimit, waiting: waitingLimit)
        return [
            .types, .statistics(statistics), .summary(statistics), .workouts,
            .workoutDetail(workouts),
            .workoutFile(workouts), .changes(ChangePlaces()), .importFile(uploads),
        ]
    }
}

/// The codes of errors that are not about access.
enum StoreErrorCode {
    /// There is no such workout.
    static let notFound = "notFound"
    /// The anchor is not valid for this store any more.
    static let anchor = "anchor"
    /// The content has too many bytes.
    static let tooLong = "tooLong"
}
