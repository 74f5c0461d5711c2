import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import { isHeadAt } from '@isotherm/contract/command'
import { AppError } from '../../../../platform/app-error.ts'
import type { Caller } from '../../../../platform/http/call.ts'
import type { CommandsService } from '../../../commands/index.ts'
import { requireHeads } from './require-orders.ts'

/** The head nearest to a refused one that the limits allow; undefined where that is no nearer than the head there is. */
function toNearest({ code, params }: AppError, pump: PumpMove): PumpMove | undefined {
  const { minKpa, maxKpa } = params
  if (code !== 'command.head-outside' || typeof minKpa !== 'number' || typeof maxKpa !== 'number')
    return undefined
  const toKpa = Math.min(maxKpa, Math.max(minKpa, pump.toKpa))
  const isNearer = Math.abs(toKpa - pump.toKpa) < Math.abs(pump.fromKpa - pump.toKpa)
  return isNearer && !isHeadAt(pump.fromKpa, toKpa) ? { ...pump, toKpa, wantedKpa: pump.toKpa } : undefined
}

const findRefusal = async (
  commands: Pick<CommandsService, 'requireHead'>,
  caller: Caller,
  pump: PumpMove,
): Promise<AppError | undefined> => {
  try {
    await requireHeads(commands, caller, [{ pump }])
    return undefined
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
}

/**
 * What a pump is told on the way back: the head that it had, or the nearest to it where its limits allow that one no more.
 * The pump is the whole loop's, whose valves go back. Undefined where it can be told nothing.
 */
export async function findHeadBack(
  commands: Pick<CommandsService, 'requireHead'>,
  caller: Caller,
  pump: PumpMove,
): Promise<PumpMove | undefined> {
  const refusal = await findRefusal(commands, caller, pump)
  if (!refusal) return pump
  const nearest = toNearest(refusal, pump)
  return nearest && !(await findRefusal(commands, caller, nearest)) ? nearest : undefined
}
