import { type Running, supervise } from '@isotherm/engines/supervise'
import type { Shutdown } from './shutdown.ts'

export interface PartSupervisorOptions {
  readonly shutdown: Shutdown
  /** One line for the terminal. */
  readonly report: (line: string) => void
  /** Why a part cannot be restarted now, see supervise.ts. */
  readonly findObstacle?: () => Promise<string | undefined>
  /** Called when a part cannot be restarted; the product cannot continue. */
  readonly onLost: (error: Error) => void
}

/** Starts and supervises a part, and ends it with the product, in its layer. */
export type StartPart = <T extends Running>(
  layer: number,
  name: string,
  start: () => Promise<T>,
) => Promise<T>

export function createPartSupervisor({
  shutdown,
  report,
  onLost,
  findObstacle,
}: PartSupervisorOptions): StartPart {
  return async (layer, name, start) => {
    const supervising = start().then((first) =>
      supervise({
        name,
        first,
        start,
        onExit: (_, reason, inMs) => report(`${name} is down (${reason}); starting it again in ${inMs} ms`),
        onRestart: () => report(`${name} runs again`),
        onWait: (_, obstacle) => report(`${name} is down and waits: ${obstacle}`),
        onGiveUp: onLost,
        ...(findObstacle && { findObstacle }),
      }),
    )
    shutdown.add(layer, name, async () => {
      const supervised = await supervising.catch(() => undefined)
      await supervised?.stop()
    })
    return (await supervising).current()
  }
}
