import { setTimeout as delay } from 'node:timers/promises'
import type { GatewayConfig } from '@isotherm/contract/gateway-config'
import { MINUTE_MS, SECOND_MS } from '@isotherm/kernel/durations'
import { type CommandExecutor, createCommandExecutor } from '../commands/command-executor.ts'
import { createJournal, type Reply } from '../commands/journal.ts'
import { createLineScans } from '../commands/line-scans.ts'
import { createChirpstack } from '../drivers/chirpstack-mqtt/driver.ts'
import { createDtuMqtt } from '../drivers/dtu-mqtt/driver.ts'
import { createDtuTcp } from '../drivers/dtu-tcp/driver.ts'
import { prepareModbusTcp } from '../drivers/modbus-tcp/driver.ts'
import { createNorthbound } from '../drivers/northbound-http/driver.ts'
import { type Field, prepareField } from '../field/field.ts'
import type { LineNeeds } from '../field/line.ts'
import { createPorts } from '../field/ports.ts'
import { isUnknownOf } from '../field/unknown-device.ts'
import { openStore } from '../store/open-store.ts'
import { createOutbox } from '../store/outbox.ts'
import { createSender } from '../uplink/sender.ts'
import { createUnknownDeviceReporter } from '../uplink/unknown-device-reporter.ts'
import { openUplink } from '../uplink/uplink.mqtt.ts'
import type { Settings } from './config.ts'
import { type Health, toHealth, toHealthReading } from './health.ts'

export interface GatewayOptions extends Omit<Settings, 'place'> {
  readonly report: (text: string) => void
  readonly now?: () => number
  readonly onPolled?: LineNeeds['onPolled']
}

/** A running gateway. */
export interface Gateway {
  /** Port on which transparent units connect. */
  readonly dtuPort: () => number | undefined
  /** Port to which platforms push. */
  readonly pushPort: () => number | undefined
  readonly health: () => Health
  /**
   * Replaces lines, devices and profiles; connections of the former lines are closed. Throws if the configuration
   * cannot be started; the former lines then continue. `leavesOutFaults`: leaves out devices that cannot be polled
   * instead of throwing.
   */
  readonly configure: (config: GatewayConfig, leavesOutFaults: boolean) => Promise<void>
  /** Sets whether the newest configuration is refused, for the health report. */
  readonly setRefused: (isRefused: boolean) => void
  readonly close: () => Promise<void>
}

const HEALTH_MS = MINUTE_MS
const PRUNE_MS = 60 * MINUTE_MS

/** Maximum number of commands that wait for the first configuration. */
const MAX_EARLY = 1_000

/**
 * Starts the store, the connection to the broker and everything between; the lines start with the first
 * configuration.
 */
export function startGateway(options: GatewayOptions): Gateway {
  const { report, now = Date.now, name } = options
  const store = openStore(options.dataFolder, report)
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
  let executor: CommandExecutor | undefined
  let field: Field | undefined
  let isRefused = false
  /** Commands that arrived before the first configuration. */
  const early: unknown[] = []
  const clientId = `isotherm-${name.tenant}-${name.gateway}`
  const stored = (): Promise<void> => sender.stored()
  const drivers = {
    'dtu-tcp': createDtuTcp(createPorts(report)),
    'dtu-mqtt': createDtuMqtt({ clientId }),
    'modbus-tcp': prepareModbusTcp,
    'chirpstack-mqtt': createChirpstack({ clientId, now, stored }),
    'northbound-http': createNorthbound({ ports: createPorts(report), now, stored }),
  }

  const uplink = openUplink({
    ...name,
    url: options.mqttUrl,
    password: options.password,
    tls: options.tls,
    boot: () => outbox.boot,
    now,
    onConnected: () => sender.connected(),
    onAck: (boot, seq) => sender.acknowledge(boot, seq),
    onCommand: receive,
    onHistory: (args) => sender.request(args),
    onProblem: report,
  })
  function receive(message: unknown): void {
    if (executor === undefined) {
      if (early.length < MAX_EARLY) early.push(message)
    } else if (!scans.receive(message)) executor.receive(message)
  }

  const sender = createSender({
    outbox,
    now,
    publish: uplink.publish,
    isConnected: uplink.isConnected,
    historyDelayMs: () => options.historyDelayMs * Math.random(),
    onProblem: report,
  })

  const unknownDevices = createUnknownDeviceReporter({
    now,
    isConnected: uplink.isConnected,
    publish: uplink.publish,
  })

  let storeProblem = ''
  /** Runs work that may fail on a full disk; a failure is only logged. */
  function tryStore(work: () => void): void {
    try {
      work()
      storeProblem = ''
    } catch (error) {
      const problem = `the journal cannot be written: ${error instanceof Error ? error.message : error}`
      if (problem !== storeProblem) report(problem)
      storeProblem = problem
    }
  }

  function publishReply(reply: object): Promise<void> {
    const seq = replySeq++
    tryStore(() => store.write('reply-seq', replySeq))
    return uplink.publish('reply', JSON.stringify({ v: 1, boot: outbox.boot, seq, ...reply }))
  }

  function sendReply(reply: Reply): void {
    publishReply(reply).then(
      () => tryStore(() => journal.markReported(reply)),
      // Sent again by the next process; this one repeats it until the broker has it.
      () => undefined,
    )
  }

  const scans = createLineScans({
    self: name.gateway,
    now,
    findLine: (id) => field?.lines.find((line) => line.id === id),
    send: (reply) => publishReply(reply).catch(() => undefined),
  })

  async function configure(config: GatewayConfig, leavesOutFaults: boolean): Promise<void> {
    const prepared = await prepareField(config, {
      drivers,
      report,
      onUnknownDevice: unknownDevices.add,
      leavesOutFaults,
    })
    executor?.close()
    await field?.close()
    unknownDevices.retain((device) => isUnknownOf(config.lines, device))
    const next = prepared.start({
      now,
      findMark: outbox.findMark,
      onReadings: sender.add,
      ...(options.onPolled === undefined ? {} : { onPolled: options.onPolled }),
    })
    field = next
    executor = createCommandExecutor({
      self: name.gateway,
      journal,
      now,
      find: next.find,
      send: sendReply,
      wait: (ms) => delay(ms, undefined, { ref: false }),
    })
    executor.resume()
    for (const message of early.splice(0)) receive(message)
  }

  const health = (): Health => toHealth(field?.lines ?? [], outbox, isRefused)
  const addHealth = (): void => sender.add([toHealthReading(name.gateway, now(), health())])
  const reportHealth = setInterval(() => {
    addHealth()
    if (droppedSince === 0) return
    report(
      `the store was full: ${droppedSince} of the oldest readings were dropped, ${outbox.dropped} in all`,
    )
    droppedSince = 0
  }, HEALTH_MS)
  const prune = setInterval(() => tryStore(journal.prune), PRUNE_MS)

  async function close(): Promise<void> {
    clearInterval(reportHealth)
    clearInterval(prune)
    executor?.close()
    await field?.close()
    unknownDevices.close()
    sender.close()
    await uplink.close()
    // Answers of the broker that are already received are handled before the file closes.
    await delay(0)
    store.close()
  }

  // Soon after the start, so that the server shows the health without a delay of a minute.
  setTimeout(addHealth, 5 * SECOND_MS).unref()
  return {
    dtuPort: () => field?.dtuPort,
    pushPort: () => field?.pushPort,
    health,
    configure,
    setRefused(next) {
      if (isRefused === next) return
      isRefused = next
      addHealth()
    },
    close,
  }
}
