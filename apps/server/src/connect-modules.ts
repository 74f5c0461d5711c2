import type { Modules } from './modules.ts'

/** Connects the events of modules with the modules that use them. So no module imports another one because of its events. */
export function connectModules({
  telemetry,
  commands,
  alarms,
  live,
  transfer,
  history,
  balancing,
  map,
  devices,
}: Modules): void {
  telemetry.onReply(({ topic, payload }) => commands.acceptReply(topic, payload))
  telemetry.onUnregistered(devices.recordUnregistered)
  telemetry.onCommitted(({ samples, changed, own }) => {
    live.pushChanged(changed)
    alarms.observe(samples)
    if (own) commands.observeReadings(samples)
  })
  telemetry.presence.onChanged(alarms.observePresence)
  telemetry.onFinding(alarms.observeFindings)
  balancing.onCampaign(alarms.recordStops)
  balancing.onStrategy(alarms.recordStops)
  alarms.onChanged(live.pushAlarm)
  alarms.onSilence(live.pushSilence)
  alarms.onRules(live.pushRules)
  commands.onChanged(({ command, path }) => live.pushCommand(command, path))
  commands.onHold(({ path, accountId, ...update }) => live.pushHold(update, { accountId, path }))
  commands.onBatch(live.pushBatch)
  balancing.onCampaign(live.pushCampaign)
  balancing.onStrategy(live.pushStrategy)
  map.onPlaces(live.pushPlaces)
  transfer.onProgress((accountId, progress) => live.pushTransfer(accountId, progress))
  history.onExport(live.pushExport)
}
