import GatewayCore
package import GatewayHost
package import JSON
package import Platform
import Synchronization

/// The files that clients send to be imported: in the data directory, few at a time, and only until they are
/// imported.
package final class Uploads: Sendable {
    /// The maximum number of files at a time, received or waiting for their import.
    package static let limit = 4

    /// What became of a file.
    package enum Outcome: Sendable {
        /// The object that `pulsegate import --json` prints, and its notes.
        case imported([String: JSONValue], notes: [String])
        /// Why it was not imported, or not completely.
        case failed(String, FailureCause)
    }

    /// Imports a file for a person, as `pulsegate import` does.
    package typealias Importer =
        @Sendable (_ path: String, _ person: String) async throws -> Outcome

    private let files = RequestLimiter(Uploads.limit)
    private let imports = RequestLimiter(1, waiting: Uploads.limit)
    private let folder = Mutex<String?>(nil)
    let run: Importer

    /// Creates a value that imports files with a function.
    package init(run: @escaping Importer) {
        self.run = run
    }

    /// Uses a data directory, and removes what an earlier gateway has left in it.
    package func open(in directory: DataDirectory) {
        let path = directory.resolve(DataFiles.uploads)
        Folder.remove(path)
        folder.withLock { $0 = path }
    }

    /// Receives a file, calls a function with it in its turn, removes the file, and sends the answer.
    ///
    /// - Throws: ``RequestContentTooLong``, the errors of the content, of writing and of `makeAnswer`.
    func receive(
        _ content: any RequestContent, _ channel: any ResponseChannel,
        _ makeAnswer: (UploadedFile) async throws -> [UInt8]
    ) async throws {
        var answer: [UInt8]?
        guard let folder = folder.withLock({ $0 }) else {
            throw HostError(.failure, "there is no folder for files")
        }
        try await files.run(channel) {
            let file = try UploadedFile(in: folder)
            while let piece = try await content.next() { try file.write(piece) }
            guard file.size > 0 else {
                throw ConfigurationError(path: "content", problem: "the file is empty")
            }
            try await imports.run(channel) { answer = try await makeAnswer(file) }
        }
        if let answer { channel.send(answer) }
    }
}
