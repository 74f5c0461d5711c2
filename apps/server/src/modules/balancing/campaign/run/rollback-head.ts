import type { PumpMove } from '@isotherm/contract/balancing/balance-pump'
import { isHeadAt } from '@isotherm/contract/command'
import { AppError } from '../../../../platform/app-error.ts'
import type { Caller } from '../../../../platform/http/call.ts'
import type { CommandsService } from '../../../commands/index.ts'
import { requireHeads } from './require-orders.ts'

/** The allowed head nearest to a refused one; undefined if it is no nearer than the present head. */
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
 * Head of a pump in a rollback: its previous head, or the nearest one that its limits allow now. The pump belongs to
 * the whole loop, whose valves are rolled back. Undefined if the pump accepts no command.
 */
export async function findRollbackHead(
  commands: Pick<CommandsService, 'requireHead'>,
  caller: Caller,
  pump: PumpMove,
): Promise<PumpMove | undefined> {
  const refusal = await findRefusal(commands, caller, pump)
  if (!refusal) return pump
  const nearest = toNearest(refusal, pump)
  return nearest && !(await findRefusal(commands, caller, nearest)) ? nearest : undefined
}
