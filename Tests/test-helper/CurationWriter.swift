import Beacon
import Curation
import CurationStore
import Glibc
import Publishing

/// Makes, edits, orders, deletes and publishes documents one after the other, and says each thing when it is done.
struct CurationWriter {
    private let store: CurationStore
    private let author = Author("writer")
    private var seconds = 1_800_000_000.0
    private var beacons: [DocumentID] = []

    /// - Parameter limit: no file may have more bytes, as on a disk that is full.
    init(folder: String, limit: UInt?) throws {
        if let limit {
            signal(SIGXFSZ, SIG_IGN)
            var most = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most)
        }
        store = try CurationStore(folder: folder, passwordCost: .test)
    }

    /// Goes on until it is killed, or cannot write three times.
    mutating func run() async throws {
        var failures = 0
        var step = try await Int(store.dataVersion().change)
        seconds += Double(step)
        beacons = try await store.documents(.beacon, DocumentQuery(limit: 1000)).documents.map(\.id)
        say("ready \(beacons.count)")
        while failures < 3, step < 100_000 {
            step += 1
            seconds += 1
            do {
                try await act(step)
            } catch let error as StoreError {
                failures += 1
                say("failed \(error.code.rawValue) \(error)")
            }
        }
    }

    private var now: Moment { Moment(Timestamp(seconds: seconds)) }

    private mutating func act(_ step: Int) async throws {
        switch step % 10 {
        case 0:
            let (number, moment) = (step, now)
            let revision = try await store.publish(note: "\(number)", by: author, at: moment) { number, documents in
                try SiteBuilder.build(documents: documents, revision: number, at: moment)
            }
            say("published \(revision.number)")
        case 1...3:
            var body = BeaconDocument()
            body.name = LocalizedText("Beacon \(step)", in: .english)
            body.note = String(repeating: "n", count: step % 2000)
            (body.uuid, body.major) = (ProximityUUID(7), UInt16(step / 65_536))
            body.minor = UInt16(step % 65_536)
            let saved = try await store.save(.beacon(body), as: nil, over: nil, by: author, at: now)
            beacons.append(saved.id)
            say("saved \(saved.id) \(saved.version)")
        case 4:
            guard let id = beacons.last else { return }
            try await store.delete(id, by: author, at: now)
            beacons.removeLast()
            say("deleted \(id)")
        case 5:
            guard let id = beacons.last else { return }
            var image = ImageDocument()
            image.beacon = id
            image.title = LocalizedText("Image \(step)", in: .english)
            let saved = try await store.save(.image(image), as: nil, over: nil, by: author, at: now)
            say("saved \(saved.id) \(saved.version)")
        default:
            guard !beacons.isEmpty else { return }
            let current = try await store.document(beacons[step % beacons.count])
            guard var body = current.document.beacon else { return }
            body.floor = "floor \(step)"
            let saved = try await store.save(.beacon(body), as: current.id, over: current.version, by: author, at: now)
            say("saved \(saved.id) \(saved.version)")
        }
    }
}
