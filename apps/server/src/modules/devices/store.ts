import type { Device, DeviceKind } from '@isotherm/contract/devices'
import type { Limiter } from '@isotherm/contract/filter'
import type { Scope } from '../../platform/scope.ts'
import type { DirectoryEntry } from './directory.ts'

/** A device without what depends on who looks. */
export type StoredDevice = Omit<Device, 'abilities'>

export interface DeviceQuery {
  readonly paths: readonly string[]
  readonly kinds: readonly DeviceKind[]
  readonly limiter: Limiter
}

/** The stored registry of devices. */
export interface DeviceStore {
  list(scope: Scope, query: DeviceQuery): Promise<{ readonly rows: StoredDevice[]; readonly total: number }>
  listIds(scope: Scope, query: DeviceQuery): Promise<{ readonly ids: number[]; readonly total: number }>
  /** Those of `ids` the scope covers, in no order. */
  find(scope: Scope, ids: readonly number[]): Promise<StoredDevice[]>
  /** Devices the scope covers below each path, by path. */
  count(scope: Scope, paths: readonly string[]): Promise<ReadonlyMap<string, number>>
  /** Of the nodes that have a station controller on them which the scope covers: its id, by node. */
  findControllers(scope: Scope, nodeIds: readonly number[]): Promise<ReadonlyMap<number, number>>
  /** The whole registry, for the directory; no caller sees it. */
  readDirectory(): Promise<readonly DirectoryEntry[]>
}
