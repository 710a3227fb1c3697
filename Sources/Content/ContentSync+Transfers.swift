internal import Beacon

// Assets on their way: each is fetched once, whoever and however many need it.
extension ContentSync {
    struct Transfer {
        var asset: ManifestAsset
        /// Nil while it waits for its turn.
        var task: Task<Void, Never>?
        var received: Int64 = 0
        var waiters: [CheckedContinuation<ContentError?, Never>] = []
    }

    /// Fetches what a beacon's content lacks. The first error is thrown when all that can be had is there.
    func fetch(_ missing: [ManifestAsset], for beacon: BeaconID?) async throws(ContentError) {
        for asset in missing { jobs[beacon]?.needed[asset.sha256] = asset.bytes }
        tellProgress(beacon, now: true)
        // The first bytes are news at once.
        jobs[beacon]?.progressToldAt = nil
        let failure = await withTaskGroup(of: ContentError?.self) { group in
            for asset in missing {
                group.addTask { await self.transfer(asset) }
            }
            var first: ContentError?
            for await failure in group { first = first ?? failure }
            return first
        }
        if let failure { throw failure }
    }

    private func transfer(_ asset: ManifestAsset) async -> ContentError? {
        guard !Task.isCancelled else { return .cancelled("asset \(asset.sha256)") }
        return await withCheckedContinuation { continuation in
            transfers[asset.sha256, default: Transfer(asset: asset)].waiters.append(continuation)
            transferQueue.add(asset.sha256)
            startTransfers()
        }
    }

    /// Starts as many transfers as may run. Called whenever that may have changed.
    func startTransfers() {
        let needed = wanted.flatMap { jobs[$0.beacon]?.needed } ?? [:]
        while let hash = transferQueue.next(isWanted: { needed[$0] != nil }) {
            guard let asset = transfers[hash]?.asset else {
                transferQueue.finish(hash)
                continue
            }
            transfers[hash]?.task = Task { await self.download(asset) }
        }
    }

    private func download(_ asset: ManifestAsset) async {
        var failure: ContentError?
        // It may have come into place between the check and its turn.
        if await !writer.missing([asset]).isEmpty {
            do throws(ContentError) {
                try await fetcher.asset(asset, into: writer) { await self.received($0, of: asset.sha256) }
            } catch {
                failure = error
            }
        }
        transferQueue.finish(asset.sha256)
        let waiters = transfers.removeValue(forKey: asset.sha256)?.waiters ?? []
        if failure == nil {
            for beacon in beacons(needing: asset.sha256) {
                jobs[beacon]?.complete.insert(asset.sha256)
                tellProgress(beacon, now: true)
            }
        } else if let failure, failure.code == .connection || failure.code == .timeout {
            // The server is gone: the others would only wait for the same time-outs, one after another.
            failWaiting(with: failure)
        }
        for waiter in waiters { waiter.resume(returning: failure) }
        startTransfers()
    }

    func cancelTransfers() {
        for transfer in transfers.values { transfer.task?.cancel() }
        failWaiting(with: .cancelled("assets"))
    }

    private func failWaiting(with error: ContentError) {
        for hash in transferQueue.waiting {
            transferQueue.finish(hash)
            for waiter in transfers.removeValue(forKey: hash)?.waiters ?? [] { waiter.resume(returning: error) }
        }
    }
}

// MARK: - Progress

extension ContentSync {
    private func received(_ bytes: Int64, of hash: AssetHash) {
        transfers[hash]?.received = bytes
        guard bytes > 0 else { return }
        for beacon in beacons(needing: hash) { tellProgress(beacon, now: false) }
    }

    private func beacons(needing hash: AssetHash) -> [BeaconID?] {
        jobs.filter { $0.value.needed[hash] != nil }.map(\.key)
    }

    private func tellProgress(_ beacon: BeaconID?, now: Bool) {
        guard let job = jobs[beacon] else { return }
        let elapsed = time.elapsed()
        if !now, let last = job.progressToldAt, elapsed - last < settings.progressInterval { return }
        jobs[beacon]?.progressToldAt = elapsed
        var progress = ContentProgress(
            bytes: 0, totalBytes: 0, assets: job.complete.count, totalAssets: job.needed.count)
        for (hash, bytes) in job.needed {
            progress.totalBytes = progress.totalBytes.addingClamped(bytes)
            progress.bytes = progress.bytes.addingClamped(
                job.complete.contains(hash) ? bytes : transfers[hash]?.received ?? 0)
        }
        queue.push(.progress(beacon, progress))
    }
}
