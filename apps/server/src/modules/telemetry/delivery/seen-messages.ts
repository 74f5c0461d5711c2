import type { AckMessage } from '@isotherm/contract/mqtt'
import { containsNumber, insertNumbers, MAX_BOOTS, type Runs } from '../messages/number-runs.ts'

interface GatewayBoots {
  /** Runs by boot, in the order the boots were first met. */
  readonly boots: Map<number, Runs>
  latestBoot: number
}

/**
 * Which messages of each node are durable, by their numbers. Nodes count without gaps, so the numbers are
 * kept as runs and a node costs a few dozen bytes. What is forgotten under its bounds is caught by the row
 * key of the store.
 */
export interface SeenMessages {
  has(gatewayId: number, boot: number, seq: number): boolean
  add(gatewayId: number, boot: number, seq: number): void
  /** Adds numbers of a boot, both ends included. */
  addRun(gatewayId: number, boot: number, from: number, to: number): void
  /**
   * The newest boot of a node and the number up to which everything from its first, 0, is durable. None while
   * the beginning is missing: a node erases what this acknowledges.
   */
  findWatermark(gatewayId: number): AckMessage | undefined
  /** How many runs of numbers are missing between or before those that are durable. */
  countGaps(gatewayId: number): number
  /** What is missing, oldest first. Before the first boot that is known of a node nothing is. */
  listGaps(gatewayId: number): readonly Gap[]
}

/** Numbers of a boot, both ends included. */
export interface Gap {
  readonly boot: number
  readonly from: number
  readonly to: number
}

/** Whether a boot's numbers are known from 0 on, where an earlier boot of the node is known. */
const beginsLate = (known: GatewayBoots, boot: number, runs: Runs): boolean => {
  const [first] = known.boots.keys()
  return boot !== first && (runs.starts[0] ?? 0) > 0
}

function listGapsOf(known: GatewayBoots, boot: number, runs: Runs): Gap[] {
  const gaps: Gap[] = beginsLate(known, boot, runs) ? [{ boot, from: 0, to: (runs.starts[0] ?? 0) - 1 }] : []
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
    countGaps(gatewayId) {
      const known = gateways.get(gatewayId)
      let count = 0
      for (const [boot, runs] of known?.boots ?? []) {
        count += runs.starts.length - 1 + Number(known !== undefined && beginsLate(known, boot, runs))
      }
      return count
    },
    listGaps(gatewayId) {
      const known = gateways.get(gatewayId)
      return known ? [...known.boots].flatMap(([boot, runs]) => listGapsOf(known, boot, runs)) : []
    },
    findWatermark(gatewayId) {
      const known = gateways.get(gatewayId)
      const runs = known?.boots.get(known.latestBoot)
      const seq = runs?.starts[0] === 0 ? runs.ends[0] : undefined
      return known && seq !== undefined ? { boot: known.latestBoot, seq } : undefined
    },
  }
}
