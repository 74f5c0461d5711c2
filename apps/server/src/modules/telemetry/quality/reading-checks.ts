import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { SteadyClock } from '../../../platform/tasks/steady-clock.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { Sample } from '../messages/sample.ts'
import { createPlausibility } from '../plausibility/plausibility.ts'
import type { EndFindings, ListOpenFindings, StartFindings } from './finding-changes.ts'
import { createFindingWriter, type FindingWriter } from './finding-writer.ts'
import {
  type ClockEvent,
  createGatewayClocks,
  type GatewayClocks,
  type GatewayClocksOptions,
} from './gateway-clocks.ts'

export interface ReadingChecksOptions {
  readonly startFindings: StartFindings
  readonly endFindings: EndFindings
  readonly listOpenFindings: ListOpenFindings
  readonly clock: Clock
  readonly steady: Pick<SteadyClock, 'shiftMs'>
  readonly log: Log
  readonly directory: Pick<DeviceDirectory, 'findById' | 'onPlaced'>
  readonly timeFactor: () => number | undefined
  readonly publish: GatewayClocksOptions['publish']
  readonly clockChanged: (event: ClockEvent) => void
}

/** Checks readings for plausibility before they are stored. */
export interface ReadingChecks {
  readonly findings: FindingWriter
  readonly clocks: GatewayClocks
  /** Adds quality bits to the implausible values of a message. */
  judge(samples: readonly Sample[], live: boolean): readonly Sample[]
  /** Applies the judgement of another replica, so that all replicas remember the same of a device. */
  learn(samples: readonly Sample[]): void
  /** Restores the open findings. */
  restore(): Promise<void>
}

export function createReadingChecks(options: ReadingChecksOptions): ReadingChecks {
  const { clock, log, directory, timeFactor } = options
  const findings = createFindingWriter({
    start: options.startFindings,
    end: options.endFindings,
    clock,
    log,
  })
  const clocks = createGatewayClocks({
    clock,
    steady: options.steady,
    sink: findings.sink,
    publish: options.publish,
    changed: options.clockChanged,
  })
  const live = createPlausibility({ sink: findings.sink, timeFactor })
  const backfill = createPlausibility({ sink: undefined, timeFactor })
  // Both remember the devices in use, however many there are, and no others.
  directory.onPlaced((_placed, left) => {
    for (const { id } of left) {
      if (directory.findById(id)) continue
      live.forget(id)
      backfill.forget(id)
    }
  })
  return {
    findings,
    clocks,
    judge: (samples, isLive) => (isLive ? live : backfill).judge(samples),
    learn(samples) {
      live.judge(samples)
    },
    async restore() {
      for (const { deviceId, rule, detail } of await options.listOpenFindings()) {
        const device = directory.findById(deviceId)
        if (!device) continue
        const { offsetS } = detail
        if (rule !== 'node-clock') live.reopen(device, rule)
        else clocks.restore(deviceId, typeof offsetS === 'number' ? offsetS * 1_000 : undefined)
      }
    },
  }
}
