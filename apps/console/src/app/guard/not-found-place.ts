import type { ModuleGroup } from '@isotherm/contract/access/routes'
import { create } from 'zustand'
import type { Page } from '../../shared/page.ts'
import type { Place } from './route-table.ts'

/** The address that led to /404; empty if /404 was opened directly. */
export interface NotFoundPlace {
  readonly address?: string
  /** The module that the user needs, if the address is a page of the console. */
  readonly group?: ModuleGroup | undefined
  readonly page?: Page | undefined
}

export const useNotFoundPlace = create<NotFoundPlace>(() => ({}))

/** Stores the requested address for /404. */
export function storeNotFoundPlace(address: string, place: Place): void {
  const lacking = place.kind === 'lacking' ? { group: place.group, page: place.page } : {}
  useNotFoundPlace.setState({ address, ...lacking }, true)
}

/** Clears the stored address for the next user. */
export const clearNotFoundPlace = (): void => useNotFoundPlace.setState({}, true)
