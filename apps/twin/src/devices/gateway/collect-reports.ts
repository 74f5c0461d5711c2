import type { ChildReading, RawFrame, RawMessage, TelemetryMessage } from '@isotherm/contract/mqtt'
import { traceRead } from '../bus/bus-trace.ts'
import { takeForReport } from '../models/battery.ts'
import { type Child, type FieldGateway, periodMs } from './field-gateway.ts'
import { showTime } from './gateway-clock.ts'
import { numberFrames, numberReadings } from './number-messages.ts'
import { readChild } from './read-child.ts'
import { takeDueReport } from './report-clock.ts'

/** Discharges the battery by a report; a sleeping valve then listens for some time. */
function wake({ firmware, ownLink }: FieldGateway, child: Child, nowMs: number): void {
  if (child.kind === 'room-sensor') takeForReport(child.device.battery, 'lora')
  if (child.kind !== 'valve' || child.device.battery === undefined) return
  takeForReport(child.device.battery, 'nb-iot')
  const awakeS = ownLink?.awakeS ?? firmware.awakeS
  if (awakeS !== undefined) child.device.awakeUntilMs = nowMs + awakeS * 1000
}

/** Messages of a gateway after a step: readings, and frames of its bus. */
export interface Reports {
  readonly telemetry: readonly TelemetryMessage[]
  readonly raw: readonly RawMessage[]
}

interface Collected {
  readonly readings: ChildReading[]
  readonly frames: RawFrame[]
}

/** Reads a child whose report is due, unless it does not answer. */
function reportChild(
  gateway: FieldGateway,
  child: Child,
  nowMs: number,
  simTimeS: number,
  { readings, frames }: Collected,
): void {
  const { clock, firmware } = gateway
  const ts = showTime(clock, nowMs)
  const m = readChild(gateway, child, simTimeS)
  if (firmware.busTrace && child.kind === 'heat-meter') {
    frames.push(...traceRead(child.serial, m, { ts, simTimeS }))
  }
  if (m === undefined) return
  readings.push({ id: child.serial, ts, m })
  wake(gateway, child, nowMs)
}

/** Messages with the due readings, and with the bus frames of their reads. */
export function collectReports(gateway: FieldGateway, nowMs: number, simTimeS: number): Reports {
  const { children, reports, noise } = gateway
  const collected: Collected = { readings: [], frames: [] }
  for (let place = 0; place < children.length; place++) {
    const child = children[place]
    if (child === undefined || nowMs < (reports.dueMs[place] ?? 0)) continue
    if (!takeDueReport(reports, place, periodMs(gateway, child.kind), nowMs, noise.draw)) continue
    reportChild(gateway, child, nowMs, simTimeS, collected)
  }
  return {
    telemetry: numberReadings(gateway, collected.readings, nowMs),
    raw: numberFrames(gateway, collected.frames, nowMs),
  }
}
