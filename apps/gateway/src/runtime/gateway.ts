import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { createDesk, type Desk } from '../commands/desk.ts'
import { createJournal, type Reply } from '../commands/journal.ts'
import { startDtuTcp } from '../drivers/dtu-tcp/driver.ts'
import { startModbusTcp } from '../drivers/modbus-tcp/driver.ts'
import { type Field, startField } from '../field/field.ts'
import type { LineNeeds } from '../field/line.ts'
import { openStore } from '../store/open-store.ts'
import { createOutbox } from '../store/outbox.ts'
import { createSender } from '../uplink/sender.ts'
import { openUplink } from '../uplink/uplink.mqtt.ts'
import type { Settings } from './config.ts'
import { type Health, toHealth, toHealthReading } from './health.ts'

export interface GatewayOptions extends Omit<Settings, 'place'> {
  readonly config: GatewayConfig
  readonly report: (text: string) => void
  readonly now?: () => number
  readonly onPolled?: LineNeeds['onPolled']
}

/** A running gateway. */
export interface Gateway {
  /** Port on which transparent units connect. */
  readonly dtuPort: () => number | undefined
  readonly health: () => Health
  /** Replaces lines, devices and profiles. Connections of the former lines are closed. */
  readonly configure: (config: GatewayConfig) => Promise<void>
  readonly close: () => Promise<void>
}

const HEALTH_MS = MINUTE_MS
const PRUNE_MS = 60 * MINUTE_MS

/** Starts everything between the lines and the broker. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { report, now = Date.now, name } = options
  const store = openStore(options.dataFolder)
  const journal = createJournal(store, now)
  let droppedSince = 0
  const outbox = createOutbox({
    store,
    now,
    maxBytes: options.storeBytes,
    onDropped: (readings) => {
      droppedSince += readings
    },
  })
  let replySeq = Number(store.read('reply-seq') ?? 0)
  let desk: Desk | undefined
  let field: Field | undefined

  const uplink = openUplink({
    ...name,
    url: options.mqttUrl,
    password: options.password,
    boot: () => outbox.boot,
    now,
    onConnected: () => sender.connected(),
    onAck: (boot, seq) => sender.acknowledge(boot, seq),
    onCommand: (message) => desk?.receive(message),
    onHistory: (args) => sender.request(args),
    onProblem: report,
  })
  const sender = createSender({
    outbox,
    now,
    publish: uplink.publish,
    isConnected: uplink.isConnected,
    historyDelayMs: () => options.historyDelayMs * Math.random(),
    onProblem: report,
  })

  function sendReply(reply: Reply): void {
    const seq = replySeq++
    store.write('reply-seq', replySeq)
    uplink.publish('reply', JSON.stringify({ v: 1, boot: outbox.boot, seq, ...reply })).then(
      () => journal.markReported(reply),
      // Sent again by the next process; this one repeats it until the broker has it.
      () => undefined,
    )
  }

  async function configure(config: GatewayConfig): Promise<void> {
    desk?.close()
    await field?.close()
    const next = await startField(config, {
      drivers: { 'dtu-tcp': startDtuTcp, 'modbus-tcp': startModbusTcp },
      now,
      report,
      findMark: outbox.findMark,
      onReadings: sender.add,
      ...(options.onPolled === undefined ? {} : { onPolled: options.onPolled }),
    })
    field = next
    desk = createDesk({
      journal,
      now,
      find: next.find,
      send: sendReply,
      wait: (ms) => delay(ms, undefined, { ref: false }),
    })
    desk.resume()
  }

  const health = (): Health => toHealth(field?.lines ?? [], outbox)
  const reportHealth = setInterval(() => {
    sender.add([toHealthReading(name.gateway, now(), health())])
    if (droppedSince === 0) return
    report(
      `the store was full: ${droppedSince} of the oldest readings were dropped, ${outbox.dropped} in all`,
    )
    droppedSince = 0
  }, HEALTH_MS)
  const prune = setInterval(() => journal.prune(), PRUNE_MS)

  async function close(): Promise<void> {
    clearInterval(reportHealth)
    clearInterval(prune)
    desk?.close()
    await field?.close()
    sender.close()
    await uplink.close()
    // Answers of the broker that are on their way reach an open file.
    await delay(0)
    store.close()
  }

  try {
    await configure(options.config)
  } catch (error) {
    await close()
    throw error
  }
  // Soon after the start, so that the server shows it without waiting for a minute.
  setTimeout(() => sender.add([toHealthReading(name.gateway, now(), health())]), 5 * SECOND_MS).unref()
  return { dtuPort: () => field?.dtuPort, health, configure, close }
}
