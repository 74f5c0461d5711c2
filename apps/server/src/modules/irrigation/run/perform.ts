import type { Command, CommandPriority } from '@isotherm/contract/command'
import { finalCommandStates, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { RefusalReason } from '@isotherm/contract/order-preview'
import { stepTransitions } from '@isotherm/irrigation/run/run-machine'
import type { Transaction } from 'kysely'
import { AppError } from '../../../platform/app-error.ts'
import { reader } from '../../../platform/caller-of-account.ts'
import type { Call } from '../../../platform/http/call.ts'
import type { Tables } from '../../../platform/tables.ts'
import { changeStep, markOpening, type StoredRun, type StoredStep } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'
import { actFor, actToClose } from './act-for.ts'
import type { RunnerNeeds } from './tick.ts'

/** How long a command may wait for its device, s: an open that comes late is not wanted. */
const VALIDITY_S = 30
/** The device closes by itself this much after the planned end, s, if the command to close does not arrive. */
const GRACE_S = 30
/** Attempts to close; after the last one the step counts as stuck and is tried again each minute. */
const MAX_CLOSE_TRIES = 3
const RETRY_STUCK_MS = 60_000

/** Another replica, or a user, was faster. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

export interface At {
  readonly source: StoredSource
  readonly run: StoredRun
  readonly step: StoredStep
}

/** A reading since an instant says that the valve is shut. */
const isShut = ({ findMetric }: RunnerNeeds, deviceId: number, since: number): boolean =>
  (findMetric(deviceId, 'valve.opening', since) ?? 100) <= OPENING_TOLERANCE_PCT

const priorityOf = ({ programId, state }: StoredRun): CommandPriority => {
  if (state === 'stopping' || state === 'failed') return 'emergency'
  return programId === null ? 'manual' : 'schedule'
}

/** Sends an opening to the valves that accept it and changes the step in the same transaction. False if none accepts it. */
async function send(
  { commands }: RunnerNeeds,
  call: Pick<Call, 'caller' | 'operation'>,
  { run, step }: At,
  order: { readonly openingPct: number; readonly maxOpenS?: number },
  mark: (transaction: Transaction<Tables>, batchId: string) => Promise<boolean>,
): Promise<boolean> {
  const priority = priorityOf(run)
  const targets = step.valveIds.map((deviceId) => ({ deviceId, openingPct: order.openingPct }))
  try {
    const { refused } = await commands.preview(call.caller, { targets, priority })
    const isRefused = new Set(refused.map(({ deviceId }) => deviceId))
    const accepted = targets.filter(({ deviceId }) => !isRefused.has(deviceId))
    if (accepted.length === 0) return false
    const limit = order.maxOpenS === undefined ? {} : { maxOpenS: order.maxOpenS }
    await commands.send(
      call,
      { targets: accepted, priority, reason: run.name, validityS: VALIDITY_S, ...limit },
      async (transaction, batchId) => {
        if (!(await mark(transaction, batchId))) throw new Overtaken()
      },
    )
    return true
  } catch (error) {
    if (error instanceof Overtaken) return true
    if (error instanceof AppError && error.code !== 'server.unavailable') return false
    throw error
  }
}

/** Opens the valves of a step for a time. Every command carries the longest time, which the device enforces. */
export async function openStep(needs: RunnerNeeds, at: At, durationS: number, worker: string): Promise<void> {
  const { db, clock } = needs
  const { source, run, step } = at
  const now = clock.now()
  const call = await actFor(needs.findAccess, source, run, now)
  const maxOpenS = Math.min(step.maxS, Math.ceil(durationS) + GRACE_S)
  const isSent =
    call !== undefined &&
    (await send(needs, call, at, { openingPct: 100, maxOpenS }, (transaction, batchId) =>
      markOpening(transaction, step, worker, {
        opened_ms: now,
        close_due_ms: now + Math.round(durationS * 1000),
        open_batch: batchId,
        close_tries: 0,
        metered_ms: now,
      }),
    ))
  if (!isSent) await changeStep(db, step, { state: 'skipped', closed_ms: now, finding: 'refused' })
}

/** Sends the command to close. Valves that somebody holds by a higher priority are theirs. */
export async function closeStep(needs: RunnerNeeds, at: At): Promise<void> {
  const { db, clock } = needs
  const { source, run, step } = at
  const now = clock.now()
  if (stepTransitions[step.state]['close-sent'] === undefined) return
  const change = { state: 'closing', close_sent_ms: now, close_tries: step.closeTries + 1 } as const
  const call = actToClose(source, run, now)
  const isSent = await send(needs, call, at, { openingPct: 0 }, (transaction, batchId) =>
    changeStep(transaction, step, { ...change, close_batch: batchId }),
  )
  if (!isSent) await changeStep(db, step, { ...change, close_batch: null })
}

async function listCommands({ commands }: RunnerNeeds, batchId: string | null): Promise<readonly Command[]> {
  if (batchId === null) return []
  return (await commands.list(reader, { batchId, limiter: { page: 1, size: 1_000 } })).datalist
}

const isOver = ({ state }: Command): boolean => finalCommandStates.has(state)

/** Compares the flow of a step with the expectation, at its end. Little water says nothing. */
function judgeFlow({ isMeasured, meteredM3, meteredS, flowM3H }: StoredStep): string | undefined {
  const MIN_S = 20
  if (!isMeasured || meteredS < MIN_S) return undefined
  const share = (meteredM3 * 3600) / meteredS / flowM3H
  if (share < 0.1) return 'no-flow'
  if (share < 0.6) return 'low-flow'
  return share > 1.5 ? 'high-flow' : undefined
}

/** Water time that an interrupted step still needs, s; 0 if it was not interrupted. */
function toLeftS({ run, step }: At, now: number): number {
  const isInterrupted = run.state === 'paused' || run.state === 'running'
  const closedMs = step.closeSentMs ?? now
  // A valve that did not open is not tried again and again until its time is over.
  if (
    !isInterrupted ||
    step.openedMs === null ||
    step.finding === 'not-open' ||
    closedMs >= (step.closeDueMs ?? 0) - 1_000
  )
    return 0
  return Math.max(0, step.durationS - (closedMs - step.openedMs) / 1000)
}

/** Valves of others, or of nobody: the command to close is not refused for a reason of the valve or its limits. */
const foreign: ReadonlySet<RefusalReason> = new Set(['held', 'retired', 'not-a-valve'])

/** The valves of a step that are neither confirmed nor read shut. A command that was refused closes nothing. */
async function listUnclosed(needs: RunnerNeeds, { run, step }: At, sent: readonly Command[]) {
  const opened = await listCommands(needs, step.openBatch)
  const confirmed = new Set(sent.flatMap(({ state, deviceId }) => (state === 'confirmed' ? deviceId : [])))
  const left = step.valveIds.filter((deviceId) => {
    // A reading from before the command to open says nothing, unless it answered that it did not.
    const hasFailed = opened.some((one) => one.deviceId === deviceId && one.state === 'failed')
    return !confirmed.has(deviceId) && !isShut(needs, deviceId, hasFailed ? 0 : (step.openedMs ?? 0))
  })
  const unsent = left.filter((deviceId) => !sent.some((command) => command.deviceId === deviceId))
  if (unsent.length === 0) return left
  const targets = unsent.map((deviceId) => ({ deviceId, openingPct: 0 }))
  const { refused } = await needs.commands.preview(reader, { targets, priority: priorityOf(run) })
  const gone = new Set(refused.flatMap(({ deviceId, reason }) => (foreign.has(reason) ? deviceId : [])))
  return left.filter((deviceId) => !gone.has(deviceId))
}

async function watchClosing(needs: RunnerNeeds, at: At): Promise<void> {
  const { db, clock } = needs
  const { step } = at
  const now = clock.now()
  const sent = await listCommands(needs, step.closeBatch)
  if (!sent.every(isOver)) return
  const left = await listUnclosed(needs, at, sent)
  if (left.length === 0) {
    const leftS = toLeftS(at, now)
    const finding = step.finding ?? judgeFlow(step)
    const noted = { closed_ms: now, ...(finding === undefined ? {} : { finding }) }
    await changeStep(
      db,
      step,
      leftS >= 10 ? { state: 'pending', closed_ms: now, duration_s: leftS } : { ...noted, state: 'closed' },
    )
    return
  }
  if (step.closeTries < MAX_CLOSE_TRIES) return closeStep(needs, at)
  await changeStep(db, step, { state: 'stuck', finding: 'stuck' })
}

/** Looks what became of the commands of a step. */
export async function watchStep(needs: RunnerNeeds, at: At): Promise<void> {
  const { db, clock } = needs
  const { step } = at
  if (step.state === 'opening') {
    const sent = await listCommands(needs, step.openBatch)
    if (sent.length === 0 || !sent.every(isOver)) return
    if (sent.some(({ state }) => state === 'confirmed')) await changeStep(db, step, { state: 'open' })
    else if (await changeStep(db, step, { finding: 'not-open' }))
      await closeStep(needs, { ...at, step: { ...step, finding: 'not-open' } })
  }
  if (step.state === 'closing') await watchClosing(needs, at)
  if (step.state === 'stuck' && clock.now() - (step.closeSentMs ?? 0) > RETRY_STUCK_MS)
    await closeStep(needs, at)
}

/** Counts the water of a step since the last count: by its meters, or by the expectation where none reports. */
export async function meterStep(needs: RunnerNeeds, { step }: At): Promise<void> {
  const { db, clock, findMetric } = needs
  if (step.meteredMs === null || (step.state !== 'opening' && step.state !== 'open')) return
  const now = Math.min(clock.now(), step.closeDueMs ?? Number.POSITIVE_INFINITY)
  const spanS = (now - step.meteredMs) / 1000
  if (spanS <= 0) return
  const flows = step.valveIds.map((deviceId) => findMetric(deviceId, 'heat.flow'))
  const known = flows.filter((flow) => flow !== undefined)
  // After an outage the present flow says nothing about the time before.
  const isMeasured = known.length === flows.length && clock.now() - step.meteredMs < 60_000
  const flowM3H = isMeasured ? known.reduce((sum, flow) => sum + flow, 0) : step.flowM3H
  // The flow of an opening valve is not yet that of the step.
  const counts = step.state === 'open' && isMeasured
  const volumeM3 = (flowM3H * spanS) / 3600
  await changeStep(db, step, {
    volume_m3: step.volumeM3 + volumeM3,
    metered_ms: now,
    metered_s: step.meteredS + (counts ? spanS : 0),
    metered_m3: step.meteredM3 + (counts ? volumeM3 : 0),
    is_measured: isMeasured,
  })
}
