extension Metric {
    /// Every metric of the daemon. The documentation and the dashboard are checked against this list.
    package static let all: [Metric] = radio + ranging + health + content + http + process

    /// Bucket bounds in seconds for short operations.
    package static let latencies: [Double] = [
        0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
    ]
    /// Bucket bounds in seconds for operations that run several times a second.
    static let moments: [Double] = [0.00001, 0.000025, 0.0001, 0.00025, 0.001, 0.0025, 0.01, 0.025, 0.1, 0.25, 1]
    /// Bucket bounds in seconds for operations that run about twice a second.
    static let gaps: [Double] = [0.1, 0.25, 0.5, 0.55, 0.6, 0.75, 1, 1.5, 2, 3, 5, 10, 30]
    /// Bucket bounds in seconds for operations that wait for a network.
    static let waits: [Double] = [0.1, 0.25, 0.5, 1, 2, 4, 8, 15, 30, 60, 120, 300]
    /// Bucket bounds without a unit.
    static let sizes: [Double] = [1, 10, 100, 1000, 10_000, 100_000, 1_000_000]
}

// Radio.
extension Metric {
    static let sourcePackets = Metric(
        "beacond_source_packets_total", .counter, "HCI packets that a source has delivered.", labels: ["source"])
    static let sourceReports = Metric(
        "beacond_source_reports_total", .counter, "Advertising reports in them.", labels: ["source"])
    static let sourceBeacons = Metric(
        "beacond_source_ibeacons_total", .counter, "Reports in which an iBeacon was decoded.", labels: ["source"])
    static let sourceMalformed = Metric(
        "beacond_source_malformed_total", .counter, "Events and payloads whose inner lengths do not fit.",
        labels: ["source"])
    static let sourceOverruns = Metric(
        "beacond_source_overruns_total", .counter, "Packets lost before they could be read.", labels: ["source"])
    static let sourceInterference = Metric(
        "beacond_source_interference_total", .counter,
        "What other programs did to the scan: filtered, stopped, reset.", labels: ["source", "kind"])
    static let sourceRecovery = Metric(
        "beacond_source_recovery_total", .counter,
        "Steps taken because of silence or interference: ask, restart, reset, reopen.", labels: ["source", "stage"])
    static let sourceCommandErrors = Metric(
        "beacond_source_command_errors_total", .counter,
        "HCI commands that were refused, by the controller's error code, or not answered (timeout).",
        labels: ["source", "code"])
    static let sourceState = Metric(
        "beacond_source_state", .gauge, "1 for the state that the source is in: listening, lost, over.",
        labels: ["source", "state"])
    static let sourceConnections = Metric(
        "beacond_source_connections_total", .counter, "How often the source was connected.", labels: ["source"])
    static let sourceLosses = Metric(
        "beacond_source_losses_total", .counter, "How often the source was lost after it was listened to.",
        labels: ["source"])
    static let scannerBlind = Metric(
        "beacond_scanner_blind", .gauge, "1 while the scanner is blind, so that silence means nothing.")
    static let sightingsDropped = Metric(
        "beacond_sightings_dropped_total", .counter, "Sightings lost because ranging was too slow.")

    static let radio = [
        sourcePackets, sourceReports, sourceBeacons, sourceMalformed, sourceOverruns, sourceInterference,
        sourceRecovery, sourceCommandErrors, sourceState, sourceConnections, sourceLosses, scannerBlind,
        sightingsDropped,
    ]
}

// Ranging.
extension Metric {
    static let beaconsPresent = Metric("beacond_beacons_present", .gauge, "Beacons in range.")
    static let nearest = Metric(
        "beacond_nearest_info", .gauge, "1 for the nearest beacon; no series where none is near.",
        labels: ["uuid", "major", "minor", "name"])
    static let nearestDistance = Metric(
        "beacond_nearest_distance_metres", .gauge, "How far the nearest beacon is; no series where that is unknown.")
    static let nearestSwitches = Metric(
        "beacond_nearest_switches_total", .counter, "How often another beacon, or none, became the nearest.")
    static let events = Metric(
        "beacond_events_total", .counter, "Events by their kind, as in the event stream.", labels: ["event"])
    static let eventsDropped = Metric(
        "beacond_events_dropped_total", .counter,
        "Events that an output did not get, by which: mqtt (its outbox was full), hooks, dbus, history.",
        labels: ["output"])
    package static let tickDuration = Metric(
        "beacond_ranging_tick_duration_seconds", .histogram(buckets: moments), "What one ranking costs.")
    package static let tickGap = Metric(
        "beacond_ranging_tick_gap_seconds", .histogram(buckets: gaps),
        "From one ranking to the next: the interval, unless something held ranging up. Pauses while no beacon is "
            + "present do not count.")
    package static let longestTickGap = Metric(
        "beacond_ranging_longest_tick_gap_seconds", .gauge, "The longest of them since the start.")
    static let configurations = Metric(
        "beacond_configuration_reloads_total", .counter, "Reloads of the configuration: applied, refused.",
        labels: ["outcome"])
    static let partFailures = Metric(
        "beacond_part_failures_total", .counter,
        "How often a part of the daemon (content, control, an output) failed and was restarted.",
        labels: ["part"])

    static let partFailing = Metric(
        "beacond_part_failing", .gauge,
        "1 for each part of the daemon (mqtt, http, history …) that does not work now; no series where all do.",
        labels: ["part"])

    static let ranging = [
        beaconsPresent, nearest, nearestDistance, nearestSwitches, events, eventsDropped, tickDuration, tickGap,
        longestTickGap, configurations, partFailures, partFailing,
    ]
}

// The health of beacons.
extension Metric {
    static let beaconsWatched = Metric(
        "beacond_beacons_watched", .gauge, "Beacons whose health is known; no series where nobody looks at it.")
    static let beaconProblem = Metric(
        "beacond_beacon_problem", .gauge,
        "1 for each problem of a beacon: missing, weak, slow, moved, claim, impostor, battery.",
        labels: ["uuid", "major", "minor", "name", "kind"])
    static let beaconBattery = Metric(
        "beacond_beacon_battery_ratio", .gauge, "The battery level that a beacon reports, from 0 to 1.",
        labels: ["uuid", "major", "minor", "name"])

    static let health = [beaconsWatched, beaconProblem, beaconBattery]
}

// Content.
extension Metric {
    static let contentSyncs = Metric(
        "beacond_content_syncs_total", .counter,
        "Syncs of one beacon's content by outcome: fetched, unchanged, nothing, failed, waiting.", labels: ["outcome"])
    static let contentFiles = Metric(
        "beacond_content_fetched_files_total", .counter, "Files that were fetched from the site, also in advance.")
    static let contentBytes = Metric(
        "beacond_content_fetched_bytes_total", .counter, "Bytes of them that came over the network.")
    static let contentReady = Metric(
        "beacond_content_ready_seconds", .histogram(buckets: waits),
        "From the moment a beacon became the nearest until its content was complete.")
    static let contentPending = Metric(
        "beacond_content_pending_bytes", .gauge, "Bytes still to be fetched of what is on its way.")
    static let siteRevision = Metric("beacond_site_revision", .gauge, "The revision of the site's list.")
    static let siteProblem = Metric(
        "beacond_site_problem", .gauge,
        "1 while the site's list or content cannot be had, or nothing can be stored.")

    static let content = [
        contentSyncs, contentFiles, contentBytes, contentReady, contentPending, siteRevision, siteProblem,
    ]
}

// HTTP.
extension Metric {
    package static let httpRequests = Metric(
        "beacond_http_requests_total", .counter, "Requests by route and status.", labels: ["route", "status"])
    package static let httpDuration = Metric(
        "beacond_http_request_duration_seconds", .histogram(buckets: latencies),
        "From a request's head until its answer is ready to be sent.", labels: ["route"])
    package static let httpStreams = Metric(
        "beacond_http_event_streams", .gauge, "Clients that follow the event stream.")

    static let http = [httpRequests, httpDuration, httpStreams]
}

// The process. The names are those of Prometheus' own client libraries.
extension Metric {
    static let build = Metric("beacond_build_info", .gauge, "1; the version is a label.", labels: ["version", "arch"])
    static let cpu = Metric("process_cpu_seconds_total", .counter, "User and system CPU time in seconds.")
    static let residentMemory = Metric("process_resident_memory_bytes", .gauge, "Resident memory.")
    static let virtualMemory = Metric("process_virtual_memory_bytes", .gauge, "Virtual memory.")
    static let openFiles = Metric("process_open_fds", .gauge, "Open file descriptors.")
    static let fileLimit = Metric("process_max_fds", .gauge, "The most file descriptors that may be open.")
    static let threads = Metric("process_threads", .gauge, "Threads.")
    static let startTime = Metric("process_start_time_seconds", .gauge, "When the process started, since the epoch.")

    static let process = [
        build, cpu, residentMemory, virtualMemory, openFiles, fileLimit, threads, startTime,
    ]
}
