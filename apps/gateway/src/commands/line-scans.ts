import {
  type ReplyMessage,
  replyCodes,
  type ScanProgress,
  type ScanRequest,
  scanRequest,
  stopScanRequest,
} from '@isotherm/contract/mqtt'
import { SECOND_MS } from '@isotherm/kernel/durations'
import type { Line } from '../field/line.ts'
import type { RunningScan, ScanEnd } from '../field/scan/line-scan.ts'

type ScanReply = Pick<ReplyMessage, 'id' | 'dev' | 'ts' | 'stage' | 'code' | 'msg'> & {
  readonly res?: { readonly scan: ScanProgress }
}

export interface LineScansOptions {
  /** Serial of the gateway itself. */
  readonly self: string
  readonly now: () => number
  readonly findLine: (id: string) => Pick<Line, 'scan' | 'state'> | undefined
  readonly send: (reply: ScanReply) => void
}

/** Searches of lines that the server asks for. They are in no journal: a search that a restart interrupts is started again. */
export interface LineScans {
  /** False if the message is about no search. */
  receive(message: unknown): boolean
}

/** Time between two reports of a search, ms. A step may take longer, and waits for due polls. */
const PROGRESS_MS = 5 * SECOND_MS
/** Ended searches that are remembered, so that a repeated message does not start one again. */
const REMEMBERED = 32

const UNSUPPORTED = { code: replyCodes.unsupported, msg: 'its devices cannot be searched for' } as const

const ends: Readonly<Record<ScanEnd, Pick<ScanReply, 'code'> & { readonly msg?: string }>> = {
  done: { code: replyCodes.ok },
  stopped: { code: replyCodes.ok, msg: 'stopped' },
  expired: { code: replyCodes.expired, msg: 'out of time' },
  withdrawn: { code: replyCodes.superseded, msg: 'a new configuration came' },
}

export function createLineScans({ self, now, findLine, send }: LineScansOptions): LineScans {
  /** Running searches, and undefined for ended ones, by id. */
  const scans = new Map<string, RunningScan | undefined>()

  function findRefusal(
    dev: string,
    exp: number,
    line: ReturnType<typeof findLine>,
  ): { readonly code: number; readonly msg: string } | undefined {
    if (exp <= now()) return { code: replyCodes.expired, msg: 'expired' }
    if (dev !== self || line === undefined) return { code: replyCodes.noSuchChild, msg: 'no such line' }
    if (line.scan === undefined) return UNSUPPORTED
    return line.state().isOpen ? undefined : { code: replyCodes.busTimeout, msg: 'the line is offline' }
  }

  function start({ id, dev, args, exp }: ScanRequest): void {
    if (scans.has(id)) return
    const say = (given: Omit<ScanReply, 'id' | 'dev' | 'ts'>): void => send({ id, dev, ts: now(), ...given })
    const line = findLine(args.line)
    const refusal = findRefusal(dev, exp, line)
    if (refusal !== undefined || line?.scan === undefined) {
      say({ stage: 'accepted', ...(refusal ?? UNSUPPORTED) })
      return
    }
    let progress: ScanProgress = { requested: 0, of: 0, found: 0, known: 0, collisions: 0 }
    const sayProgress = (): void => say({ stage: 'running', code: replyCodes.ok, res: { scan: progress } })
    const running = line.scan({
      method: args.method,
      until: exp,
      onProgress(next) {
        const isFound = next.found > progress.found
        progress = next
        if (isFound) sayProgress()
      },
    })
    if (running === undefined) {
      say({ stage: 'accepted', code: replyCodes.busy, msg: 'another search of the line goes on' })
      return
    }
    scans.set(id, running)
    say({ stage: 'accepted', code: replyCodes.ok })
    const repeating = setInterval(sayProgress, PROGRESS_MS)
    repeating.unref()
    void running.ended.then((end) => {
      clearInterval(repeating)
      scans.set(id, undefined)
      for (const [old, other] of scans) if (scans.size > REMEMBERED && other === undefined) scans.delete(old)
      say({ stage: 'done', ...ends[end], res: { scan: progress } })
    })
  }

  return {
    receive(message) {
      const stop = stopScanRequest.safeParse(message)
      if (stop.success) scans.get(stop.data.id)?.stop()
      const request = scanRequest.safeParse(message)
      if (request.success) start(request.data)
      return stop.success || request.success
    },
  }
}
