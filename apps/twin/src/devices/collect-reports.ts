import type { ChildReading, RawFrame, RawMessage, TelemetryMessage } from '@isotherm/contract/mqtt'
import { takeForReport } from './battery.ts'
import { traceRead } from './bus-trace.ts'
import { type Child, type Concentrator, periodMs } from './concentrator.ts'
import { showTime } from './node-clock.ts'
import { numberFrames, numberReadings } from './number-messages.ts'
import { takeTurn } from './report-clock.ts'
import { askChild } from './show-child.ts'

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
  const m = askChild(concentrator, child, simTimeS)
  if (firmware.busTrace && child.kind === 'heat-meter') {
    frames.push(...traceRead(child.serial, m, { ts, simTimeS }))
  }
  if (m === undefined) return
  readings.push({ id: child.serial, ts, m })
  wake(concentrator, child, nowMs)
}

/** Messages with the readings that are due, and with the frames that were said for them. */
export function collectReports(concentrator: Concentrator, nowMs: number, simTimeS: number): Reports {
  const { children, reports, noise } = concentrator
  const collected: Collected = { readings: [], frames: [] }
  for (let place = 0; place < children.length; place++) {
    const child = children[place]
    if (child === undefined || nowMs < (reports.dueMs[place] ?? 0)) continue
    if (!takeTurn(reports, place, periodMs(concentrator, child.kind), nowMs, noise.draw)) continue
    ask(concentrator, child, nowMs, simTimeS, collected)
  }
  return {
    telemetry: numberReadings(concentrator, collected.readings, nowMs),
    raw: numberFrames(concentrator, collected.frames, nowMs),
  }
}
