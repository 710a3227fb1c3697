/// Future events, the earliest first: a binary heap. Events at the same instant keep the order of their insertion, so
/// that a run can be repeated.
struct EventQueue<Element: Sendable>: Sendable {
    private struct Entry: Sendable {
        var time: Duration
        var order: UInt64
        var element: Element

        func precedes(_ other: Entry) -> Bool {
            time == other.time ? order < other.order : time < other.time
        }
    }

    private var heap: [Entry] = []
    private var pushed: UInt64 = 0

    var first: (time: Duration, element: Element)? {
        heap.first.map { ($0.time, $0.element) }
    }

    mutating func push(_ element: Element, at time: Duration) {
        heap.append(Entry(time: time, order: pushed, element: element))
        pushed &+= 1
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].precedes(heap[parent]) else { break }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    mutating func removeFirst() {
        guard let last = heap.popLast(), !heap.isEmpty else { return }
        heap[0] = last
        var parent = 0
        while true {
            var least = parent
            for child in [2 * parent + 1, 2 * parent + 2] where child < heap.count {
                if heap[child].precedes(heap[least]) { least = child }
            }
            guard least != parent else { return }
            heap.swapAt(parent, least)
            parent = least
        }
    }
}
