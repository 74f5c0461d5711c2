import { type Command, finalCommandStates, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import {
  decideMaster,
  findMasterNeed,
  MASTER_MAX_S,
  type Master,
  type MasterEvent,
  type MasterNeed,
  type MasterState,
  masterTransitions,
} from '@isotherm/irrigation/run/master'
import { reader } from '../../../platform/caller-of-account.ts'
import { toSystemOperation } from '../../../platform/operation/operation.ts'
import { toActiveRuns } from '../field.ts'
import { MAX_CLOSE_TRIES, MAX_OPEN_TRIES, RETRY_REFUSED_MS, RETRY_STUCK_MS } from '../limits.ts'
import { changeMaster, haltSource, type MasterChange } from '../storage/protection.pg.ts'
import type { StoredRun } from '../storage/runs.pg.ts'
import type { StoredMaster, StoredSource } from '../storage/sources.pg.ts'
import { listCommands, type OrderOutcome, sendOrder } from './send-order.ts'
import type { RunnerNeeds } from './tick.ts'

interface At {
  readonly source: StoredSource
  readonly masterId: number
  readonly worker: string
}

/** A master valve as the decisions see it. */
export const toMaster = ({ master: { state, openedMs, sentMs, freeMs } }: StoredSource): Master => ({
  state,
  openedMs: openedMs ?? undefined,
  sentMs: sentMs ?? undefined,
  freeMs: freeMs ?? undefined,
})

/** Stores the state after an event, with further changes. Does nothing if the event changes nothing in this state. */
async function apply(
  { db }: RunnerNeeds,
  { source, worker }: At,
  event: MasterEvent,
  change: MasterChange = {},
): Promise<void> {
  const next = masterTransitions[source.master.state][event]
  if (next) await changeMaster(db, source, worker, { ...change, master_state: next })
}

/** Whether no command was sent since the opening began, because all were refused. */
const isUnsent = ({ state, sentMs }: StoredMaster): boolean => state === 'opening' && sentMs === null

/** Whether the last command was refused, and it is too early to repeat it. */
const isWaiting = ({ refusedMs }: StoredMaster, now: number): boolean =>
  refusedMs !== null && Math.abs(now - refusedMs) < RETRY_REFUSED_MS

/**
 * What to store after a command was refused and therefore not sent. The valve still enters the state `next`, in which the
 * command is repeated. A refusal by limits or by a retired device counts as an attempt; the last attempt halts the source
 * or ends in `stuck`. A refusal because a person holds the valve does not count.
 */
function toRefused(
  { state, tries }: StoredMaster,
  what: 'open' | 'close',
  next: MasterState,
  outcome: Exclude<OrderOutcome, 'sent'>,
  now: number,
): MasterChange {
  const refused = { master_refused_ms: now }
  if (state === 'open' && what === 'open') return refused
  const isTry = outcome === 'refused'
  if (state === next || (state === 'stuck' && what === 'close'))
    return isTry ? { ...refused, master_tries: tries + 1 } : refused
  return {
    ...refused,
    master_state: next,
    master_tries: isTry ? 1 : 0,
    master_sent_ms: null,
    master_batch: null,
    ...(what === 'open' ? { master_opened_ms: now } : {}),
  }
}

/**
 * Sends a command to the master valve, in the name of the system and not of an account: opening it alone waters nothing, and
 * closing it is always allowed.
 */
async function order(needs: RunnerNeeds, at: At, what: 'open' | 'close'): Promise<void> {
  const { db, clock } = needs
  const { source, masterId, worker } = at
  const { master, companyId, settings } = source
  const now = clock.now()
  const next = masterTransitions[master.state][what === 'open' ? 'open-sent' : 'close-sent']
  if (!next) return
  const isRepeated = next === master.state || (what === 'close' && master.state === 'stuck')
  const change: MasterChange = {
    master_state: next,
    master_sent_ms: now,
    master_refused_ms: null,
    master_tries: isRepeated && next !== 'open' ? master.tries + 1 : 1,
    ...(what === 'open' && (next !== master.state || isUnsent(master)) ? { master_opened_ms: now } : {}),
  }
  const operation = { ...toSystemOperation('irrigation', now), companyId, input: { sourceId: source.id } }
  const outcome = await sendOrder(
    needs,
    { caller: reader, operation },
    {
      valveIds: [masterId],
      openingPct: what === 'open' ? 100 : 0,
      priority: source.haltedMs === null ? 'schedule' : 'emergency',
      reason: settings.name,
      ...(what === 'open' ? { maxOpenS: MASTER_MAX_S } : {}),
    },
    (transaction, batchId) => changeMaster(transaction, source, worker, { ...change, master_batch: batchId }),
  )
  if (outcome === 'sent') return
  await changeMaster(db, source, worker, toRefused(master, what, next, outcome, now))
}

const isConfirmed = (sent: readonly Command[]): boolean =>
  sent.length > 0 && sent.every(({ state }) => state === 'confirmed')

/** Moves the state on by the results of the last command and by the opening that the valve has reported since. */
async function observe(needs: RunnerNeeds, at: At, need: MasterNeed): Promise<void> {
  const { db, clock, findMetric } = needs
  const { source, masterId } = at
  const { state, batch, openedMs, sentMs, refusedMs, tries } = source.master
  if (state === 'closed') return
  // If no command was sent, every reported opening counts: somebody else has set it.
  const since = sentMs ?? (isUnsent(source.master) ? 0 : (openedMs ?? 0))
  const openingPct = findMetric(masterId, 'valve.opening', since)
  const isShut = openingPct !== undefined && openingPct <= OPENING_TOLERANCE_PCT
  // It has closed by itself, or somebody has closed it.
  if (state === 'open') return isShut ? apply(needs, at, 'closed') : undefined
  if (state === 'stuck') {
    if (isShut) return apply(needs, at, 'closed')
    const triedMs = Math.max(sentMs ?? 0, refusedMs ?? 0)
    return Math.abs(clock.now() - triedMs) > RETRY_STUCK_MS ? order(needs, at, 'close') : undefined
  }
  const sent = await listCommands(needs, batch)
  if (!sent.every((command) => finalCommandStates.has(command.state))) return
  if (state === 'opening') {
    if (isConfirmed(sent) || (openingPct ?? 0) >= 100 - OPENING_TOLERANCE_PCT)
      return apply(needs, at, 'opened', {
        master_tries: 0,
        ...(isUnsent(source.master) ? { master_opened_ms: clock.now() } : {}),
      })
    if (need !== 'open') return order(needs, at, 'close')
    if (isWaiting(source.master, clock.now())) return
    if (tries < MAX_OPEN_TRIES) return order(needs, at, 'open')
    return haltSource(db, source, 'master', clock.now())
  }
  if (isConfirmed(sent) || isShut) return apply(needs, at, 'closed', { master_tries: 0 })
  if (isWaiting(source.master, clock.now())) return
  if (tries < MAX_CLOSE_TRIES) return order(needs, at, 'close')
  return apply(needs, at, 'not-closed')
}

/**
 * Opens the master valve of a source `leadS` before its groups, and closes it `lagS` after them. Returns the source with the
 * new state of its valve.
 */
export async function steerMaster(
  needs: RunnerNeeds,
  at: Omit<At, 'masterId'>,
  runs: readonly StoredRun[],
  reload: () => Promise<StoredSource>,
): Promise<StoredSource> {
  const { settings, master } = at.source
  const { masterId, leadS, lagS = 0 } = settings
  if (masterId === undefined) return at.source
  const { db, clock } = needs
  const now = clock.now()
  const need = findMasterNeed(toActiveRuns(runs), leadS, now)
  await observe(needs, { ...at, masterId }, need)
  let source = await reload()
  const freeMs = need !== 'none' ? null : (master.freeMs ?? now)
  if (freeMs !== source.master.freeMs) await changeMaster(db, source, at.worker, { master_free_ms: freeMs })
  source = { ...source, master: { ...source.master, freeMs } }
  const wanted = decideMaster(toMaster(source), { lagS, need, isHalted: source.haltedMs !== null, now })
  const isRenewal = wanted === 'open' && source.master.state === 'open'
  if (!wanted || (isRenewal && isWaiting(source.master, now))) return source
  await order(needs, { source, masterId, worker: at.worker }, wanted)
  return reload()
}
