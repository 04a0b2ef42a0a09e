import ArgumentValues
import GatewayCore
import GatewayHost
import HealthModel
import HealthStore
import Platform
import SQLiteStore

/// `pulsegate edit`: corrects a value that was entered.
struct EditCommand: Command {
    static let syntax = CommandSyntax(
        name: "edit",
        summary: "Correct a manually entered value or its time.",
        operands: ["ID"],
        optionalOperands: ["VALUE", "UNIT"],
        options: [
            CommandSyntax.Option(
                name: "--at", value: "T", help: "new time of the value, or end of its period"),
            CommandSyntax.Option(
                name: "--from", value: "T", help: "new start of the period of a cumulative value"),
        ],
        details: """
            ID is the id of a sample, as `pulsegate query --format json` prints it. Without UNIT, VALUE has
            the unit that it was entered with. What is not given remains.
            The corrected value is delivered to all sinks as a new sample with a new id, and the earlier
            one is deleted from the store and from the sinks that accept deletions. Values of devices
            cannot be corrected, only deleted.
            """)

    let call: Subcommand.Call
    let clock: any GatewayClock = SystemClock()
    let now = EnteredSample.wholeMilliseconds(SystemClock().instant())
    let calendar = LocalCalendar.system

    func run() async throws(HostError) -> ExitStatus {
        let files = try call.files()
        try files.checkOwner()
        let store = try StoreFile(files)
        let old = try await enteredSample(in: try store.open(), files)
        let new = try EditedSample(old).replaced(
            quantity: try quantity(of: old), span: try span(of: old))
        try await deliver(new, files, store)
        try await delete(old.id, files)
        try EntryReport(verb: "changed", people: try files.people(), now: now)
            .write(new, time: time(of: new))
        let others = OtherSinks(files, call)
        others.notes.forEach(CommandNote.write)
        others.forward()
        return .success
    }

    // MARK: The sample

    /// Finds the sample, which must be one that was entered on its own.
    private func enteredSample(
        in store: SQLiteStore, _ files: CommandFiles
    ) async throws(HostError) -> QuantitySample {
        let word = arguments.operands[0]
        guard let id = RecordID(uuidString: word) else {
            throw HostError(
                .usage,
                "ID: expected the id of a sample; `pulsegate query TYPE --format json` prints it")
        }
        let sample: QuantitySample?
        let others: Int
        do {
            sample = try await store.sample(id, types: files.types)
            others = try await store.preview(of: [.records([id], kinds: [.sample])]).count - 1
        } catch {
            throw HostError(error)
        }
        guard let sample else { throw HostError(.usage, "no sample with the id \(id) found") }
        guard sample.metadata[.wasUserEntered] == true else {
            throw HostError(
                .usage,
                "the sample \(id) was not entered by a person; delete it with `pulsegate delete sample`"
            )
        }
        guard others <= 0 else {
            throw HostError(
                .usage,
                "the sample \(id) belongs to a correlation; delete that with `pulsegate delete sample`, "
                    + "and enter it again")
        }
        return sample
    }

    private func quantity(of old: QuantitySample) throws(HostError) -> Quantity {
        guard arguments.operands.count > 1 else { return old.quantity }
        return try arguments.entryQuantity(of: old.type, in: old.quantity.unit)
    }

    /// The period: a cumulative value without one covers the second that starts at --at, as in `add`.
    private func span(of old: QuantitySample) throws(HostError) -> ClosedRange<Instant> {
        let at = try arguments.entryTime(of: "--at", now: now, calendar: calendar)
        let from = try arguments.entryTime(of: "--from", now: now, calendar: calendar)
        guard old.type.isCumulative else {
            if from != nil {
                throw HostError(.usage, "--from is only for cumulative types; remove --from")
            }
            return at.map { $0...$0 } ?? old.start...old.end
        }
        let second: Int64 = 1_000_000_000
        if let at, from == nil, old.end.nanoseconds(since: old.start) == second {
            return at...at.adding(nanoseconds: second)
        }
        let (start, end) = (from ?? old.start, at ?? old.end)
        guard start < end else { throw HostError(.usage, "--from must be before --at") }
        return start...end
    }

    // MARK: The store

    /// Delivers the new sample; the earlier one remains until the store has the new one.
    private func deliver(
        _ sample: QuantitySample, _ files: CommandFiles, _ store: StoreFile
    ) async throws(HostError) {
        let delivery = EntryDelivery(call, files, clock: clock)
        let pending = try await delivery.deliver(EntryDelivery.Entry(sample, waitsForStore: true))
        guard !pending.contains(store.sinkName), await delivery.isStored(sample, in: store) else {
            throw HostError(
                .failure,
                "the new value is accepted, but not in the store yet, and the earlier one remains; "
                    + "run the command again when `pulsegate status` shows a healthy store")
        }
    }

    private func delete(_ id: RecordID, _ files: CommandFiles) async throws(HostError) {
        do {
            _ = try await files.createStore()
                .delete(.records([id], kinds: [.sample]), at: SystemClock().instant())
        } catch {
            throw HostError(
                .failure,
                "the new value is stored, but the earlier one is not deleted: \(error); "
                    + "delete it with `pulsegate delete sample \(id)`")
        }
    }

    private func time(of sample: QuantitySample) -> String {
        let start = LocalTime.short(sample.start, calendar)
        let second: Int64 = 1_000_000_000
        guard sample.end.nanoseconds(since: sample.start) > second else { return start }
        return "\(start) to \(LocalTime.short(sample.end, calendar))"
    }
}

/// The sample that replaces an entered one.
struct EditedSample {
    private let old: QuantitySample

    init(_ old: QuantitySample) {
        self.old = old
    }

    /// Makes the new sample, whose id depends on the earlier one and on what is new: the same correction
    /// again is the same sample.
    ///
    /// - Throws: ``HostError`` when nothing is new, or for a value or a period out of range.
    func replaced(
        quantity: Quantity, span: ClosedRange<Instant>
    ) throws(HostError) -> QuantitySample {
        guard quantity != old.quantity || span != old.start...old.end else {
            throw HostError(.usage, "nothing to change; give a new VALUE, --at or --from")
        }
        let key =
            old.id.high ^ old.id.low ^ quantity.value.bitPattern
            ^ UInt64(bitPattern: span.upperBound.nanosecondsSince1970)
        return try EnteredSample(
            person: old.person, timeZone: old.metadata[.timeZone], key: key
        ).make(old.type, quantity, span, replacing: old.metadata)
    }
}
