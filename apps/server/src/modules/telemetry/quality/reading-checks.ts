import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import type { DeviceDirectory } from '../../devices/index.ts'
import type { Sample } from '../messages/sample.ts'
import { createPlausibility } from '../plausibility/plausibility.ts'
import type { FindingStore } from './finding-changes.ts'
import { createFindingWriter, type FindingWriter } from './finding-writer.ts'
import {
  type ClockEvent,
  createGatewayClocks,
  type GatewayClocks,
  type GatewayClocksOptions,
} from './gateway-clocks.ts'

export interface ReadingChecksOptions {
  readonly store: FindingStore
  readonly clock: Clock
  readonly log: Log
  readonly directory: Pick<DeviceDirectory, 'findById'>
  readonly timeFactor: () => number | undefined
  readonly publish: GatewayClocksOptions['publish']
  readonly clockChanged: (news: ClockEvent) => void
}

/** Holds readings against the rules of plausibility on their way into the house. */
export interface ReadingChecks {
  readonly findings: FindingWriter
  readonly clocks: GatewayClocks
  /** The samples of a message with what their values are doubted for. */
  judge(samples: readonly Sample[], live: boolean): readonly Sample[]
  /** Takes in what another replica judged, so that all know the same of a device. */
  learn(samples: readonly Sample[]): void
  /** Reads back which findings hold. */
  restore(): Promise<void>
}

/** Back-fill comes from the devices behind some concentrators at a time. */
const MOST_BACKFILLED = 20_000

export function createReadingChecks(options: ReadingChecksOptions): ReadingChecks {
  const { store, clock, log, directory, timeFactor } = options
  const findings = createFindingWriter({ store, clock, log })
  const clocks = createGatewayClocks({
    clock,
    sink: findings.sink,
    publish: options.publish,
    changed: options.clockChanged,
  })
  const live = createPlausibility({ sink: findings.sink, timeFactor })
  const backfill = createPlausibility({ sink: undefined, timeFactor, mostDevices: MOST_BACKFILLED })
  return {
    findings,
    clocks,
    judge: (samples, isLive) => (isLive ? live : backfill).judge(samples),
    learn(samples) {
      live.judge(samples)
    },
    async restore() {
      for (const { deviceId, rule, detail } of await store.listOpen()) {
        const device = directory.findById(deviceId)
        if (!device) continue
        const { offsetS } = detail
        if (rule !== 'node-clock') live.reopen(device, rule)
        else clocks.recall(deviceId, typeof offsetS === 'number' ? offsetS * 1_000 : undefined)
      }
    },
  }
}
