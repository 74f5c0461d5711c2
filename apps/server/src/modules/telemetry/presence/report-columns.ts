import { createIdColumn } from '../../../platform/columns/id-column.ts'
import type { PresenceState } from './to-presence.ts'

/** What is known of the reports of a device. Changing it changes the columns. */
export interface Reports {
  /** Instant of the newest data, Unix ms; for a concentrator, of any message. */
  reportedAt: number | undefined
  /** The same, but the time in which the server was down is never added. */
  seenAt: number | undefined
  presence: PresenceState
  /** Concentrator under which the device is filed, and the instant since which that one is back. */
  concentratorId: number | undefined
  graceFrom: number | undefined
  /** Only for a concentrator. */
  link: 'online' | 'offline' | undefined
  isMissed: boolean
}

export interface ReportColumns {
  find(deviceId: number): Reports | undefined
  /** Starts with a silent device that never reported. */
  add(deviceId: number): Reports
  remove(deviceId: number): void
  /** Fast, for loops over all devices. */
  presenceOf(deviceId: number): PresenceState | undefined
}

/** A state and a link are stored as an index of these lists. */
const states: readonly (PresenceState | undefined)[] = [undefined, 'present', 'silent', 'unknown']
const links = [undefined, 'online', 'offline'] as const

const toOptional = (value: number): number | undefined => (Number.isNaN(value) ? undefined : value)

/** The reports of all devices in columns: an object for each would take three times the memory, in the collected heap. */
export function createReportColumns(): ReportColumns {
  const reportedAt = createIdColumn()
  const seenAt = createIdColumn()
  const graceFrom = createIdColumn()
  const concentratorIds = createIdColumn(0, Uint32Array)
  const presences = createIdColumn(0, Uint8Array)
  const linkOf = createIdColumn(0, Uint8Array)
  const missed = createIdColumn(0, Uint8Array)

  class StoredReports implements Reports {
    readonly #id: number
    constructor(id: number) {
      this.#id = id
    }
    get reportedAt() {
      return toOptional(reportedAt.get(this.#id))
    }
    set reportedAt(at) {
      reportedAt.put(this.#id, at ?? Number.NaN)
    }
    get seenAt() {
      return toOptional(seenAt.get(this.#id))
    }
    set seenAt(at) {
      seenAt.put(this.#id, at ?? Number.NaN)
    }
    get presence() {
      return states[presences.get(this.#id)] ?? 'silent'
    }
    set presence(presence) {
      presences.put(this.#id, states.indexOf(presence))
    }
    get concentratorId() {
      return concentratorIds.get(this.#id) || undefined
    }
    set concentratorId(id) {
      concentratorIds.put(this.#id, id ?? 0)
    }
    get graceFrom() {
      return toOptional(graceFrom.get(this.#id))
    }
    set graceFrom(at) {
      graceFrom.put(this.#id, at ?? Number.NaN)
    }
    get link() {
      return links[linkOf.get(this.#id)]
    }
    set link(link) {
      linkOf.put(this.#id, links.indexOf(link))
    }
    get isMissed() {
      return missed.get(this.#id) === 1
    }
    set isMissed(isMissed) {
      missed.put(this.#id, isMissed ? 1 : 0)
    }
  }

  const presenceOf = (deviceId: number): PresenceState | undefined => states[presences.get(deviceId)]
  return {
    presenceOf,
    find: (deviceId) => (presenceOf(deviceId) === undefined ? undefined : new StoredReports(deviceId)),
    add(deviceId) {
      presences.put(deviceId, states.indexOf('silent'))
      return new StoredReports(deviceId)
    },
    remove(deviceId) {
      for (const column of [reportedAt, seenAt, graceFrom]) column.put(deviceId, Number.NaN)
      for (const column of [concentratorIds, presences, linkOf, missed]) column.put(deviceId, 0)
    },
  }
}
