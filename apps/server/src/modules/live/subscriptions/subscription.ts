import type { DeviceKind, DeviceState } from '@isotherm/contract/devices'
import type { LiveCursor, LiveEvent } from '@isotherm/contract/live'
import type { Clock, Timer } from '../../../platform/clock.ts'
import { createCover } from '../../../platform/scope/scope.ts'
import type { DirectoryEntry } from '../../devices/index.ts'
import type { LiveStates } from '../../telemetry/index.ts'

/** Shortest time between two updates of a subscription, and so of a device in it. */
const UPDATE_INTERVAL_MS = 100
/** Pause between parts of a long first answer, so that one subscription does not block the others. */
const PART_PAUSE_MS = 20
/** Rows per message. */
const MAX_ROWS = 2_000

export interface SubscriptionNeeds {
  readonly name: string
  /** Disjoint paths of the subtrees, limited to the grants of the caller. */
  readonly paths: readonly string[]
  readonly kinds: readonly DeviceKind[]
  /** Only these devices; undefined for all. */
  readonly deviceIds?: readonly number[] | undefined
  readonly since: LiveCursor | undefined
  readonly epoch: string
  readonly states: LiveStates
  readonly devices: Iterable<DirectoryEntry>
  readonly clock: Clock
  readonly send: (event: LiveEvent) => void
  /** Whether the client reads too slowly. Then updates wait, and only the newest values are sent. */
  readonly isBehind: () => boolean
}

export interface Subscription {
  /** Whether the path is in one of its subtrees. */
  covers(path: string): boolean
  /** Whether it includes this device. */
  matches(device: DirectoryEntry): boolean
  /** Records that the newest values of a device changed. */
  recordChange(device: DirectoryEntry): void
  close(): void
}

const toRow = ({ deviceId, ts, quality, metrics }: DeviceState): DeviceState => ({
  deviceId,
  ts,
  quality,
  metrics,
})

/**
 * Sends one subscription to its client. First all matching devices (or those that changed since the client's cursor),
 * in parts. Then, at most ten times a second, the devices that changed, each with its newest values only. A cursor is
 * sent only when nothing older is left, so resuming from it loses nothing.
 */
export function openSubscription(needs: SubscriptionNeeds): Subscription {
  const { name, epoch, states, clock } = needs
  const kinds = new Set(needs.kinds)
  const chosen = needs.deviceIds && new Set(needs.deviceIds)
  const resumed = needs.since?.epoch === epoch ? needs.since.version : undefined
  let sentVersion = resumed ?? 0
  let isFirst = true
  let sentAt = Number.NEGATIVE_INFINITY
  let timer: Timer | undefined
  let closed = false

  const covers = createCover(needs.paths)
  const matches = ({ id, kind, path }: DirectoryEntry): boolean =>
    kinds.has(kind) && (chosen?.has(id) ?? true) && covers(path)

  const first: number[] = []
  for (const device of needs.devices) {
    if (matches(device) && states.versionOf(device.id) > sentVersion) first.push(device.id)
  }
  let changed = new Set<number>()

  function sendRows(ids: readonly number[], isLast: boolean, version: number): void {
    if (isLast) sentVersion = version
    needs.send({
      type: 'states',
      sub: name,
      cursor: { epoch, version: sentVersion },
      full: isFirst && resumed === undefined,
      ...(first.length > 0 ? { more: true as const } : {}),
      rows: ids.flatMap((id) => {
        const state = states.find(id)
        return state ? [toRow(state)] : []
      }),
    })
    isFirst = false
    sentAt = clock.elapsed()
  }

  function sendFirst(): void {
    const version = states.version()
    const part = first.splice(0, MAX_ROWS)
    // Devices that changed meanwhile must still be sent, so the cursor must not pass them.
    sendRows(part, first.length === 0 && changed.size === 0, version)
    if (first.length > 0) arm(PART_PAUSE_MS)
    else if (changed.size > 0) arm(UPDATE_INTERVAL_MS)
  }

  function sendChanged(): void {
    const version = states.version()
    const ids = [...changed]
    changed = new Set()
    for (let at = 0; at < ids.length; at += MAX_ROWS) {
      sendRows(ids.slice(at, at + MAX_ROWS), at + MAX_ROWS >= ids.length, version)
    }
  }

  function flush(): void {
    timer = undefined
    if (closed) return
    if (needs.isBehind()) arm(UPDATE_INTERVAL_MS)
    else if (isFirst || first.length > 0) sendFirst()
    else sendChanged()
  }

  function arm(delayMs: number): void {
    timer ??= clock.setTimeout(flush, delayMs)
  }

  flush()
  return {
    covers,
    matches,
    recordChange(device) {
      if (closed || !matches(device)) return
      changed.add(device.id)
      arm(Math.max(0, sentAt + UPDATE_INTERVAL_MS - clock.elapsed()))
    },
    close() {
      closed = true
      timer?.cancel()
    },
  }
}
