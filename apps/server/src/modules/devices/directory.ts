import type { DeviceKind } from '@isotherm/contract/devices'

/** One device as ingest, commands and the live hub need it, without asking the database. */
export interface DirectoryEntry {
  readonly id: number
  readonly tenant: string
  readonly serial: string
  readonly kind: DeviceKind
  /** Path of the node it is placed on, see platform/scope.ts. */
  readonly path: string
  /** Device it speaks through; absent when it has its own link. */
  readonly concentratorId: number | undefined
  readonly periodS: number
}

/** Every device in memory, kept up with the registry of all replicas. */
export interface DeviceDirectory {
  find(tenant: string, serial: string): DirectoryEntry | undefined
  findById(id: number): DirectoryEntry | undefined
  /** All of them, in no order. */
  entries(): Iterable<DirectoryEntry>
  /** Serial of the MQTT client behind which a device is: its concentrator's or its own. */
  nodeOf(entry: DirectoryEntry): string
}
