extension FuzzTarget {
    /// Every target, in the order of the data's path.
    package static let all: [FuzzTarget] =
        [advertisingPayload, hciEvent, h4Stream, controllerCommand] + captures
        + [
            busMessage, scenario, scene, configuration, fleetFiles, address, value, text,
            siteList, manifest, redirect, deviceReport, httpRequest, networkRequest, eventStream, outbox, hookOutput,
            history, healthReadings, beaconHealth, healthMemory,
            multipartForm, urlEncodedForm, requestField, document, pageText, plainPage, actionValue,
            signingKey, pastedHTML, csvTable, archive, media, pictureFacts,
            fleetMessage, clockAnswer, bluetoothProxy,
        ]
}
