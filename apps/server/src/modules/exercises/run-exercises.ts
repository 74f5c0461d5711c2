import { exerciseSteps } from '@isotherm/contract/endpoints/control/valve-exercises'
import { AppError } from '../../platform/app-error.ts'
import { type FindAccess, findCaller, reader } from '../../platform/caller-of-account.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Call } from '../../platform/http/call.ts'
import { toSystemOperation } from '../../platform/operation/operation.ts'
import type { Database } from '../../platform/postgres/database.pg.ts'
import type { CommandsService } from '../commands/index.ts'
import { acceptTargets, type Target } from './choose-valves.ts'
import {
  type Advance,
  advance,
  leaveOut,
  listOpen,
  listStepValves,
  type OpenExercise,
  recordBatch,
} from './progress.pg.ts'
import type { Season } from './season.ts'

export interface ExerciseRunnerNeeds {
  readonly db: Database
  readonly clock: Clock
  readonly commands: Pick<CommandsService, 'send' | 'preview'>
  readonly findAccess: FindAccess
  readonly season: Season
}

/** Another replica or a user has changed the exercise first. */
class Overtaken extends Error {
  override readonly name = 'Overtaken'
}

/**
 * A call in the name of the account that started the exercise, with its present rights; undefined if they are no
 * longer sufficient. Setting valves back is always allowed, even if the account was disabled or deleted: otherwise
 * the valves would stay closed.
 */
async function actFor(
  { findAccess, clock }: ExerciseRunnerNeeds,
  exercise: OpenExercise,
): Promise<Pick<Call, 'caller' | 'operation'> | undefined> {
  const { id, step, accountId, account, companyId } = exercise
  const operation = {
    ...toSystemOperation('valve-exercise', clock.now()),
    accountId: accountId ?? undefined,
    account,
    companyId: companyId ?? undefined,
    input: { id },
  }
  if (step === 'restore') return { caller: { ...reader, accountId: accountId ?? 0, account }, operation }
  const caller = await findCaller(findAccess, exercise)
  return caller?.permissions.has('pe-fmcontrol') ? { caller, operation } : undefined
}

/** What follows when the present step has ended, or cannot be sent. */
function toNext({ step, state, stop }: OpenExercise, now: number, reason?: Advance['stop']): Advance {
  const isEarly = state === 'cancelling' || (stop ?? reason) !== undefined
  if (step === 'restore') {
    const end = state === 'cancelling' ? 'cancelled' : isEarly ? 'stopped' : 'finished'
    return { state: end, stop: reason, endedAt: now }
  }
  const following = exerciseSteps[exerciseSteps.indexOf(step) + 1] ?? 'restore'
  return { step: isEarly ? 'restore' : following, stop: reason }
}

/** The opening of each valve in the present step. */
async function listTargets({ db }: ExerciseRunnerNeeds, exercise: OpenExercise): Promise<readonly Target[]> {
  const taking = await listStepValves(db, exercise)
  return taking.flatMap(({ deviceId, beforePct, minPct, maxPct }): Target[] => {
    if (exercise.step === 'open') return [{ deviceId, openingPct: maxPct ?? 100 }]
    if (exercise.step === 'close') return [{ deviceId, openingPct: minPct ?? 0 }]
    return beforePct === null ? [] : [{ deviceId, openingPct: beforePct }]
  })
}

/**
 * Sends the present step to the valves that accept it, and records its batch in the same transaction: a step is sent once,
 * whatever fails and however many replicas run. Returns what follows if nothing could be sent.
 */
async function sendStep(needs: ExerciseRunnerNeeds, exercise: OpenExercise): Promise<Advance | undefined> {
  const { commands, clock } = needs
  const { id, step } = exercise
  const now = clock.now()
  const call = await actFor(needs, exercise)
  if (!call) return toNext(exercise, now, 'no-access')
  try {
    const wanted = await listTargets(needs, exercise)
    const { accepted, refused, isRefusedWhole } = await acceptTargets(commands, call.caller, wanted)
    if (isRefusedWhole) return toNext(exercise, now, 'refused')
    if (accepted.length === 0) return toNext(exercise, now, step === 'open' ? 'none-possible' : undefined)
    await commands.send(
      call,
      { targets: [...accepted], priority: 'schedule', reason: exercise.reason },
      async (transaction, batchId) => {
        if (!(await recordBatch(transaction, exercise, batchId))) throw new Overtaken()
        if (step === 'open') await leaveOut(transaction, id, refused)
      },
    )
    return undefined
  } catch (error) {
    if (error instanceof Overtaken) return undefined
    if (error instanceof AppError && error.code !== 'server.unavailable')
      return toNext(exercise, now, 'refused')
    throw error
  }
}

async function runOne(needs: ExerciseRunnerNeeds, exercise: OpenExercise): Promise<void> {
  const { db, clock, season } = needs
  const now = clock.now()
  if (exercise.isBatchOpen) return
  if (exercise.batchId !== null) return advance(db, exercise, toNext(exercise, now), now)
  const isMoving = exercise.step !== 'restore'
  const ending = isMoving && exercise.state === 'cancelling' ? toNext(exercise, now) : undefined
  const late = isMoving && season.isAt(now) ? toNext(exercise, now, 'season') : undefined
  const next = ending ?? late ?? (await sendStep(needs, exercise))
  if (next) await advance(db, exercise, next, now)
}

/** Sends what is due of every exercise. Stops early if `isClosed` says so. */
export async function runExercises(
  needs: ExerciseRunnerNeeds,
  isClosed: () => boolean = () => false,
): Promise<void> {
  for (const exercise of await listOpen(needs.db)) {
    if (isClosed()) return
    await runOne(needs, exercise)
  }
}
