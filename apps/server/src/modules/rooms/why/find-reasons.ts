import type { RoomState } from '@isotherm/contract/endpoints/monitoring/rooms'
import type { RoomRules } from '@isotherm/contract/rooms/room-bands'
import type { RoomReason } from '@isotherm/contract/rooms/room-reason'

/** Newest trusted values of the nearest valve or meter through which the water of a room flows. */
export interface Feed {
  readonly deviceId: number
  readonly openingPct: number | undefined
  readonly supplyC: number | undefined
  readonly returnC: number | undefined
  readonly flowM3h: number | undefined
}

/** What is measured about a room and around it. */
export interface RoomFacts {
  readonly state: RoomState
  /** Findings of the plausibility rules that persist. */
  readonly findings: number
  /** Fall within the last hour, K. */
  readonly fellK: number
  readonly feed: Feed | undefined
  /** Medians over the devices of the same kind in the station; undefined for fewer than MIN_PEERS. */
  readonly peers: { readonly supplyC: number | undefined; readonly returnC: number | undefined }
  /** Median and number of the other trusted rooms of the building. */
  readonly neighbours: { readonly medianC: number; readonly rooms: number } | undefined
}

/** Fewer devices have no meaningful median. */
export const MIN_PEERS = 3
/** A room that is heated evenly falls by some 0.3 K an hour in the night; an open window takes more, K. */
const WINDOW_FALL_K = 1.5
/** Below this opening a valve counts as nearly closed, %. */
const CLOSED_PCT = 15
/** From this opening on a valve counts as wide open, %. */
const OPEN_PCT = 85
/** Differences that exceed the spread of sensors in good order, K. */
const SUPPLY_APART_K = 3
const RETURN_APART_K = 2

function explainWater({ feed, peers }: RoomFacts, isCold: boolean): RoomReason[] {
  if (!feed) return []
  const { deviceId, openingPct, supplyC, returnC, flowM3h } = feed
  const reasons: RoomReason[] = []
  const valve = openingPct === undefined ? {} : { deviceId }
  const flow = { ...valve, ...(flowM3h === undefined ? {} : { flowM3h }) }
  if (openingPct !== undefined && isCold && openingPct < CLOSED_PCT)
    reasons.push({ kind: 'valve-closed', deviceId, openingPct })
  const isSupplyLow =
    supplyC !== undefined && peers.supplyC !== undefined && supplyC < peers.supplyC - SUPPLY_APART_K
  if (isCold && isSupplyLow) reasons.push({ kind: 'supply-low', ...valve, supplyC, peersC: peers.supplyC })
  if (returnC !== undefined && peers.returnC !== undefined) {
    const apartK = returnC - peers.returnC
    if (isCold && !isSupplyLow && apartK < -RETURN_APART_K)
      reasons.push({ kind: 'flow-low', returnC, peersC: peers.returnC, ...flow })
    if (!isCold && apartK > RETURN_APART_K)
      reasons.push({ kind: 'flow-high', returnC, peersC: peers.returnC, ...flow })
  }
  if (openingPct !== undefined && !isCold && openingPct >= OPEN_PCT)
    reasons.push({ kind: 'valve-open', deviceId, openingPct })
  return reasons
}

function explainNeighbours(
  { neighbours }: RoomFacts,
  isCold: boolean,
  { coldC, hotC }: RoomRules,
): RoomReason[] {
  if (!neighbours || neighbours.rooms < MIN_PEERS) return []
  if (isCold && neighbours.medianC < coldC) return [{ kind: 'neighbours-cold', ...neighbours }]
  if (!isCold && neighbours.medianC >= hotC) return [{ kind: 'neighbours-hot', ...neighbours }]
  return [{ kind: 'only-here', ...neighbours }]
}

/** Why a room is cold or hot, the strongest reason first. A room in order needs none. */
export function findReasons(facts: RoomFacts, rules: RoomRules): RoomReason[] {
  const { state, findings, fellK } = facts
  if (state === 'silent') return [{ kind: 'sensor-silent' }]
  const doubts: RoomReason[] =
    state === 'doubtful' || findings > 0 ? [{ kind: 'sensor-suspect', findings }] : []
  if (state !== 'cold' && state !== 'hot') return doubts
  const isCold = state === 'cold'
  const window: RoomReason[] = isCold && fellK >= WINDOW_FALL_K ? [{ kind: 'window', fellK }] : []
  const water = explainWater(facts, isCold)
  // A cause in the water concerns the other homes of the unit too, also if the rest of the building is in order.
  const around = explainNeighbours(facts, isCold, rules).filter(
    ({ kind }) => kind !== 'only-here' || water.length === 0,
  )
  return [...doubts, ...window, ...water, ...around]
}
