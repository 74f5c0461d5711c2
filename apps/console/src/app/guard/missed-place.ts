import type { ModuleGroup } from '@isotherm/contract/access/routes'
import { create } from 'zustand'
import type { Page } from '../../shared/page.ts'
import type { Place } from './route-table.ts'

/** What led to /404 last; empty when the page was opened by its own address. */
export interface MissedPlace {
  readonly address?: string
  /** What the user lacks, when the address is one of the console's. */
  readonly group?: ModuleGroup | undefined
  readonly page?: Page | undefined
}

export const useMissedPlace = create<MissedPlace>(() => ({}))

/** Notes what was asked for in vain, for /404 to name. */
export function missPlace(address: string, place: Place): void {
  const lacking = place.kind === 'lacking' ? { group: place.group, page: place.page } : {}
  useMissedPlace.setState({ address, ...lacking }, true)
}

/** The next user has asked for nothing yet. */
export const forgetMissedPlace = (): void => useMissedPlace.setState({}, true)
