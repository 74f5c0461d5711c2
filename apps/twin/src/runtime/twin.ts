import { join } from 'node:path'
import { createRandom } from '@isotherm/kernel/random'
import {
  type Concentrator,
  collectTelemetry,
  createConcentrator,
  receiveCommand,
  runMeters,
  runMotors,
} from '../devices/concentrator.ts'
import { createPlant, type Plant, stepPlant } from '../plant/plant.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { type ConcentratorLink, openLink } from './concentrator-link.mqtt.ts'
import type { TwinConfig } from './config.ts'
import { restoreSnapshot, takeSnapshot } from './snapshot.ts'
import { readSnapshotFile, writeSnapshotFile } from './snapshot-file.ts'

const TICK_MS = 500
const SNAPSHOT_EVERY_MS = 60_000
const REPLAY_EVERY_MS = 1000
/** After a sleep of the machine, time goes on from here instead of racing to catch up. */
const LONGEST_TICK_MS = 5000
/** A move takes at least this long for a person who watches, s. */
const VISIBLE_MOVE_S = 2

/** The running twin. */
export interface Twin {
  readonly plant: Plant
  readonly boot: number
  readonly deviceCount: number
  /** Settles when every concentrator is connected and had a report acknowledged. */
  readonly ready: Promise<void>
  /** Saves, says goodbye and disconnects. */
  readonly stop: () => Promise<void>
}

interface Prepared {
  readonly plant: Plant
  readonly concentrators: readonly Concentrator[]
  readonly boot: number
}

/** Plant and devices, from the snapshot where there is one. Boot numbers never repeat, even when it was lost. */
function prepare(scenario: Scenario, config: TwinConfig, path: string, nowMs: number): Prepared {
  const saved = readSnapshotFile(path, scenario.seed)
  if (saved.kind === 'unusable') console.error(`twin: ${path} is not used: ${saved.reason}`)
  const snapshot = saved.kind === 'snapshot' ? saved.snapshot : undefined
  const boot = snapshot === undefined ? Math.floor(nowMs / 1000) : snapshot.boot + 1
  const plant = createPlant(scenario, snapshot === undefined ? 'warm-up' : 'cold')
  const noise = createRandom(nowMs)
  const minMoveS = VISIBLE_MOVE_S * config.timeFactor
  const concentrators = plant.stations.map((station) =>
    createConcentrator(station, { seed: scenario.seed, boot, minMoveS, noise }),
  )
  if (snapshot !== undefined) restoreSnapshot(snapshot, plant, concentrators)
  // Fills what is derived (flows, temperatures at nodes) before anyone reads it.
  stepPlant(plant, 1)
  return { plant, concentrators, boot }
}

const countDevices = ({ valves, meters, rooms }: Concentrator): number =>
  valves.size + meters.length + rooms.length + 2

/** Starts plant, devices and connections of a company, and lets its time run. */
export function startTwin(scenario: Scenario, config: TwinConfig, now: () => number): Twin {
  const path = join(config.dataFolder, 'twin.json')
  const { plant, concentrators, boot } = prepare(scenario, config, path, now())
  const save = () => writeSnapshotFile(path, takeSnapshot(plant, concentrators, boot))
  // The boot number is on disk before the first message carries it.
  save()
  const pairs = concentrators.map((concentrator) => ({
    concentrator,
    link: openLink({
      url: config.mqttUrl,
      secret: config.mqttSecret,
      tenant: scenario.tenant,
      node: concentrator.serial,
      boot,
      timeFactor: config.timeFactor,
      now,
      onCommand: (message) => receiveCommand(concentrator, message, now(), plant.simTimeS),
      onProblem: (text) => console.error(`twin: ${concentrator.serial}: ${text}`),
    }),
  }))
  const links: readonly ConcentratorLink[] = pairs.map(({ link }) => link)

  let last = now()
  const tick = (): void => {
    const at = now()
    const simS = (Math.min(LONGEST_TICK_MS, Math.max(0, at - last)) / 1000) * config.timeFactor
    last = at
    for (const { concentrator, link } of pairs) {
      link.sendReplies(runMotors(concentrator, at, plant.simTimeS + simS))
    }
    stepPlant(plant, simS)
    for (const { concentrator, link } of pairs) {
      runMeters(concentrator, simS)
      link.sendTelemetry(collectTelemetry(concentrator, at, plant.simTimeS))
    }
  }
  const timers = [
    setInterval(tick, TICK_MS),
    setInterval(() => {
      for (const link of links) link.replay()
    }, REPLAY_EVERY_MS),
    setInterval(save, SNAPSHOT_EVERY_MS),
  ]
  return {
    plant,
    boot,
    deviceCount: concentrators.reduce((sum, concentrator) => sum + countDevices(concentrator), 0),
    ready: Promise.all(links.map((link) => link.ready)).then(() => undefined),
    stop: async () => {
      for (const timer of timers) clearInterval(timer)
      save()
      await Promise.all(links.map((link) => link.close()))
    },
  }
}
