import ArgumentValues
import GatewayCore
import GatewayHost
import HealthStore
import HealthTransfer
import Platform
import SQLiteStore
import Terminal

/// `pulsegate changes`: prints what was stored and deleted since an anchor.
struct ChangesCommand: Command {
    static let catchesStopSignals = true

    static let syntax = CommandSyntax(
        name: "changes",
        summary: "Print what was stored and deleted since an anchor, one JSON object per line.",
        options: [
            CommandSyntax.Option(
                name: "--since", value: "ANCHOR",
                help: "only what has changed after this anchor; default: all records"),
            CommandSyntax.Option(
                name: "--anchor-file", value: "FILE", kind: .file,
                help: "begin after the anchor in FILE, and keep the newest one there"),
            CommandSyntax.Option(
                name: "--follow",
                help: "print further changes as they are committed, up to a minute late"),
            CommandSyntax.simulate,
        ],
        details: """
            For programs that mirror the store. Records are as `export` writes them; a deleted or replaced
            record is {"kind":"deletion","id":"…"}. After each page {"kind":"anchor","anchor":"…"} has the
            anchor with which to continue, unless it is kept in a file. Late records are among the changes
            whatever their times. After an interruption at most one page is printed again.
            """)

    let call: Subcommand.Call
    let output = StandardStream.output

    func run() async throws(HostError) -> ExitStatus {
        let (anchor, file) = try anchor()
        let files = try call.files()
        let store = SQLiteHealthStore(try files.openStoreToRead(), types: files.types)
        let feed = ChangeFeed(of: store, since: anchor, keepingAnchorIn: file)
        let stop = StopSignal()
        stop.listen()
        // Otherwise the next page notices it.
        if arguments.has("--follow") { stop.stopWhenReaderCloses(output.descriptor) }
        try await write(feed, until: stop)
        return .success
    }

    private func anchor() throws(HostError) -> (StoreAnchor?, AnchorFile?) {
        let text = arguments.value(of: "--since")
        guard let path = arguments.value(of: "--anchor-file") else {
            guard let text else { return (nil, nil) }
            guard let anchor = StoreAnchor(text) else {
                throw HostError(
                    .usage, "--since: expected an anchor of `pulsegate changes`, found `\(text)`")
            }
            return (anchor, nil)
        }
        guard text == nil else {
            throw HostError(
                .usage, "--since and --anchor-file exclude each other; remove one of them")
        }
        let file = AnchorFile(path)
        return (try file.anchor(), file)
    }

    /// Writes until there is nothing more or, when following, until a stop is requested.
    private func write(_ feed: ChangeFeed, until stop: StopSignal) async throws(HostError) {
        let isFollowing = arguments.has("--follow")
        let writing = Task { [output] () throws -> Void in
            var feed = feed
            let write: ChangeFeed.Write = { bytes throws(HostError) in
                try output.writePart(bytes)
            }
            if isFollowing {
                try await feed.follow(write)
            } else {
                guard try await feed.writeChanges(write) != .interrupted else {
                    throw HostError(.failure, "interrupted before the last page")
                }
            }
        }
        let stopping = Task {
            await stop.wait()
            writing.cancel()
        }
        defer { stopping.cancel() }
        do {
            try await writing.value
        } catch let error as HostError {
            throw error
        } catch {
            throw HostError(error)
        }
    }
}
