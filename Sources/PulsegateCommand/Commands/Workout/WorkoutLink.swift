import ControlSocket
import GatewayHost
import HealthModel
import WorkoutService
import Workouts

/// The way to a workout in a gateway: over the control socket, or in this process.
protocol WorkoutLink: Sendable {
    /// Reports what happens to the workout of a person, until it is over or the task is cancelled.
    func watch(_ person: String, _ report: @escaping @Sendable (WorkoutNews) -> Void) async

    /// Asks for an action; what is wrong with it is reported to who watches.
    func send(
        _ action: WorkoutRequest.Action, _ person: String,
        _ report: @escaping @Sendable (WorkoutNews) -> Void) async
}

/// What happens to a workout that somebody watches.
enum WorkoutNews: Sendable {
    /// Its present state.
    case live(LiveWorkout)
    /// It is over; saved under an id, or not.
    case ended(savedAs: RecordID?)
    /// An action was refused.
    case problem(String)
    /// The gateway has gone away.
    case gatewayLeft

    init(_ update: WorkoutUpdate) {
        switch update.content {
        case .live(let live): self = .live(live)
        case .ended(let id): self = .ended(savedAs: id)
        }
    }
}

/// The workouts of a gateway in this process.
struct DirectWorkoutLink: WorkoutLink {
    let service: GatewayService

    func watch(_ person: String, _ report: @escaping @Sendable (WorkoutNews) -> Void) async {
        do {
            let request = WorkoutRequest(.watch, person: person)
            let watch = try await service.workouts.watch(request) { report(WorkoutNews($0)) }
            defer { watch.cancel() }
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
        } catch {
            // It was over before anybody could watch.
            report(.gatewayLeft)
        }
    }

    func send(
        _ action: WorkoutRequest.Action, _ person: String,
        _ report: @escaping @Sendable (WorkoutNews) -> Void
    ) async {
        do {
            _ = try await service.workouts.handle(WorkoutRequest(action, person: person))
        } catch {
            report(.problem("\(error)"))
        }
    }
}

/// The workouts of a gateway behind its control socket.
struct SocketWorkoutLink: WorkoutLink {
    let stream: ControlStream

    func watch(_ person: String, _ report: @escaping @Sendable (WorkoutNews) -> Void) async {
        await stream.post(.workout(WorkoutRequest(.watch, person: person)))
        await stream.run { line in
            switch WorkoutAnswer(line) {
            case .live(let live): report(.live(live))
            case .ended(let id): report(.ended(savedAs: id))
            case .all: break
            case nil: if let problem = ControlClient.problem(in: line) { report(.problem(problem)) }
            }
        }
        report(.gatewayLeft)
    }

    func send(
        _ action: WorkoutRequest.Action, _ person: String,
        _ report: @escaping @Sendable (WorkoutNews) -> Void
    ) async {
        await stream.post(.workout(WorkoutRequest(action, person: person)))
    }
}

extension ControlRequest {
    /// A request about the workout of a person: answered with one line; a watch continues.
    static func workout(_ request: WorkoutRequest) -> ControlRequest {
        ControlRequest(RequestHandler.workout.name) { request.write(to: &$0) }
    }
}
