internal import Beacon

// Assets on their way: each is fetched once, whoever and however many need it.
extension ContentSync {
    struct Transfer {
        var asset: ManifestAsset
        /// Nil while it waits for its turn.
        var task: Task<Void, Never>?
        var received: Int64 = 0
        /// Who needs it.
        var keys: [JobKey] = []
        var waiters: [CheckedContinuation<ContentError?, Never>] = []
    }

    /// Fetches what a beacon's content lacks. The first error is thrown when all that can be had is there.
    func fetch(_ missing: [ManifestAsset], for key: JobKey) async throws(ContentError) {
        for asset in missing { jobs[key]?.needed[asset.sha256] = asset.bytes }
        pass?.expect(missing)
        tellProgress(key, now: true)
        // The first bytes are news at once.
        jobs[key]?.progressToldAt = nil
        let failure = await withTaskGroup(of: ContentError?.self) { group in
            for asset in missing {
                group.addTask { await self.transfer(asset, for: key) }
            }
            var first: ContentError?
            for await failure in group { first = first ?? failure }
            return first
        }
        if let failure { throw failure }
    }

    private func transfer(_ asset: ManifestAsset, for key: JobKey) async -> ContentError? {
        guard !Task.isCancelled else { return .cancelled("asset \(asset.sha256)") }
        return await withCheckedContinuation { continuation in
            transfers[asset.sha256, default: Transfer(asset: asset)].waiters.append(continuation)
            transfers[asset.sha256]?.keys.append(key)
            if transfers[asset.sha256]?.task == nil { transferQueue.add(asset.sha256) }
            startTransfers()
        }
    }

    /// Starts as many transfers as may run. Called whenever that may have changed.
    func startTransfers() {
        let isUrgent = wanted.map { jobs[.beacon($0.beacon)]?.needed.isEmpty == false } ?? false
        guard !transferQueue.waiting.isEmpty, isUrgent || !transferQueue.isFull else { return }
        while let hash = transferQueue.next(rank: rank) {
            guard let asset = transfers[hash]?.asset else {
                transferQueue.finish(hash)
                continue
            }
            transfers[hash]?.task = Task { await self.download(asset) }
        }
    }

    private func rank(of hash: AssetHash) -> Int {
        // Where nothing is urgent, all are alike.
        guard wanted != nil || !prefetching.ranks.isEmpty else { return Prefetching.idleRank }
        return transfers[hash]?.keys.map { rank(of: $0) }.min() ?? Prefetching.idleRank
    }

    private func download(_ asset: ManifestAsset) async {
        var failure: ContentError?
        do throws(ContentError) {
            let counter = transferred
            try await fetcher.asset(
                asset, into: writer, received: { await self.received($0, of: asset.sha256) },
                transferred: { counter.add($0) }, verified: { await self.leaveNetwork(asset.sha256) })
        } catch {
            failure = error
        }
        transferQueue.finish(asset.sha256)
        let transfer = transfers.removeValue(forKey: asset.sha256)
        if failure == nil {
            status.fetchedFiles += 1
            tellStatus()
            pass?.complete(asset)
            await writer.arrived(asset.bytes, for: transfer?.keys ?? [])
            for key in transfer?.keys ?? [] {
                jobs[key]?.complete.insert(asset.sha256)
                tellProgress(key, now: true)
            }
            tellPass()
        } else if let failure, failure.code == .connection || failure.code == .timeout {
            // The server is gone: the others would only wait for the same time-outs, one after another.
            failWaiting(with: failure)
        }
        for waiter in transfer?.waiters ?? [] { waiter.resume(returning: failure) }
        startTransfers()
    }

    /// The next may use the network while this one is flushed. Few, so that files are not open without bound.
    private func leaveNetwork(_ hash: AssetHash) {
        guard transfers.count - transferQueue.waiting.count < Self.maximumFlushing else { return }
        transferQueue.finish(hash)
        startTransfers()
    }

    private static var maximumFlushing: Int { 96 }

    func cancelTransfers() {
        for transfer in transfers.values { transfer.task?.cancel() }
        failWaiting(with: .cancelled("assets"))
    }

    func failWaiting(with error: ContentError) {
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
        for key in transfers[hash]?.keys ?? [] { tellProgress(key, now: false) }
        tellPass()
    }

    private func tellProgress(_ key: JobKey, now: Bool) {
        guard case .beacon(let beacon) = key, let job = jobs[key], !job.isSilent else { return }
        let elapsed = time.elapsed()
        if !now, let last = job.progressToldAt, elapsed - last < settings.progressInterval { return }
        jobs[key]?.progressToldAt = elapsed
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
