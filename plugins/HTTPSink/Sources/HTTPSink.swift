package import GatewayCore
import HTTPClient
import HealthModel
import Platform
import Readings

/// A sink that posts batches of records to an HTTP server.
///
/// The status of a response decides what happens next, see ``ResponseAction``. Rejected records are
/// found by halving the batch and are written to the reject file together with the response; the rest
/// is delivered. An interrupted batch is resumed where it stopped, see ``BatchDelivery``.
///
/// No response text gets into a message or the log: a server may repeat what it was sent.
package actor HTTPSink: LineSink, SelfChecking {
    /// The number of consecutive rejected records that indicates a wrong setting.
    static let rejectionLimit = 50

    let settings: HTTPSinkSettings
    private let client: HTTPClient
    private let clock: any GatewayClock
    private let log: Logger
    private let rejects: RejectFile
    private let executor = QueueExecutor(label: "http sink")

    private var delivery: BatchDelivery?
    private var isWriting = false
    private var headers: Credentials.Headers?
    /// The records rejected since the server last accepted one.
    private var consecutiveRejections = 0
    /// Whether the server has accepted any record.
    private var hasStored = false
    let types: QuantityTypes
    private var decoder: RecordDecoder
    private var hasWarned = false
    private var hasLoggedUnsupported = false
    private var hasLoggedInvalidLines = false
    private var hasLoggedReplacement = false

    init(settings: HTTPSinkSettings, context: ComponentContext) {
        self.settings = settings
        client = HTTPClient(settings.options)
        clock = context.clock
        log = context.log
        types = context.types
        decoder = RecordDecoder(types: context.types, allowingUndeclared: true)
        rejects = RejectFile(
            path: context.resolve("\(context.name).rejected.ndjson"),
            isSynced: context.durability == .powerLoss)
    }

    package nonisolated var readsRecords: Bool { settings.format.readsRecords }

    package nonisolated var acceptsDeletions: Bool { settings.format.hasDeletions }

    /// The queue for file operations, which may block, and for writing request bodies.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Checks that the secrets and certificates are readable, and that the socket exists.
    package nonisolated func check() throws(ConfigurationError) {
        _ = try settings.credentials.read()
        do throws(HTTPError) {
            try settings.options.check(for: settings.url.scheme)
        } catch {
            throw ConfigurationError(path: settings.path, problem: error.detail)
        }
        do throws(HTTPError) {
            try settings.options.checkSocket()
        } catch {
            throw ConfigurationError(path: "\(settings.path).socket", problem: error.detail)
        }
    }

    /// Sends the batch, split into as many requests as required.
    ///
    /// Only one call at a time: after a failed reload the former runner may still be writing.
    package func write(_ batch: RecordLines) async throws {
        guard !isWriting else {
            throw SinkError.retry(reason: "an earlier batch is still being sent", after: nil)
        }
        isWriting = true
        defer { isWriting = false }
        if delivery?.resume(with: batch) != true { delivery = BatchDelivery(batch) }
        warnIfUnencrypted()
        var mayReloadCredentials = true
        while let piece = delivery?.next(ofFirst: batch.count) {
            try await deliver(piece, of: batch, mayReloadCredentials: &mayReloadCredentials)
        }
        try finish(batch)
    }

    private func deliver(
        _ piece: Range<Int>, of batch: RecordLines, mayReloadCredentials: inout Bool
    ) async throws {
        let lines = piece.count == batch.count ? batch : batch[piece]
        let body = settings.format.body(of: lines, types: types)
        logUnsupported(body.unsupported.count)
        guard body.count > 0 else {
            delivery?.settle(invalid: body.invalid)
            return
        }
        let headers = try readHeaders()
        let response = try await send(body, headers)
        switch ResponseAction(status: response.status) {
        case .stored:
            consecutiveRejections = 0
            hasStored = true
            delivery?.settle(invalid: body.invalid)
        case .rejected:
            try reject(response, hiding: headers.secrets)
        case .later(let reason):
            throw SinkError.retry(
                reason: message(response, reason),
                after: RetryAfter.seconds(
                    response["Retry-After"], date: response["Date"], now: now))
        case .unauthorized(let reason):
            self.headers = nil
            // The secret may have been replaced since it was read.
            if mayReloadCredentials, try readHeaders() != headers {
                mayReloadCredentials = false
                return
            }
            self.headers = nil
            throw SinkError.blocked(reason: message(response, "\(reason); \(credentialsRemedy)"))
        case .blocked(let reason):
            throw SinkError.blocked(
                reason: message(response, reason + redirectTarget(of: response)))
        }
    }

    func send(
        _ body: RequestBody, _ headers: Credentials.Headers
    ) async throws -> HTTPResponse {
        do {
            let own = [
                try HTTPHeader("Content-Type", settings.format.contentType),
                try HTTPHeader("Idempotency-Key", IdempotencyKey.text(of: body.bytes)),
            ]
            return try await client.send(
                HTTPRequest(
                    settings.url, headers: own + headers.headers, body: body.bytes,
                    limits: settings.limits))
        } catch let error as HTTPError {
            throw Self.sinkError(error)
        }
    }

    /// Maps configuration and TLS errors to `blocked`, and transient errors to `retry`.
    static func sinkError(_ error: HTTPError) -> SinkError {
        switch error.kind {
        case .badURL, .badRequest, .configuration, .notTrusted, .tlsFailed:
            .blocked(reason: "\(error)")
        case .cannotResolve, .cannotConnect, .timedOut, .connectionLost, .badResponse,
            .responseTooLarge, .failed:
            .retry(reason: "\(error)", after: nil)
        }
    }

    func readHeaders() throws -> Credentials.Headers {
        if let headers { return headers }
        do throws(ConfigurationError) {
            let read = try settings.credentials.read()
            headers = read
            return read
        } catch {
            throw SinkError.blocked(reason: "\(error)")
        }
    }
}

// MARK: Rejected records

extension HTTPSink {
    /// Splits the rejected piece, or records the rejection of a single record.
    private func reject(_ response: HTTPResponse, hiding secrets: [String]) throws {
        let text = ResponseText.text(response.body, hiding: secrets)
        guard delivery?.reject(status: response.status, response: text) == true else { return }
        consecutiveRejections += 1
        guard consecutiveRejections >= Self.rejectionLimit else { return }
        switch settings.whenAllRejected {
        case .reject where consecutiveRejections == Self.rejectionLimit:
            log.error(
                "all records rejected; writing them to the reject file",
                [
                    "url": "\(settings.url)", "status": "\(response.status)",
                    "file": rejects.path,
                ])
        case .reject: break
        case .block:
            delivery?.requeue(last: consecutiveRejections)
            let detail = "\(Self.rejectionLimit) consecutive records rejected; "
            throw SinkError.blocked(
                reason: message(response, detail + Self.rejectionRemedy + Self.rejectAllRemedy))
        }
    }

    /// Blocks the sink while the server has accepted no record since the start.
    ///
    /// Then a wrong setting is likely: nothing is written to the reject file, and all records are retried
    /// together with newer ones.
    private func blockUntilFirstSuccess() throws {
        guard !hasStored, settings.whenAllRejected == .block else { return }
        consecutiveRejections = 0
        delivery?.requeue(last: .max)
        throw SinkError.blocked(
            reason:
                "\(settings.url): first records rejected, and none accepted since the start; "
                + Self.rejectionRemedy + Self.rejectAllRemedy)
    }

    /// Completes the batch: writes the rejected records to the reject file, then reports them.
    private func finish(_ batch: RecordLines) throws {
        let rejections = delivery?.rejections.filter { $0.index < batch.count } ?? []
        guard !rejections.isEmpty else {
            delivery = delivery?.withoutFirst(batch.count)
            return
        }
        if rejections.contains(where: { $0.status != nil }) { try blockUntilFirstSuccess() }
        var bytes: [UInt8] = []
        var ids: Set<RecordID> = []
        for rejection in rejections {
            let line = batch[rejection.index]
            let id = try? decoder.decode(line).id
            if let id { ids.insert(id) }
            RejectedLine.append(rejection, line, isRecord: id != nil, at: now, to: &bytes)
        }
        try writeRejections(bytes)
        delivery = delivery?.withoutFirst(batch.count)
        let statuses = Set(rejections.compactMap(\.status)).sorted().map(String.init)
        let what = statuses.isEmpty ? "" : " with status \(statuses.joined(separator: ", "))"
        let reason = "\(settings.url): rejected\(what); written to \(rejects.path)"
        if ids.count < rejections.count, !hasLoggedInvalidLines {
            hasLoggedInvalidLines = true
            log.error("invalid records written to the reject file", ["file": rejects.path])
        }
        throw SinkError.rejected(ids, reason: reason)
    }

    private func writeRejections(_ bytes: [UInt8]) throws {
        do throws(RejectFile.Failure) {
            guard try rejects.append(bytes), !hasLoggedReplacement else { return }
            hasLoggedReplacement = true
            log.warning(
                "reject file rotated; the previous file was replaced",
                ["file": rejects.olderPath])
        } catch {
            let reason = "cannot write rejected records: \(error)"
            throw error.isStorageFull
                ? SinkError.storageFull(reason: reason) : .retry(reason: reason, after: nil)
        }
    }
}

// MARK: Messages

extension HTTPSink {
    private var now: Instant { clock.epoch().instant(at: clock.now()) }

    func message(_ response: HTTPResponse, _ detail: String) -> String {
        "\(settings.url): status \(response.status): \(detail)"
    }

    private static let rejectionRemedy =
        "check `url`, `format` and `types`"
    private static let rejectAllRemedy =
        ", or set `whenAllRejected: \"reject\"`"

    var credentialsRemedy: String {
        guard let places = settings.credentials.places else {
            return "set `token`, or `user` and `password`"
        }
        return "correct the secret in \(places)"
    }

    /// The origin that a redirect leads to; its path may hold a secret and is left out.
    func redirectTarget(of response: HTTPResponse) -> String {
        guard let location = response["Location"], (300..<400).contains(response.status) else {
            return ""
        }
        guard let target = try? HTTPURL(location) else {
            let isPath = location.hasPrefix("/") && !location.hasPrefix("//")
            return isPath ? " (redirects to another path)" : " (redirects to another location)"
        }
        return " (redirects to \(target))"
    }

    private func warnIfUnencrypted() {
        guard !hasWarned else { return }
        hasWarned = true
        guard settings.isUnencrypted else { return }
        log.warning(
            "connection is not encrypted; use https://",
            ["url": "\(settings.url)"])
    }

    private func logUnsupported(_ count: Int) {
        guard count > 0, !hasLoggedUnsupported else { return }
        hasLoggedUnsupported = true
        log.info(
            "records that the format does not support are not sent",
            ["format": settings.format.rawValue])
    }
}
