import type { AckMessage } from '@isotherm/contract/mqtt'
import type { StoredRun } from '../messages/message-key.ts'
import { containsNumber, insertNumbers, MAX_BOOTS, type Runs } from '../messages/number-runs.ts'

interface GatewayBoots {
  /** Runs by boot, in the order in which the boots were first seen. */
  readonly boots: Map<number, Runs>
  latestBoot: number
}

/**
 * Numbers of the durable messages of each gateway. A gateway counts without gaps, so the numbers are stored as runs and
 * take a few dozen bytes per gateway. The store merges equal rows, so a message that is forgotten here is still stored
 * once.
 */
export interface SeenMessages {
  has(gatewayId: number, boot: number, seq: number): boolean
  add(gatewayId: number, boot: number, seq: number): void
  /** Adds numbers of a boot, both ends included. */
  addRun(gatewayId: number, boot: number, from: number, to: number): void
  /**
   * A boot of a gateway (default: the newest) and the number up to which all its messages from 0 on are durable. Undefined
   * while the first ones are missing, because a gateway deletes what the watermark covers.
   */
  findWatermark(gatewayId: number, boot?: number): AckMessage | undefined
  /** The runs of all boots of all gateways, each gateway's together; the caller may wait between two gateways. */
  listRuns(): Iterable<StoredRun>
  /** Number of runs that are missing between or before the durable ones. */
  countGaps(gatewayId: number): number
  /** The missing runs, oldest first. Nothing is missing before the first known boot of a gateway. */
  listGaps(gatewayId: number): readonly Gap[]
}

/** Missing numbers of a boot, both ends included. */
export interface Gap {
  readonly boot: number
  readonly from: number
  readonly to: number
}

/** Whether the first numbers of a boot are missing. Only known if an earlier boot of the gateway is known. */
const startsLate = (known: GatewayBoots, boot: number, runs: Runs): boolean => {
  const [first] = known.boots.keys()
  return boot !== first && (runs.starts[0] ?? 0) > 0
}

function listGapsOf(known: GatewayBoots, boot: number, runs: Runs): Gap[] {
  const gaps: Gap[] = startsLate(known, boot, runs) ? [{ boot, from: 0, to: (runs.starts[0] ?? 0) - 1 }] : []
  for (let run = 1; run < runs.starts.length; run += 1) {
    gaps.push({ boot, from: (runs.ends[run - 1] ?? 0) + 1, to: (runs.starts[run] ?? 0) - 1 })
  }
  return gaps
}

export function createSeenMessages(): SeenMessages {
  const gateways = new Map<number, GatewayBoots>()

  function getRuns(gatewayId: number, boot: number): Runs {
    let known = gateways.get(gatewayId)
    if (!known) {
      known = { boots: new Map(), latestBoot: boot }
      gateways.set(gatewayId, known)
    }
    let runs = known.boots.get(boot)
    if (!runs) {
      runs = { starts: [], ends: [] }
      known.boots.set(boot, runs)
      known.latestBoot = Math.max(known.latestBoot, boot)
      const [oldest] = known.boots.keys()
      if (known.boots.size > MAX_BOOTS && oldest !== undefined) known.boots.delete(oldest)
    }
    return runs
  }

  return {
    has(gatewayId, boot, seq) {
      const runs = gateways.get(gatewayId)?.boots.get(boot)
      return runs !== undefined && containsNumber(runs, seq)
    },
    add: (gatewayId, boot, seq) => insertNumbers(getRuns(gatewayId, boot), seq, seq),
    addRun: (gatewayId, boot, from, to) => insertNumbers(getRuns(gatewayId, boot), from, to),
    *listRuns() {
      for (const [gatewayId, { boots }] of gateways)
        for (const [boot, { starts, ends }] of boots)
          for (const [index, from] of starts.entries())
            yield { gatewayId, boot, from, to: ends[index] ?? from }
    },
    countGaps(gatewayId) {
      const known = gateways.get(gatewayId)
      let count = 0
      for (const [boot, runs] of known?.boots ?? []) {
        count += runs.starts.length - 1 + Number(known !== undefined && startsLate(known, boot, runs))
      }
      return count
    },
    listGaps(gatewayId) {
      const known = gateways.get(gatewayId)
      return known ? [...known.boots].flatMap(([boot, runs]) => listGapsOf(known, boot, runs)) : []
    },
    findWatermark(gatewayId, ofBoot) {
      const known = gateways.get(gatewayId)
      if (!known) return undefined
      const boot = ofBoot ?? known.latestBoot
      const runs = known.boots.get(boot)
      const seq = runs?.starts[0] === 0 ? runs.ends[0] : undefined
      return seq === undefined ? undefined : { boot, seq }
    },
  }
}
