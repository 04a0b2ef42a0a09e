package import GatewayCore
import HTTPClient
import HealthModel
import Platform

/// Sends every record to a repository: a server that takes batches by HTTP.
///
/// The answers decide what happens next, see ``Verdict``. What the server refuses is found by halving
/// the batch, and goes to the reject file together with the answer; the rest goes on. A batch that was
/// interrupted goes on where it was, see ``BatchDelivery``.
///
/// No answer's text gets into a message or the log: a server may repeat what it was sent.
package actor HTTPSink: LineSink, SelfChecking {
    /// So many records that are refused one after the other, with none taken, look like a wrong setting.
    static let refusalLimit = 50

    private let settings: HTTPSinkSettings
    private let client: HTTPClient
    private let clock: any GatewayClock
    private let log: Logger
    private let rejects: RejectFile
    private let executor = QueueExecutor(label: "http sink")

    private var delivery: BatchDelivery?
    private var isWriting = false
    private var headers: Credentials.Headers?
    /// Records refused since the server took the last one.
    private var refusalsInARow = 0
    /// Whether the server has ever taken something.
    private var hasStored = false
    private let types: QuantityTypes
    private var decoder: RecordDecoder
    private var hasSent = false
    private var hasLeftOut = false
    private var hasPutAside = false
    private var hasReplaced = false

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

    /// The queue on which files may block, and bodies are written.
    package nonisolated var unownedExecutor: UnownedSerialExecutor {
        executor.asUnownedSerialExecutor()
    }

    /// Whether the secrets and certificates can be read, and the socket is one.
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

    /// Sends the batch, in as many pieces as it takes.
    ///
    /// One at a time: after a reload that failed the former runner may still be at work.
    package func write(_ batch: RecordLines) async throws {
        guard !isWriting else {
            throw SinkError.retry(reason: "an earlier batch is still on its way", after: nil)
        }
        isWriting = true
        defer { isWriting = false }
        if delivery?.goesOn(with: batch) != true { delivery = BatchDelivery(batch) }
        warnOnce()
        var mayReadAgain = true
        while let piece = delivery?.next(ofFirst: batch.count) {
            try await deliver(piece, of: batch, mayReadAgain: &mayReadAgain)
        }
        try finish(batch)
    }

    private func deliver(
        _ piece: Range<Int>, of batch: RecordLines, mayReadAgain: inout Bool
    ) async throws {
        let lines = piece.count == batch.count ? batch : batch[piece]
        let body = settings.format.body(of: lines, types: types)
        sayLeftOut(body.leftOut.count)
        guard body.count > 0 else {
            delivery?.settle(unreadable: body.unreadable)
            return
        }
        let headers = try readHeaders()
        let response = try await send(body, headers)
        switch Verdict(status: response.status) {
        case .stored:
            refusalsInARow = 0
            hasStored = true
            delivery?.settle(unreadable: body.unreadable)
        case .rejected:
            try refuse(response, hiding: headers.secrets)
        case .later(let reason):
            throw SinkError.retry(
                reason: message(response, reason),
                after: RetryAfter.seconds(
                    response["Retry-After"], date: response["Date"], now: now))
        case .unauthorized(let reason):
            self.headers = nil
            // Somebody may have put another token there since this one was read.
            if mayReadAgain, try readHeaders() != headers {
                mayReadAgain = false
                return
            }
            self.headers = nil
            throw SinkError.blocked(reason: message(response, "\(reason); \(loginAdvice)"))
        case .blocked(let reason):
            throw SinkError.blocked(reason: message(response, reason + place(of: response)))
        }
    }

    private func send(
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

    /// What is wrong on this side, or between the two, somebody must mend; the rest may pass.
    static func sinkError(_ error: HTTPError) -> SinkError {
        switch error.kind {
        case .badURL, .badRequest, .configuration, .notTrusted, .tlsFailed:
            .blocked(reason: "\(error)")
        case .cannotResolve, .cannotConnect, .timedOut, .connectionLost, .badAnswer,
            .answerTooLarge, .failed:
            .retry(reason: "\(error)", after: nil)
        }
    }

    private func readHeaders() throws -> Credentials.Headers {
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

// MARK: What is refused

extension HTTPSink {
    /// Halves the piece, or notes a single record.
    private func refuse(_ response: HTTPResponse, hiding secrets: [String]) throws {
        let answer = AnswerText.text(response.body, hiding: secrets)
        guard delivery?.refuse(status: response.status, answer: answer) == true else { return }
        refusalsInARow += 1
        guard refusalsInARow >= Self.refusalLimit else { return }
        let reason = message(
            response,
            "refuses everything: \(Self.refusalLimit) records one after the other, and none was taken; "
                + Self.refusalAdvice)
        switch settings.whenAllRejected {
        case .reject where refusalsInARow == Self.refusalLimit:
            log.error("\(reason); what it refuses goes to the file", ["file": rejects.path])
        case .reject: break
        case .block:
            delivery?.reopen(last: refusalsInARow)
            throw SinkError.blocked(reason: reason + Self.rejectAdvice)
        }
    }

    /// Until the server has taken something, its refusals look like a wrong setting: nothing is put
    /// aside, and all of it is tried again together with what has come meanwhile.
    private func holdUntilSomethingIsTaken() throws {
        guard !hasStored, settings.whenAllRejected == .block else { return }
        refusalsInARow = 0
        delivery?.reopen(last: .max)
        throw SinkError.blocked(
            reason:
                "\(settings.url) refuses the first records, and has taken none since the start; "
                + Self.refusalAdvice + Self.rejectAdvice)
    }

    /// Everything is settled: what was refused goes to the file before anybody is told.
    private func finish(_ batch: RecordLines) throws {
        let refusals = delivery?.refusals.filter { $0.index < batch.count } ?? []
        guard !refusals.isEmpty else {
            delivery = delivery?.withoutFirst(batch.count)
            return
        }
        if refusals.contains(where: { $0.status != nil }) { try holdUntilSomethingIsTaken() }
        var bytes: [UInt8] = []
        var ids: Set<RecordID> = []
        for refusal in refusals {
            let line = batch[refusal.index]
            let id = try? decoder.decode(line).id
            if let id { ids.insert(id) }
            RejectedLine.append(refusal, line, isRecord: id != nil, at: now, to: &bytes)
        }
        try keep(bytes)
        delivery = delivery?.withoutFirst(batch.count)
        let statuses = Set(refusals.compactMap(\.status)).sorted().map(String.init)
        let what = statuses.isEmpty ? "" : " with status \(statuses.joined(separator: ", "))"
        let reason = "\(settings.url) refused them\(what); they are in \(rejects.path)"
        if ids.count < refusals.count, !hasPutAside {
            hasPutAside = true
            log.error("lines that are no records are put aside", ["file": rejects.path])
        }
        throw SinkError.rejected(ids, reason: reason)
    }

    private func keep(_ bytes: [UInt8]) throws {
        do throws(RejectFile.Failure) {
            guard try rejects.append(bytes), !hasReplaced else { return }
            hasReplaced = true
            log.warning(
                "the file of refused records is full, and so is the one before, whose records are gone; "
                    + "look at them and move them away", ["file": rejects.olderPath])
        } catch {
            throw SinkError.retry(reason: "cannot put refused records aside: \(error)", after: nil)
        }
    }
}

// MARK: Words

extension HTTPSink {
    private var now: Instant { clock.epoch().instant(at: clock.now()) }

    private func message(_ response: HTTPResponse, _ words: String) -> String {
        "\(settings.url) answers with status \(response.status): it \(words)"
    }

    private static let refusalAdvice =
        "see that `url` and `format` suit the server, and that it takes the types it is sent"
    private static let rejectAdvice =
        ", or say `whenAllRejected: \"reject\"` to have it all put aside"

    private var loginAdvice: String {
        guard let places = settings.credentials.places else {
            return "set `token`, or `user` and `password`"
        }
        return "mend what is in \(places), which is read again"
    }

    /// Where a redirect leads; only as much of it as holds no secret.
    private func place(of response: HTTPResponse) -> String {
        guard let location = response["Location"], (300..<400).contains(response.status) else {
            return ""
        }
        guard let target = try? HTTPURL(location) else {
            let isPath = location.hasPrefix("/") && !location.hasPrefix("//")
            return isPath ? "; it leads to another path there" : "; it leads elsewhere"
        }
        return "; it leads to \(target)"
    }

    private func warnOnce() {
        guard !hasSent else { return }
        hasSent = true
        guard settings.isOpen else { return }
        log.warning(
            "what is sent can be read and changed on its way; use https:// where the server has it",
            ["url": "\(settings.url)"])
    }

    private func sayLeftOut(_ count: Int) {
        guard count > 0, !hasLeftOut else { return }
        hasLeftOut = true
        log.info(
            "the format has no room for some records, such as events of devices; they are left out "
                + "and count as delivered", ["format": settings.format.rawValue])
    }
}
