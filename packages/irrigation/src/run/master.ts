import type { ActiveRun } from './decide.ts'
import { mayFlow } from './run-machine.ts'
import { isTurn } from './turn.ts'

/** States of a source's master valve; docs/specs/irrigation-run.md describes them. */
export const masterStates = ['closed', 'opening', 'open', 'closing', 'stuck'] as const
export type MasterState = (typeof masterStates)[number]

/**
 * Events of a master valve. `open-sent`, `close-sent`: a command is stored. `opened`, `closed`: the valve is confirmed, or read.
 * `not-closed`: the attempts to close it are used up.
 */
export const masterEvents = ['open-sent', 'opened', 'close-sent', 'closed', 'not-closed'] as const
export type MasterEvent = (typeof masterEvents)[number]

/** The complete table: the next state, undefined if the event changes nothing. */
export const masterTransitions: Readonly<
  Record<MasterState, Readonly<Record<MasterEvent, MasterState | undefined>>>
> = {
  closed: {
    'open-sent': 'opening',
    opened: undefined,
    'close-sent': undefined,
    closed: undefined,
    'not-closed': undefined,
  },
  opening: {
    'open-sent': 'opening',
    opened: 'open',
    'close-sent': 'closing',
    closed: undefined,
    'not-closed': undefined,
  },
  // A command is repeated while it is open, because the device closes by itself; it has closed by itself after an outage.
  open: {
    'open-sent': 'open',
    opened: undefined,
    'close-sent': 'closing',
    closed: 'closed',
    'not-closed': undefined,
  },
  closing: {
    'open-sent': 'opening',
    opened: undefined,
    'close-sent': 'closing',
    closed: 'closed',
    'not-closed': 'stuck',
  },
  stuck: {
    'open-sent': 'opening',
    opened: undefined,
    'close-sent': 'closing',
    closed: 'closed',
    'not-closed': undefined,
  },
}

/** Longest time of a master valve at a stretch, s: the device closes by itself. */
export const MASTER_MAX_S = 1_800
/** While it is needed, its command is repeated after this time, ms. */
const RENEW_MS = (MASTER_MAX_S * 1000) / 2

/** A master valve as it is stored. Instants are Unix ms. */
export interface Master {
  readonly state: MasterState
  /** Instant at which its present opening began, and at which the last command to open was sent. */
  readonly openedMs?: number | undefined
  readonly sentMs?: number | undefined
  /** Instant since which no group needs it; undefined while one does. */
  readonly freeMs?: number | undefined
}

/** Whether valves behind it may open: it is confirmed, and its lead is over. After the clock was set back the lead is not waited for. */
export const isMasterReady = ({ state, openedMs = Infinity }: Master, leadS: number, now: number): boolean =>
  state === 'open' && (now >= openedMs + leadS * 1000 || (Number.isFinite(openedMs) && now < openedMs))

/**
 * What runs need of a master valve. `open`: groups are watered, or will be within the lead. `keep`: their valves still close, so it
 * may stay open but is not opened anew, also after an emergency stop. A valve that is stuck open needs nothing: the master
 * is what can stop its water.
 */
export type MasterNeed = 'open' | 'keep' | 'none'

export function findMasterNeed(runs: readonly ActiveRun[], leadS: number, now: number): MasterNeed {
  const isWatering = (run: ActiveRun): boolean =>
    run.state === 'running' &&
    run.steps.some(
      ({ state }, index) =>
        state === 'opening' ||
        state === 'open' ||
        (state === 'pending' && isTurn(run, index, now + leadS * 1000)),
    )
  if (runs.some(isWatering)) return 'open'
  const isClosing = runs.some(({ steps }) => steps.some(({ state }) => mayFlow(state) && state !== 'stuck'))
  return isClosing ? 'keep' : 'none'
}

/**
 * Decides what to do with a master valve now; undefined: nothing. The master valve of a halted source is shut without
 * a lag.
 */
export function decideMaster(
  { state, sentMs = 0, freeMs }: Master,
  { lagS, need, isHalted, now }: { lagS: number; need: MasterNeed; isHalted: boolean; now: number },
): 'open' | 'close' | undefined {
  if (need !== 'none' && !isHalted) {
    // Sent in the future: the clock was set back.
    if (state === 'open') return now - sentMs >= RENEW_MS || now < sentMs ? 'open' : undefined
    return need === 'open' && state !== 'opening' ? 'open' : undefined
  }
  if (state !== 'opening' && state !== 'open') return undefined
  return isHalted || now >= (freeMs ?? now) + lagS * 1000 || now < (freeMs ?? now) ? 'close' : undefined
}
