import type { Clock, Timer } from '../clock.ts'
import { findOwner } from './find-owner.ts'

/** Servers of the same companies on one broker. */
export interface Replicas {
  /** Name of this server. Another one after each start. */
  readonly name: string
  /** Names of the others that sent a packet within the last `withinMs`. */
  listOthers(withinMs: number): readonly string[]
}

/** `gained` is true for a key that this server owns since the change. */
export type OwnersListener = (gained: (key: number) => boolean) => void

/**
 * Which of the replicas speaks with a gateway (ADR 138). A key is the id of a gateway. The owner is *soft*: while servers come and go,
 * two of them may own a key, or none. So an action of an owner must be harmless if it is done twice, and a new owner repeats what
 * the former one may not have done.
 */
export interface Owners {
  owns(key: number): boolean
  /** Number of living servers, this one included. */
  count(): number
  /** Calls `listener` after other servers joined or left. */
  onChanged(listener: OwnersListener): void
  close(): void
}

/** Of a server without replicas: it owns everything. */
export const soleOwner: Owners = {
  owns: () => true,
  count: () => 1,
  onChanged: () => undefined,
  close: () => undefined,
}

/** A replica counts as dead after this time without a packet, ms. Each sends one every second (telemetry/replicas). */
export const SILENT_MS = 10_000
const CHECK_MS = 1_000
/**
 * If a check is later than this, ms, the process itself stood still, and packets of the others may still wait to be read. So
 * it changes nothing; the next check decides.
 */
const LATE_MS = 3_000

export function createOwners(
  replicas: Replicas | undefined,
  clock: Pick<Clock, 'setTimeout' | 'elapsed'>,
): Owners {
  if (!replicas) return soleOwner
  const { name, listOthers } = replicas
  const listeners: OwnersListener[] = []
  let members: readonly string[] = [name]
  let timer: Timer | undefined
  let checkedAt = clock.elapsed()

  const isOwn = (among: readonly string[], key: number): boolean =>
    among.length === 1 || findOwner(among, key) === name

  function check(): void {
    timer = clock.setTimeout(check, CHECK_MS)
    const isLate = clock.elapsed() - checkedAt > LATE_MS
    checkedAt = clock.elapsed()
    if (isLate) return
    const before = members
    const now = [name, ...listOthers(SILENT_MS)]
    if (now.length === before.length && now.every((one) => before.includes(one))) return
    members = now
    for (const listener of listeners) listener((key) => isOwn(now, key) && !isOwn(before, key))
  }

  timer = clock.setTimeout(check, CHECK_MS)
  return {
    owns: (key) => isOwn(members, key),
    count: () => members.length,
    onChanged: (listener) => listeners.push(listener),
    close: () => timer?.cancel(),
  }
}
