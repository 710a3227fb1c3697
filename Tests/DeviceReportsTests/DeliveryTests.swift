import Beacon
import DeviceReports
import Testing

@Suite("Reports to a broker")
struct DeliveryTests {
    private func report(_ minute: Int) -> DeviceReport {
        let start = Timestamp(seconds: 1_800_000_000 + Double(minute) * 60)
        var accumulator = ReportAccumulator(start: start)
        return accumulator.finish(at: start.advanced(bySeconds: 60), version: "1", state: DeviceState())
    }

    /// A queue of some minutes.
    private func queue(_ minutes: Range<Int>) -> ReportQueue {
        var queue = ReportQueue()
        for minute in minutes { queue.append(report(minute)) }
        return queue
    }

    @Test("are published one after the other, each when the broker has the one before")
    func order() {
        var queue = queue(0..<3)
        var delivery = BrokerDelivery()
        var published: [Timestamp] = []
        for number in UInt64(1)...3 {
            let step = delivery.step(&queue, arrived: number - 1, at: 0)
            #expect(step.hasArrived == (number > 1))
            published += [step.report?.start].compactMap(\.self)
            delivery.isUnderWay(number)
            #expect(delivery.step(&queue, arrived: number - 1, at: 1) == .init())
        }
        #expect(published == (0..<3).map { report($0).start })
        #expect(queue.count == 1)
        #expect(delivery.step(&queue, arrived: 3, at: 2).hasArrived)
        #expect(queue.count == 0)
    }

    @Test("stay in the queue as they are until the broker has them, which is told after a while")
    func waiting() {
        var queue = queue(0..<1)
        var delivery = BrokerDelivery()
        let first = delivery.step(&queue, arrived: 0, at: 0).report
        delivery.isUnderWay(1)
        for minute in 1..<200 {
            queue.append(report(minute))
            let step = delivery.step(&queue, arrived: 0, at: Double(minute) * 60)
            #expect(step.report == nil && step.isLate && !step.hasArrived)
        }
        #expect(queue.first == first)
        let step = delivery.step(&queue, arrived: 1, at: 12_000)
        #expect(step.hasArrived && !step.isLate)
        #expect(step.report?.start == report(1).start)
    }

    @Test("are withdrawn when they are too old, or not asked for any more")
    func withdrawn() {
        var queue = queue(0..<1)
        var delivery = BrokerDelivery()
        _ = delivery.step(&queue, arrived: 0, at: 0)
        delivery.isUnderWay(1)
        queue.append(report(2000))
        let step = delivery.step(&queue, arrived: 0, at: 120_000)
        #expect(step.isWithdrawn && step.isLate)
        #expect(step.report?.start == report(2000).start)
        delivery.isUnderWay(2)
        // What comes late is not taken for the new one.
        #expect(!delivery.step(&queue, arrived: 1, at: 120_001).hasArrived)
        queue.removeAll()
        let end = delivery.step(&queue, arrived: 1, at: 120_002)
        #expect(end.isWithdrawn && end.report == nil && !end.isLate)
    }
}
