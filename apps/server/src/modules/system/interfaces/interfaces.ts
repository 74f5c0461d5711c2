import { permissions } from '@isotherm/contract/access/permissions'
import type { InputOf } from '@isotherm/contract/endpoint'
import {
  type getInterfaces,
  INTERFACE_HOURS,
  type InterfaceItem,
} from '@isotherm/contract/endpoints/administration/interfaces'
import { HOUR_MS } from '@isotherm/kernel/durations'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Log } from '../../../platform/log.ts'
import { type CallMeter, findQuantileMs, noCalls } from '../../../platform/meter/call-meter.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { toOffset } from '../../../platform/postgres/filter.pg.ts'
import { managesForAll } from '../policy.ts'
import { createCallCounts } from './call-counts.pg.ts'
import { createDisabledInterfaces, isSwitchable } from './disabled-interfaces.pg.ts'
import { findInterfaces } from './list-interfaces.ts'

interface InterfacesDependencies {
  readonly db: Database
  readonly clock: Clock
  readonly log: Log
  readonly meter: CallMeter
}

/** The fields of a role that the list uses. */
interface RoleOfInterfaces {
  readonly name: string
  readonly urls: readonly string[]
}

const P95 = 0.95

/** The interfaces of the server: who may call them, their state and their calls. */
export function createInterfaces(dependencies: InterfacesDependencies) {
  const disabled = createDisabledInterfaces(dependencies.db)
  const callCounts = createCallCounts(dependencies)
  return {
    disabled,
    callCounts,

    /** A page of the interfaces that contain the text, each with the roles that may call it. */
    async list(
      caller: Caller,
      { text, limiter }: InputOf<typeof getInterfaces>,
      roles: readonly RoleOfInterfaces[],
    ): Promise<{ datalist: InterfaceItem[]; total: number }> {
      const since = dependencies.clock.now() - INTERFACE_HOURS * HOUR_MS
      const [off, counts] = await Promise.all([disabled.list(), callCounts.listSince(since)])
      const matching = findInterfaces(text)
      const holders = new Map<string, readonly string[]>(
        permissions.map((url) => [
          url,
          roles.filter(({ urls }) => urls.includes(url)).map(({ name }) => name),
        ]),
      )
      const maySwitch = managesForAll(caller, 'ps-interfacesys')
      const start = toOffset(limiter)
      const datalist = matching.slice(start, start + limiter.size).map((item): InterfaceItem => {
        const counted = counts.get(item.name) ?? noCalls
        const { calls, failures } = counted
        return {
          ...item,
          roles: [...new Set(item.permissions.flatMap((url) => holders.get(url) ?? []))],
          enabled: !off.has(item.name),
          calls,
          failures,
          p95Ms: findQuantileMs(counted, P95),
          abilities: maySwitch && isSwitchable(item.name) ? ['switch'] : [],
        }
      })
      return { datalist, total: matching.length }
    },
  }
}
