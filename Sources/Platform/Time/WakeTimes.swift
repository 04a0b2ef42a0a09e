/// The times at which many things are due, with the earliest at hand.
///
/// Most changes postpone a time: every value of a device postpones its silence limit. A postponed
/// entry stays where it is in the heap until it comes to the top.
package struct WakeTimes<Key: Hashable & Sendable>: Sendable {
    private struct Entry {
        let time: BootInstant
        let key: Key
    }

    /// When a key is due, and the time of its entry in the heap, which may be earlier.
    private struct Due {
        var time: BootInstant
        var entryTime: BootInstant
    }

    private var dues: [Key: Due] = [:]
    /// A binary heap, the earliest entry first; an entry whose time is not that of its key is obsolete.
    private var heap: [Entry] = []

    /// The number of entries, with obsolete ones.
    package var size: Int { heap.count }
    /// The earliest time.
    package var earliest: BootInstant? { heap.first?.time }

    /// Makes an empty table.
    package init() {}

    /// Sets the time of a key; nil removes it.
    package mutating func set(_ key: Key, to time: BootInstant?) {
        defer { settleTop() }
        guard let time else {
            dues[key] = nil
            return
        }
        if let due = dues[key], due.entryTime <= time {
            dues[key]?.time = time
        } else {
            dues[key] = Due(time: time, entryTime: time)
            push(Entry(time: time, key: key))
        }
    }

    /// Removes and returns the keys that are due, the earliest first.
    package mutating func removeDue(at now: BootInstant) -> [Key] {
        var keys: [Key] = []
        while let first = heap.first, first.time <= now {
            keys.append(first.key)
            dues[first.key] = nil
            settleTop()
        }
        return keys
    }

    /// Makes the first entry one that is exact.
    private mutating func settleTop() {
        while let first = heap.first {
            let due = dues[first.key]
            guard let due, due.entryTime == first.time else {
                removeFirst()
                continue
            }
            guard due.time > first.time else { break }
            dues[first.key]?.entryTime = due.time
            heap[0] = Entry(time: due.time, key: first.key)
            siftDown()
        }
        removeObsolete()
    }

    /// Removes all obsolete entries when they are the majority.
    private mutating func removeObsolete() {
        guard heap.count > 2 * dues.count + 64 else { return }
        heap = []
        for (key, due) in dues {
            dues[key]?.entryTime = due.time
            push(Entry(time: due.time, key: key))
        }
    }

    private mutating func push(_ entry: Entry) {
        heap.append(entry)
        var index = heap.count - 1
        while index > 0 {
            let parent = (index - 1) / 2
            guard heap[index].time < heap[parent].time else { break }
            heap.swapAt(index, parent)
            index = parent
        }
    }

    private mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        siftDown()
    }

    private mutating func siftDown() {
        var index = 0
        while true {
            var smallest = index
            for child in [2 * index + 1, 2 * index + 2]
            where child < heap.count && heap[child].time < heap[smallest].time {
                smallest = child
            }
            guard smallest != index else { return }
            heap.swapAt(index, smallest)
            index = smallest
        }
    }
}
