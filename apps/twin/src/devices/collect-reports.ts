import {
  type ChildReading,
  MAX_CHILDREN,
  type RawFrame,
  type RawMessage,
  type TelemetryMessage,
} from '@isotherm/contract/mqtt'
import { distortDisplay, distortSensors, type Held, type Shown } from '../faults/distort.ts'
import { isFlat, takeForReport } from './battery.ts'
import { traceRead } from './bus-trace.ts'
import { type Child, type Concentrator, periodMs } from './concentrator.ts'
import { readMeter } from './heat-meter.ts'
import { showTime } from './node-clock.ts'
import { takeTurn } from './report-clock.ts'
import { readRoom } from './room-sensor.ts'
import { readStation } from './station-device.ts'
import { isSilent, readValve } from './valve-device.ts'

const SIGNAL_DBM = -67

/** What a child's sensors give, with those that are wrong; a meter's calculator has them inside. */
function measure(concentrator: Concentrator, child: Child, simTimeS: number): Shown {
  const { plant, faults } = concentrator
  const wrong = faults.of(child.serial)
  if (child.kind === 'heat-meter') return readMeter(child.device, plant, wrong, simTimeS)
  const shown = readOther(concentrator, child)
  if (wrong.length > 0) distortSensors(wrong, shown, simTimeS)
  return shown
}

function readOther({ plant }: Concentrator, child: Exclude<Child, { kind: 'heat-meter' }>): Shown {
  if (child.kind === 'valve') return readValve(child.device, plant)
  if (child.kind === 'room-sensor') return readRoom(child.device, plant)
  return child.kind === 'station' ? readStation(child.device, plant) : { rssi: SIGNAL_DBM }
}

function heldOf({ held }: Concentrator, serial: string): Held {
  const own = held.get(serial) ?? new Map<string, number>()
  held.set(serial, own)
  return own
}

/** What a child shows now, by metric name. */
function show(concentrator: Concentrator, child: Child, simTimeS: number): Shown {
  const shown = measure(concentrator, child, simTimeS)
  const wrong = concentrator.faults.of(child.serial)
  if (wrong.length > 0 || concentrator.held.has(child.serial)) {
    const held = heldOf(concentrator, child.serial)
    distortDisplay(wrong, shown, held, concentrator.noise.draw)
    if (held.size === 0) concentrator.held.delete(child.serial)
  }
  return shown
}

const isDumb = ({ faults }: Concentrator, child: Child): boolean => {
  if (child.kind === 'valve') return isSilent(child.device, faults)
  if (child.kind === 'room-sensor' && isFlat(child.device.battery)) return true
  return child.kind !== 'concentrator' && faults.find(child.serial, 'offline') !== undefined
}

/** What a report costs a battery, and that its valve now listens for a while. */
function wake({ firmware }: Concentrator, child: Child, nowMs: number): void {
  if (child.kind === 'room-sensor') takeForReport(child.device.battery, 'lora')
  if (child.kind !== 'valve' || child.device.battery === undefined) return
  takeForReport(child.device.battery, 'nb-iot')
  if (firmware.awakeS !== undefined) child.device.awakeUntilMs = nowMs + firmware.awakeS * 1000
}

/** What a concentrator has to say after a step: readings, and what it heard on the bus. */
export interface Reports {
  readonly telemetry: readonly TelemetryMessage[]
  readonly raw: readonly RawMessage[]
}

interface Collected {
  readonly readings: ChildReading[]
  readonly frames: RawFrame[]
}

/** Asks a child whose turn it is, unless it is dumb. */
function ask(
  concentrator: Concentrator,
  child: Child,
  nowMs: number,
  simTimeS: number,
  { readings, frames }: Collected,
): void {
  const { clock, firmware } = concentrator
  const ts = showTime(clock, nowMs)
  const m = isDumb(concentrator, child) ? undefined : show(concentrator, child, simTimeS)
  if (firmware.busTrace && child.kind === 'heat-meter') {
    frames.push(...traceRead(child.serial, m, { ts, simTimeS }))
  }
  if (m === undefined) return
  readings.push({ id: child.serial, ts, m })
  wake(concentrator, child, nowMs)
}

/** Items in messages of at most MAX_CHILDREN. */
const inMessages = <Item>(items: readonly Item[]): Item[][] =>
  Array.from({ length: Math.ceil(items.length / MAX_CHILDREN) }, (_, index) =>
    items.slice(index * MAX_CHILDREN, (index + 1) * MAX_CHILDREN),
  )

/** Messages with the readings that are due, and with the frames that were said for them. */
export function collectReports(concentrator: Concentrator, nowMs: number, simTimeS: number): Reports {
  const { children, reports, noise, boot } = concentrator
  const collected: Collected = { readings: [], frames: [] }
  for (let place = 0; place < children.length; place++) {
    const child = children[place]
    if (child === undefined || nowMs < (reports.dueMs[place] ?? 0)) continue
    if (!takeTurn(reports, place, periodMs(concentrator, child.kind), nowMs, noise.draw)) continue
    ask(concentrator, child, nowMs, simTimeS, collected)
  }
  const head = { v: 1, boot, ts: showTime(concentrator.clock, nowMs) } as const
  return {
    telemetry: inMessages(collected.readings).map((d) => ({
      ...head,
      seq: concentrator.telemetrySeq++,
      d,
    })),
    raw: inMessages(collected.frames).map((f) => ({ ...head, seq: concentrator.rawSeq++, f })),
  }
}
