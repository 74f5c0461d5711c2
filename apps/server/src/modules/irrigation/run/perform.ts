import type { Command, CommandPriority } from '@isotherm/contract/command'
import { finalCommandStates, OPENING_TOLERANCE_PCT } from '@isotherm/contract/command'
import type { RefusalReason } from '@isotherm/contract/order-preview'
import { stepTransitions } from '@isotherm/irrigation/run/run-machine'
import { reader } from '../../../platform/caller-of-account.ts'
import { MAX_CLOSE_TRIES, RETRY_STUCK_MS } from '../limits.ts'
import { changeStep, markOpening, type StoredRun, type StoredStep } from '../storage/runs.pg.ts'
import type { StoredSource } from '../storage/sources.pg.ts'
import { actFor, actToClose } from './act-for.ts'
import { judgeStep, readExpectation } from './meter.ts'
import { findRefused, listCommands, sendOrder, type ValveOrder } from './send-order.ts'
import type { RunnerNeeds } from './tick.ts'

export interface At {
  readonly source: StoredSource
  readonly run: StoredRun
  readonly step: StoredStep
}

/** Whether a reading since an instant shows that the valve is shut. */
const isShut = ({ findMetric }: RunnerNeeds, deviceId: number, since: number): boolean =>
  (findMetric(deviceId, 'valve.opening', since) ?? 100) <= OPENING_TOLERANCE_PCT

const priorityOf = ({ programId, state }: StoredRun): CommandPriority => {
  if (state === 'stopping' || state === 'failed') return 'emergency'
  return programId === null ? 'manual' : 'schedule'
}

const toOrder = ({ run, step }: At, openingPct: number): ValveOrder => ({
  valveIds: step.valveIds,
  openingPct,
  priority: priorityOf(run),
  reason: run.name,
})

/**
 * The part of a step whose valves accept the command to open: what a person holds closed, what is retired or limited, and what listens only
 * after a report of its own, has no part in the expected flow and in the water. `isPart`: a valve is left out that no person holds.
 * `isAsleep`: all would accept it, but none listens in time.
 */
async function toAccepted(
  needs: RunnerNeeds,
  call: NonNullable<Awaited<ReturnType<typeof actFor>>>,
  at: At,
): Promise<{ readonly step: StoredStep; readonly isPart: boolean; readonly isAsleep: boolean }> {
  const { source, step } = at
  const refused = await findRefused(needs, call, toOrder(at, 100))
  const asleep = await needs.commands.listAsleep(step.valveIds)
  const accepting = step.valveIds.filter((id) => !refused?.has(id))
  const valveIds = accepting.filter((id) => !asleep.has(id))
  const isAsleep = refused !== undefined && accepting.length > 0 && valveIds.length === 0
  if (!refused || valveIds.length === step.valveIds.length || valveIds.length === 0)
    return { step, isPart: false, isAsleep }
  const group = source.groups.find(({ id }) => id === step.groupId)
  const flowM3H = (group?.settings.valves ?? []).reduce(
    (sum, valve) => sum + (valveIds.includes(valve.deviceId) ? valve.flowM3H : 0),
    0,
  )
  const isPart =
    accepting.some((id) => asleep.has(id)) || [...refused.values()].some((reason) => reason !== 'held')
  return { step: { ...step, valveIds, flowM3H: flowM3H || step.flowM3H }, isPart, isAsleep }
}

/** Opens the valves of a step for a time. Every command carries the longest time, which the device enforces. */
export async function openStep(
  needs: RunnerNeeds,
  planned: At,
  durationS: number,
  worker: string,
): Promise<void> {
  const { db, clock } = needs
  const { source, run } = planned
  const now = clock.now()
  const call = await actFor(needs.findAccess, source, run, now)
  const { step, isPart, isAsleep } = call
    ? await toAccepted(needs, call, planned)
    : { step: planned.step, isPart: false, isAsleep: false }
  const at = { ...planned, step }
  const expected = JSON.stringify(await readExpectation(db, step))
  // The planned time: a valve that was open longer because no server ran would exceed the water of the day.
  const maxOpenS = Math.min(step.maxS, Math.ceil(durationS))
  const isSent =
    call !== undefined &&
    !isAsleep &&
    (await sendOrder(needs, call, { ...toOrder(at, 100), maxOpenS }, (transaction, batchId) =>
      markOpening(transaction, step, worker, {
        opened_ms: now,
        first_opened_ms: step.firstOpenedMs ?? now,
        expected,
        close_due_ms: now + Math.round(durationS * 1000),
        open_batch: batchId,
        close_tries: 0,
        metered_ms: now,
        valve_ids: [...step.valveIds],
        flow_m3_h: step.flowM3H,
        ...(isPart ? { finding: 'part-refused' } : {}),
      }),
    )) === 'sent'
  if (!isSent)
    await changeStep(db, step, { state: 'skipped', closed_ms: now, finding: isAsleep ? 'asleep' : 'refused' })
}

/** Sends the command to close. Valves that a person holds with a higher priority are left alone. */
export async function closeStep(needs: RunnerNeeds, at: At): Promise<void> {
  const { db, clock } = needs
  const { source, run, step } = at
  const now = clock.now()
  if (stepTransitions[step.state]['close-sent'] === undefined) return
  const change = { state: 'closing', close_sent_ms: now, close_tries: step.closeTries + 1 } as const
  const call = actToClose(source, run, now)
  const outcome = await sendOrder(needs, call, toOrder(at, 0), (transaction, batchId) =>
    changeStep(transaction, step, { ...change, close_batch: batchId }),
  )
  if (outcome !== 'sent') await changeStep(db, step, { ...change, close_batch: null })
}

const isOver = ({ state }: Command): boolean => finalCommandStates.has(state)

/** Water time that an interrupted step still needs, s; 0 if it was not interrupted. */
function toLeftS({ run, step }: At, now: number): number {
  const isInterrupted = run.state === 'paused' || run.state === 'running'
  const closedMs = step.closeSentMs ?? now
  // A valve that did not open is not tried again.
  if (
    !isInterrupted ||
    step.openedMs === null ||
    step.finding === 'not-open' ||
    closedMs >= (step.closeDueMs ?? 0) - 1_000
  )
    return 0
  // The clock may have been set back meanwhile: until the last count it was open in any case.
  const wateredMs = Math.max(closedMs, step.meteredMs ?? 0) - step.openedMs
  return Math.max(0, step.durationS - Math.max(0, wateredMs) / 1000)
}

/** Reasons for which irrigation leaves a valve alone: a person holds it, it is retired, or it is no valve. */
const foreign: ReadonlySet<RefusalReason> = new Set(['held', 'retired', 'not-a-valve'])

/**
 * Valves of a step that no confirmation and no reading shows as shut, without those that irrigation leaves alone. A
 * refused command to close counts as not closed.
 */
async function listUnclosed(needs: RunnerNeeds, { run, step }: At, sent: readonly Command[]) {
  const opened = await listCommands(needs, step.openBatch)
  const confirmed = new Set(sent.flatMap(({ state, deviceId }) => (state === 'confirmed' ? deviceId : [])))
  const left = step.valveIds.filter((deviceId) => {
    // A reading from before the command to open does not count, unless the valve reported that it did not open.
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
    const expected = await readExpectation(db, step)
    const finding = step.finding ?? judgeStep(step, expected, at.source)
    const noted = {
      expected: JSON.stringify(expected),
      closed_ms: now,
      ...(finding === undefined ? {} : { finding }),
    }
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

/** Checks the results of the commands of a step, and moves the step on. */
export async function watchStep(needs: RunnerNeeds, at: At): Promise<void> {
  const { db, clock } = needs
  const { step } = at
  if (step.state === 'opening') {
    const sent = await listCommands(needs, step.openBatch)
    if (sent.length === 0 || !sent.every(isOver)) return
    const confirmed = sent.filter(({ state }) => state === 'confirmed').length
    if (confirmed > 0)
      await changeStep(db, step, {
        state: 'open',
        ...(confirmed < sent.length ? { finding: 'part-open' } : {}),
      })
    else if (await changeStep(db, step, { finding: 'not-open' }))
      await closeStep(needs, { ...at, step: { ...step, finding: 'not-open' } })
  }
  if (step.state === 'closing') await watchClosing(needs, at)
  if (step.state === 'stuck' && Math.abs(clock.now() - (step.closeSentMs ?? 0)) > RETRY_STUCK_MS)
    await closeStep(needs, at)
}
