import Beacon
package import Text

extension RoomReport {
    /// The report in a format.
    ///
    /// - Parameters:
    ///   - terminal: the terminal that the text format is made for.
    ///   - localTime: for the formats that people read. Those for programs use UTC, but name this zone beside the
    ///     hours of the day.
    package func rendered(
        as format: ReportFormat, terminal: Terminal = Terminal(isTerminal: false), localTime: LocalTime = .current
    ) -> String {
        switch format {
        case .text: RoomReportText(self, terminal: terminal, localTime: localTime).text
        case .json: json(localTime)
        case .csv: csv
        case .html: RoomReportPage(self, localTime: localTime).html
        }
    }

    /// What people call each beacon.
    func labels(mark: String = "…") -> BeaconLabels {
        var names: [BeaconID: String] = [:]
        for beacon in beacons { names[beacon.id] = beacon.name }
        for problem in health { names[problem.beacon] = problem.name }
        return BeaconLabels(beacons.map(\.id) + health.map(\.beacon), names: names, mark: mark)
    }

    /// The name of a room. Rooms with the same name on several floors are distinguished by the floor.
    func label(_ room: ReportedRoom) -> String {
        let isAlone = rooms.count { $0.room.name == room.name } < 2
        return isAlone ? room.name : "\(room.name) (floor \(room.floor))"
    }

    func spanText(_ localTime: LocalTime) -> String {
        "\(localTime.text(span.lowerBound)) to \(localTime.text(span.upperBound)) "
            + "\(localTime.zone(at: span.upperBound)), \(Words.span(span.seconds))"
    }

    /// Whether the report covers only a time before the history begins, of which nothing is known.
    var isBeforeHistory: Bool { historyBegins.map { $0 >= span.upperBound } ?? false }

    /// The text that replaces the tables.
    func nothing(_ localTime: LocalTime) -> String {
        let time = spanText(localTime)
        guard let historyBegins, isBeforeHistory else { return "No beacon was in any room from \(time)." }
        return Words.unknown(time, historyBegins, localTime)
    }

    /// The same for readers of another program's output; nil if the history has begun by then.
    package var beginningNotice: String? {
        guard let historyBegins, isBeforeHistory else { return nil }
        return "nothing is known of that time: the history begins later, at \(historyBegins.rfc3339)"
    }

    var warnings: [String] {
        (isCut ? ["There were too many stays: the earliest ones of this time are not in the report."] : [])
            + (Words.unlisted(beacons.count).map { [$0] } ?? [])
    }

    // MARK: - For programs

    /// One row for each beacon and room.
    private var csv: String {
        var text = "uuid,major,minor,name,room,floor,dwell_s,visits,dwell_median_s,dwell_longest_s,first,last\n"
        for beacon in beacons {
            for (room, visits) in beacon.rooms {
                let row = [
                    "\(beacon.id.uuid)", "\(beacon.id.major)", "\(beacon.id.minor)", csvField(beacon.name ?? ""),
                    csvField(room.name), "\(room.floor)", fixed(visits.seconds, digits: 0), "\(visits.visits.count)",
                    fixed(visits.medianSeconds ?? 0, digits: 0), fixed(visits.longestSeconds ?? 0, digits: 0),
                    visits.visits.first?.lowerBound.rfc3339 ?? "", visits.visits.last?.upperBound.rfc3339 ?? "",
                ]
                text += row.joined(separator: ",") + "\n"
            }
        }
        return text
    }

    private func json(_ localTime: LocalTime) -> String {
        var json = JSONText()
        json.object { json in
            json.value("from", span.lowerBound.rfc3339)
            json.value("to", span.upperBound.rfc3339)
            json.value("time_zone", localTime.offset(at: span.upperBound))
            json.value("is_cut", isCut)
            json.value("history_begins", historyBegins?.rfc3339)
            json.array("rooms") { json in
                for room in rooms { json.object { write(room, into: &$0) } }
            }
            json.array("beacons") { json in
                for beacon in beacons { json.object { write(beacon, into: &$0) } }
            }
            json.array("transitions") { json in
                for way in transitions {
                    json.object { json in
                        json.object("from") { write(way.from, into: &$0) }
                        json.object("to") { write(way.to, into: &$0) }
                        json.value("count", way.count)
                    }
                }
            }
            json.health(health)
        }
        return json.text + "\n"
    }

    private func write(_ room: ReportedRoom, into json: inout JSONText) {
        json.value("room", room.name)
        json.value("floor", room.floor)
    }

    private func write(_ visits: VisitHistory, into json: inout JSONText) {
        json.value("dwell_s", visits.seconds, digits: 0)
        json.value("visits", visits.visits.count)
        json.value("dwell_median_s", visits.medianSeconds, digits: 0)
        json.value("dwell_longest_s", visits.longestSeconds, digits: 0)
    }

    private func write(_ room: Room, into json: inout JSONText) {
        write(room.room, into: &json)
        write(room.visits, into: &json)
        json.value("beacons", room.beacons)
        json.array("visits_by_hour") { json in
            for count in room.visits.byHour { json.value(nil, count) }
        }
        json.array("dwell_by_hour_s") { json in
            for seconds in room.secondsByHour { json.value(nil, seconds, digits: 0) }
        }
        json.object("presence") { json in
            json.value("from", span.lowerBound.rfc3339)
            json.value("bucket_s", bucketSeconds, digits: 0)
            json.array("beacons") { json in
                for count in room.presence { json.value(nil, count, digits: 2) }
            }
        }
    }

    private func write(_ beacon: Inhabitant, into json: inout JSONText) {
        json.identity(beacon.id, name: beacon.name)
        json.value("dwell_s", beacon.seconds, digits: 0)
        json.array("rooms") { json in
            for (room, visits) in beacon.rooms {
                json.object { json in
                    write(room, into: &json)
                    write(visits, into: &json)
                }
            }
        }
        json.array("stays") { json in
            for stay in beacon.stays {
                json.object { json in
                    write(stay.room, into: &json)
                    json.value("from", stay.span.lowerBound.rfc3339)
                    json.value("to", stay.span.upperBound.rfc3339)
                }
            }
        }
    }
}
