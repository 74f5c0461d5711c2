import type { Modules } from './modules.ts'

/** Connects the events of modules with the modules that use them. A module imports no module for its events. */
export function connectModules({
  telemetry,
  commands,
  alarms,
  live,
  transfer,
  history,
  balancing,
  map,
}: Modules): void {
  telemetry.onReply(({ topic, payload }) => commands.acceptReply(topic, payload))
  telemetry.onCommitted(({ samples, changed, own }) => {
    live.noteChanged(changed)
    alarms.observe(samples)
    if (own) commands.observeReadings(samples)
  })
  telemetry.presence.onChanged(alarms.observePresence)
  telemetry.onFinding(alarms.observeFindings)
  balancing.onCampaign(alarms.noteStops)
  balancing.onStrategy(alarms.noteStops)
  alarms.onChanged(live.noteAlarm)
  alarms.onSilence(live.noteSilence)
  alarms.onRules(live.noteRules)
  commands.onChanged(({ command, path }) => live.noteCommand(command, path))
  commands.onHold(({ path, accountId, ...update }) => live.noteHold(update, { accountId, path }))
  commands.onBatch(live.noteBatch)
  balancing.onCampaign(live.noteCampaign)
  balancing.onStrategy(live.noteStrategy)
  map.onPlaces(live.notePlaces)
  transfer.onProgress((accountId, progress) => live.noteTransfer(accountId, progress))
  history.onExport(live.noteExport)
}
