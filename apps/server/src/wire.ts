import type { Core } from './core.ts'
import type { Alarms } from './modules/alarms/index.ts'
import type { Balancing } from './modules/balancing/index.ts'
import type { Commands } from './modules/commands/index.ts'
import type { History } from './modules/history/index.ts'
import type { Live } from './modules/live/index.ts'
import type { NetworkMap } from './modules/map/index.ts'
import type { Telemetry } from './modules/telemetry/index.ts'
import type { Transfers } from './modules/transfer/index.ts'
import type { BrokerPort } from './platform/mqtt/broker-port.ts'

/** What is wired together. */
export interface Wiring {
  readonly telemetry: Telemetry
  readonly commands: Commands
  readonly live: Live
  readonly alarms: Alarms
  readonly broker: BrokerPort
  readonly transfers: Transfers
  readonly history: History
  readonly balancing: Balancing
  readonly map: NetworkMap
}

/** The ways of a reading and of a command between the modules; each knows only its own part. */
export function wire({
  telemetry,
  commands,
  alarms,
  live,
  transfers,
  history,
  balancing,
  map,
}: Wiring): void {
  telemetry.onReply(({ topic, payload }) => commands.takeReply(topic, payload))
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
  commands.onHold(({ path, accountId, ...news }) => live.noteHold(news, { accountId, path }))
  commands.onBatch(live.noteBatch)
  balancing.onCampaign(live.noteCampaign)
  balancing.onStrategy(live.noteStrategy)
  map.onPlaces(live.notePlaces)
  transfers.onProgress((accountId, progress) => live.noteTransfer(accountId, progress))
  history.onExport(live.noteExport)
}

/** Lets messages in; resolves when the broker takes them. */
export const startBroker = ({ broker, telemetry, commands }: Wiring, { log }: Core): Promise<void> =>
  broker.start({
    store: telemetry.receive,
    onRefused: telemetry.refused,
    onReplicaMessage: telemetry.receiveReplicaMessage,
    onReplicaGap: telemetry.noteReplicaGap,
    onDelivered(_topic, payload) {
      commands.takeDelivery(payload).catch((err: unknown) => log.warn({ err }, 'could not note a delivery'))
    },
  })
