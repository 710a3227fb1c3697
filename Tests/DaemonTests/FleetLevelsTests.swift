import Beacon
import Broker
import Daemon
import FleetFormat
import Health
import Testing

@Suite struct FleetLevelsTests {
    @Test("the minute of what was learned is the fleet's, as a resolver has told its time", arguments: [
        (nil, 29_453_760), (3600, 29_453_820), (-400, 29_453_753),
    ] as [(Int64?, Int64)])
    func minute(behind: Int64?, expected: Int64) throws {
        let mailbox = PublicationMailbox()
        _ = mailbox.connect {}
        let levels = FleetLevels(mailbox)
        let exchange = ClockExchange(levels.clock, prefix: "beacond", host: "pi-1")
        exchange.connect()
        let question = try ClockQuestion(json: Array(try #require(exchange.question()).payload.utf8))
        if let behind {
            let time = question.asked + behind * 1_000_000
            let answer = ClockAnswer(
                asked: question.asked, received: time, sent: time, resolver: "a", isSynchronised: true)
            #expect(exchange.take(FleetTopics(prefix: "beacond").clockAnswer("pi-1"), Array(answer.json.utf8)))
        }
        let readings = ["hci0", "hci1"].map {
            ScannerReadings(scanner: $0, minute: 29_453_760, isBlind: false, isSettled: true, readings: [])
        }
        levels.tell(readings, topic: "beacond/pi-1/health")
        let publication = try #require(mailbox.next())
        #expect(publication.topic == "beacond/pi-1/health" && !publication.isRetained)
        let read = try HealthReadingsMessage(json: Array(publication.payload.utf8), host: "pi-1").readings
        #expect(read.minute == expected)
    }
}
