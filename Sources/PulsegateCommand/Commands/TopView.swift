import ControlSocket
import GatewayCore
import GatewayHost
import Platform
import StatusScreens
import Terminal

/// The live screen of `pulsegate top`, with keys.
final class TopView: Sendable {
    private enum Event {
        case report(StatusReport)
        /// There is no status, for this reason.
        case failure(String)
        case key(TerminalKeys.Reading)
    }

    /// What is shown.
    private struct State {
        var report: StatusReport
        var rates: StatusRates
        var order = TopText.Order.device
        var scroll = 0
        /// Why there is no newer status; nil when there is one.
        var failure: String?

        mutating func apply(_ new: StatusReport) {
            rates = StatusRates(new, since: failure == nil ? report : nil)
            (report, failure) = (new, nil)
        }
    }

    private let screen: FullScreen
    private let keys: TerminalKeys
    private let painter: Painter
    private let characters: TerminalCharacters
    private let first: StatusReport

    /// Takes over the terminal; nil when there is none.
    init?(_ environment: Environment, first: StatusReport) {
        guard StandardStream.output.isTerminal, StandardStream(descriptor: 0).isTerminal,
            let screen = FullScreen.forOutput(environment),
            let keys = TerminalKeys(clock: SystemClock())
        else { return nil }
        self.screen = screen
        self.keys = keys
        self.first = first
        painter = Painter(.output, environment: environment)
        characters = TerminalCharacters(environment)
    }

    /// Restores the terminal.
    func leave() {
        screen.leave()
        keys.restore()
    }

    /// Shows the status until the user leaves.
    func run(every seconds: Double, from source: StatusSource) async {
        defer { leave() }
        let (events, input) = AsyncStream.makeStream(of: Event.self)
        await withTaskGroup(of: Void.self) { group in
            defer { group.cancelAll() }
            group.addTask { await Self.poll(source, every: seconds) { input.yield($0) } }
            group.addTask { await self.keys.readAll { input.yield(.key($0)) } }
            var state = State(report: first, rates: StatusRates(first, since: nil))
            show(state)
            for await event in events {
                switch event {
                case .report(let report): state.apply(report)
                case .failure(let reason): state.failure = reason
                case .key(.end), .key(.key("q")): return
                case .key(.key(let key)): press(key, &state)
                case .key(.nothing): continue
                }
                show(state)
            }
        }
    }

    /// Asks for the status again and again, and waits for the next gateway when one has ended.
    private static func poll(
        _ source: StatusSource, every seconds: Double, _ report: (Event) -> Void
    ) async {
        while (try? await source.clock.sleep(seconds: seconds)) != nil {
            do throws(HostError) {
                var client = try source.connect()
                while true {
                    report(.report(try source.report(by: &client)))
                    guard (try? await source.clock.sleep(seconds: seconds)) != nil else { return }
                }
            } catch {
                let isAway = error.status == .unreachable
                report(.failure(isAway ? "the gateway does not answer" : error.text))
            }
        }
    }

    private func press(_ key: Character, _ state: inout State) {
        switch key {
        case "s": state.order = state.order.next
        case "j": state.scroll = min(state.scroll + 1, scrollLimit(state))
        case "k": state.scroll = max(state.scroll - 1, 0)
        default: break
        }
    }

    private func scrollLimit(_ state: State) -> Int {
        let size = StandardStream.output.size
        return picture(state).scrollLimit(columns: size.columns, rows: size.rows)
    }

    private func picture(_ state: State) -> TopText {
        TopText(
            state.report, rates: state.rates, order: state.order,
            notice: state.failure.map { "last status: \($0)" },
            painter: painter, characters: characters)
    }

    private func show(_ state: State) {
        screen.show { [picture = picture(state), scroll = state.scroll] columns, rows in
            picture.lines(columns: columns, rows: rows, scroll: scroll)
        }
    }
}
