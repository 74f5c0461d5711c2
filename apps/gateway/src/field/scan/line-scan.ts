import type { LineFrame } from '@isotherm/codecs/stream/line-parser'
import type { ScanMethod, ScanProgress } from '@isotherm/contract/mqtt'
import type { Exchanger } from '../exchanger.ts'
import { createScan } from './scan.ts'

/** How a search ended. `withdrawn`: the line was closed, for example by a new configuration. */
export type ScanEnd = 'done' | 'stopped' | 'expired' | 'withdrawn'

export interface ScanOrder {
  readonly method: ScanMethod
  /** The search ends at this instant, Unix ms. */
  readonly until: number
  /** Called after each step until the search ends. */
  readonly onProgress: (progress: ScanProgress) => void
}

/** A search of a line that is going on. */
export interface RunningScan {
  readonly ended: Promise<ScanEnd>
  readonly stop: () => void
}

/** The search of a line, as the line runs it: one at a time. */
export interface LineScan {
  /** Undefined while another search of the line is running. */
  readonly start: (order: ScanOrder) => RunningScan | undefined
  /** The instant at which the search ends at the latest, Unix ms; undefined if there is none. */
  readonly until: () => number | undefined
  /** A request of the line selected a meter by its secondary address. */
  readonly onSelected: () => void
  /** Sends the next request of the search. */
  readonly step: (on: Exchanger) => Promise<void>
  readonly end: (how: ScanEnd) => void
}

/** Maximum wait for an acknowledgement, which is one byte, ms. Longer answers have the time-out of the line. */
const ACK_MS = 1_500

export interface LineScanNeeds {
  readonly timeOutMs: number
  /** Called when a search starts or stops. */
  readonly wake: () => void
  /** Called with the answer of a device. Returns whether the device is configured on the line. */
  readonly onFound: (frame: LineFrame) => boolean
}

export function createLineScan({ timeOutMs, wake, onFound }: LineScanNeeds): LineScan {
  let running:
    | {
        readonly order: ScanOrder
        readonly scan: ReturnType<typeof createScan>
        readonly resolve: (end: ScanEnd) => void
        known: number
      }
    | undefined

  function end(how: ScanEnd): void {
    running?.resolve(how)
    running = undefined
  }

  return {
    start(order) {
      if (running !== undefined) return undefined
      const { promise, resolve } = Promise.withResolvers<ScanEnd>()
      const started = { order, scan: createScan(order.method), resolve, known: 0 }
      running = started
      wake()
      return {
        ended: promise,
        stop() {
          if (running !== started) return
          end('stopped')
          wake()
        },
      }
    },
    until: () => running?.order.until,
    onSelected: () => running?.scan.onSelected(),
    async step(on) {
      const current = running
      if (current === undefined) return
      const { scan, order } = current
      const frame = await scan.step(({ isLong, ...request }) =>
        on.exchange({
          ...request,
          formats: scan.formats,
          timeOutMs: isLong ? timeOutMs : Math.min(ACK_MS, timeOutMs),
        }),
      )
      if (frame !== undefined && onFound(frame)) current.known++
      // Somebody may have stopped it during the step.
      if (running !== current) return
      order.onProgress({ ...scan.progress(), known: current.known })
      if (scan.isEnded()) end('done')
    },
    end,
  }
}
