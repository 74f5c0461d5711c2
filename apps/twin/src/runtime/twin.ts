import { join } from 'node:path'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { type FieldGateway, isAwake, rebootGateway } from '../devices/gateway/field-gateway.ts'
import { setTime, showTime } from '../devices/gateway/gateway-clock.ts'
import type { DeviceFault, FaultKind } from '../faults/fault.ts'
import type { Field } from '../field/field.ts'
import { writeForecast } from '../files/forecast-file.ts'
import { setLoopValve } from '../plant/station-plant.ts'
import type { Scenario } from '../scenarios/scenario.ts'
import { openSeason, sendSeason } from '../season/send-season.ts'
import { isTimeFactor, type TwinConfig } from './config.ts'
import { type GatewayLink, openLink } from './gateway-link.mqtt.ts'
import { prepareField, VISIBLE_MOVE_S } from './prepare-field.ts'
import { restoreSnapshot, type TwinSnapshot, takeSnapshot } from './snapshot.ts'
import { writeSnapshotFile } from './snapshot-file.ts'
import { createTicker } from './ticker.ts'

const SNAPSHOT_EVERY_MS = MINUTE_MS
const REPLAY_EVERY_MS = 1000
/** A larger company has no season before its first start: to simulate it takes too long on a small machine. */
const MAX_SEASON_DEVICES = 2000

/** Controls of the running twin for tests and exercises; not available over MQTT. */
export interface TwinControl {
  /** Stops the plant; devices continue to report. */
  readonly pause: () => void
  readonly resume: () => void
  /** Advances by simulated seconds immediately, paused or not. */
  readonly step: (simS: number) => void
  /** Sets the time factor, 1 to 3600 simulated seconds per second; every gateway announces it. */
  readonly setTimeFactor: (factor: number) => void
  /** Opens or shuts the manual valve of a station's loop from the next step on. */
  readonly setLoopValve: (station: string, loop: number, isOpen: boolean) => void
  readonly inject: (fault: DeviceFault) => void
  readonly repair: (target: string, kind?: FaultKind) => number
  readonly snapshot: () => TwinSnapshot
  /** Restores a snapshot of this scenario. Gateways reboot, so that message numbers never repeat. */
  readonly restore: (snapshot: TwinSnapshot) => void
}

/** The running twin. `field` is its true state. */
export interface Twin {
  readonly field: Field
  readonly control: TwinControl
  readonly deviceCount: number
  readonly boot: () => number
  /** Settles when every gateway is connected and got a report acknowledged, except sleeping ones. */
  readonly ready: Promise<void>
  /** Settles when the history before the first start is sent; earlier if there is none. */
  readonly seasonSent: Promise<void>
  /** Saves the state and disconnects cleanly. */
  readonly stop: () => Promise<void>
}

interface Pair {
  readonly gateway: FieldGateway
  readonly link: GatewayLink
}

function openPair(
  gateway: FieldGateway,
  field: Field,
  config: TwinConfig,
  timeFactor: () => number,
  now: () => number,
): Pair {
  const { tenant } = field.plant.scenario
  const link = openLink({
    url: config.mqttUrl,
    secret: config.mqttSecret,
    tenant,
    gateway: gateway.serial,
    sleeps: gateway.ownLink !== undefined,
    boot: () => gateway.boot,
    timeFactor,
    bufferMessages: gateway.firmware.bufferMessages,
    now,
    stamp: () => showTime(gateway.clock, now()),
    onCommand: (message) => field.receive(gateway, message, now()),
    onFrames: (frames) => field.passFrames(gateway, frames, now()),
    onTime: (serverMs) => setTime(gateway.clock, serverMs, now()),
    onProblem: (text) => console.error(`twin: ${gateway.serial}: ${text}`),
  })
  return { gateway, link }
}

/** Starts plant, devices, connections and time of a company. */
export function startTwin(scenario: Scenario, config: TwinConfig, now: () => number): Twin {
  const path = join(config.dataFolder, 'twin.json')
  const forecastPath = join(config.dataFolder, 'forecast.json')
  const reportProblem = (problem: string): void => console.error(`twin: ${problem}`)
  const prepared = prepareField(scenario, path, config.timeFactor, now(), reportProblem)
  const { field, pace } = prepared
  let boot = prepared.boot
  const snapshot = () => takeSnapshot(field, boot)
  const save = () => writeSnapshotFile(path, snapshot())
  /** A failed save is reported; the field continues, and the next save is tried as usual. */
  const trySave = () => {
    try {
      save()
      writeForecast(forecastPath, field.plant, { nowMs: now(), timeFactor })
    } catch (error) {
      reportProblem(`${path} was not written: ${error instanceof Error ? error.message : error}`)
    }
  }
  const deviceCount = field.gateways.reduce((sum, { children }) => sum + children.length, 0)
  const hasSeason = prepared.isFirst && deviceCount <= MAX_SEASON_DEVICES
  const season = openSeason({
    path: join(config.dataFolder, 'season.json'),
    days: hasSeason ? config.seasonDays : 0,
    boot,
    nowMs: now(),
  })
  let timeFactor = config.timeFactor
  // The boot number must be on disk before the first message contains it.
  save()
  writeForecast(forecastPath, field.plant, { nowMs: now(), timeFactor })
  const pairs = field.gateways.map((each) => openPair(each, field, config, () => timeFactor, now))

  const step = (nowMs: number, simS: number): void => {
    field.step(nowMs, simS).forEach(({ gateway, replies, telemetry, raw }, index) => {
      const link = pairs[index]?.link
      link?.setRadio(field.plant.faults.find(gateway.serial, 'offline') === undefined)
      link?.setAwake(isAwake(gateway, nowMs))
      link?.sendReplies(replies)
      link?.sendTelemetry(telemetry)
      link?.sendFrames(raw)
    })
  }
  const ticker = createTicker(now, (nowMs, wireS) => step(nowMs, wireS * timeFactor))
  const timers = [
    setInterval(ticker.tick, ticker.tickEveryMs),
    setInterval(() => {
      for (const { link } of pairs) link.replay()
    }, REPLAY_EVERY_MS),
    setInterval(trySave, SNAPSHOT_EVERY_MS),
  ]
  const ready = Promise.all(pairs.map(({ link }) => link.ready)).then(() => undefined)
  const stopped = new AbortController()
  const seasonSent = ready
    .then(() => season && sendSeason(season, { scenario, pairs, now, signal: stopped.signal }))
    .catch((error) =>
      reportProblem(`the season was not sent: ${error instanceof Error ? error.message : error}`),
    )
  return {
    field,
    boot: () => boot,
    deviceCount,
    ready,
    seasonSent,
    control: {
      pause: ticker.pause,
      resume: ticker.resume,
      step: (simS) => step(now(), simS),
      setTimeFactor: (factor) => {
        if (!isTimeFactor(factor)) throw new RangeError(`a time factor of ${factor}`)
        timeFactor = factor
        pace.minMoveS = VISIBLE_MOVE_S * factor
        for (const { link } of pairs) link.announce()
      },
      setLoopValve: (key, loop, isOpen) => {
        const station = field.plant.stations.find(({ spec }) => spec.key === key)
        if (station === undefined) throw new RangeError(`there is no station ${key}`)
        setLoopValve(station, loop, isOpen)
      },
      inject: field.inject,
      repair: field.plant.faults.repair,
      snapshot,
      restore: (saved) => {
        restoreSnapshot(saved, field)
        boot++
        for (const { gateway, link } of pairs) {
          rebootGateway(gateway, boot)
          link.announce()
        }
        save()
      },
    },
    stop: async () => {
      stopped.abort()
      for (const timer of timers) clearInterval(timer)
      save()
      await Promise.all(pairs.map(({ link }) => link.close()))
    },
  }
}
