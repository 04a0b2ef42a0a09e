import ControlSocket
import GatewayHost
import HealthModel
import WorkoutService
import Workouts

/// A connection to a workout in a gateway: over the control socket, or in this process.
protocol WorkoutLink: Sendable {
    /// Reports the updates of a person's workout until it ends or the task is cancelled.
    func watch(_ person: String, _ report: @escaping @Sendable (WorkoutLinkUpdate) -> Void) async

    /// Requests an action; reports why it was rejected, if it was.
    func send(
        _ action: WorkoutRequest.Action, _ person: String,
        _ report: @escaping @Sendable (WorkoutLinkUpdate) -> Void) async
}

/// An update of a workout, as the live view receives it.
enum WorkoutLinkUpdate: Sendable {
    /// The current state.
    case live(LiveWorkout)
    /// The workout has ended; saved under an id, or discarded.
    case ended(savedAs: RecordID?)
    /// An action was rejected.
    case problem(String)
    /// The gateway has stopped.
    case gatewayStopped

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

    func watch(_ person: String, _ report: @escaping @Sendable (WorkoutLinkUpdate) -> Void) async {
        do {
            let request = WorkoutRequest(.watch, person: person)
            let watch = try await service.workouts.watch(request) { report(WorkoutLinkUpdate($0)) }
            defer { watch.cancel() }
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
        } catch {
            // The workout ended before the watch started.
            report(.gatewayStopped)
        }
    }

    func send(
        _ action: WorkoutRequest.Action, _ person: String,
        _ report: @escaping @Sendable (WorkoutLinkUpdate) -> Void
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

    func watch(_ person: String, _ report: @escaping @Sendable (WorkoutLinkUpdate) -> Void) async {
        await stream.post(.workout(WorkoutRequest(.watch, person: person)))
        await stream.run { line in
            switch WorkoutAnswer(line) {
            case .live(let live): report(.live(live))
            case .ended(let id): report(.ended(savedAs: id))
            case .all: break
            case nil: if let problem = ControlClient.problem(in: line) { report(.problem(problem)) }
            }
        }
        report(.gatewayStopped)
    }

    func send(
        _ action: WorkoutRequest.Action, _ person: String,
        _ report: @escaping @Sendable (WorkoutLinkUpdate) -> Void
    ) async {
        await stream.post(.workout(WorkoutRequest(action, person: person)))
    }
}

extension ControlRequest {
    /// A request about a person's workout: answered with one line, or continuously for a watch.
    static func workout(_ request: WorkoutRequest) -> ControlRequest {
        ControlRequest(RequestHandler.workout.name) { request.write(to: &$0) }
    }
}
