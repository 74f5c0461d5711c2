import type { Clock } from '../../../platform/clock.ts'
import type { Owners } from '../../../platform/replicas/owners.ts'
import type { DirectoryEntry } from '../../devices/index.ts'

export interface BirthAnswersOptions {
  readonly owners: Pick<Owners, 'owns' | 'onChanged'>
  readonly clock: Pick<Clock, 'elapsed'>
  readonly findGateway: (id: number) => DirectoryEntry | undefined
  /** Sends a gateway its watermarks, and the time if it is online. */
  readonly answer: (gateway: DirectoryEntry, isOnline: boolean) => void
}

/** Answers births of gateways. Every replica gets all births; the owner of the gateway answers. */
export interface BirthAnswers {
  take(gateway: DirectoryEntry, isOnline: boolean): void
}

/**
 * Time in which a birth is answered by the next owner as well, ms: the former one may have died before it answered. It is longer
 * than the time in which its death is noticed.
 */
const OPEN_MS = 30_000

export function createBirthAnswers({
  owners,
  clock,
  findGateway,
  answer,
}: BirthAnswersOptions): BirthAnswers {
  /** Last births of gateways that others own. */
  const left = new Map<number, { readonly isOnline: boolean; readonly at: number }>()

  owners.onChanged((gained) => {
    const since = clock.elapsed() - OPEN_MS
    for (const [gatewayId, { isOnline, at }] of left) {
      if (at > since && !gained(gatewayId)) continue
      left.delete(gatewayId)
      const gateway = at > since ? findGateway(gatewayId) : undefined
      if (gateway) answer(gateway, isOnline)
    }
  })

  return {
    take(gateway, isOnline) {
      if (owners.owns(gateway.id)) answer(gateway, isOnline)
      else left.set(gateway.id, { isOnline, at: clock.elapsed() })
    },
  }
}
