import { MAX_CHILDREN, type UnregisteredEntry, unregisteredEntry } from '@isotherm/contract/mqtt'
import { SECOND_MS } from '@isotherm/kernel/durations'
import type { UnknownDevice } from '../field/driver.ts'

/** Reports that arrive within this time share one message. */
const GATHER_MS = SECOND_MS
const PAUSE_MS = 30 * SECOND_MS
/** Maximum number of devices that wait to be reported; further ones are reported when they send again. */
const MAX_WAITING = 500
/** Maximum size of the entries of a message, bytes: below the limit of the server. */
const MAX_BYTES = 48_000
const MAX_COUNT = 1_000_000

export interface UnknownDeviceReporterNeeds {
  readonly now: () => number
  readonly isConnected: () => boolean
  readonly publish: (channel: 'unregistered', payload: string) => Promise<void>
}

const toBytes = (entry: UnregisteredEntry): number => Buffer.byteLength(JSON.stringify(entry))

/**
 * An entry that the server accepts: without its content if that is too long or malformed; undefined without a valid
 * name.
 */
function toEntry(entry: UnregisteredEntry): UnregisteredEntry | undefined {
  const whole = unregisteredEntry.safeParse(entry)
  if (whole.success && toBytes(entry) <= MAX_BYTES) return entry
  const { hex: _, p: __, port: ___, ...named } = entry
  return unregisteredEntry.safeParse(named).success ? named : undefined
}

/**
 * Collects devices that send data and are not in the configuration, and reports them to the server: the newest
 * content of each, and how often it sent.
 */
export interface UnknownDeviceReporter {
  readonly add: (unknownDevice: UnknownDevice) => void
  /** Forgets the other waiting devices: a new configuration may contain them. */
  readonly retain: (isUnknown: (device: Pick<UnregisteredEntry, 'line' | 'address'>) => boolean) => void
  readonly close: () => void
}

export function createUnknownDeviceReporter({
  now,
  isConnected,
  publish,
}: UnknownDeviceReporterNeeds): UnknownDeviceReporter {
  const waiting = new Map<string, UnregisteredEntry>()
  let timer: NodeJS.Timeout | undefined
  let sentAt = Number.NEGATIVE_INFINITY

  function take(): readonly UnregisteredEntry[] {
    const taken: UnregisteredEntry[] = []
    let bytes = 0
    for (const [key, entry] of waiting) {
      bytes += toBytes(entry)
      if (taken.length === MAX_CHILDREN || (taken.length > 0 && bytes > MAX_BYTES)) break
      taken.push(entry)
      waiting.delete(key)
    }
    return taken
  }

  function schedule(): void {
    if (timer !== undefined || waiting.size === 0) return
    timer = setTimeout(send, Math.max(GATHER_MS, sentAt + PAUSE_MS - now()))
    timer.unref()
  }

  function send(): void {
    timer = undefined
    sentAt = now()
    // A lost message is not repeated: the device sends again.
    const d = isConnected() ? take() : []
    if (d.length > 0) publish('unregistered', JSON.stringify({ v: 1, d })).catch(() => undefined)
    schedule()
  }

  return {
    add(unknownDevice) {
      const key = `${unknownDevice.line ?? ''} ${unknownDevice.address}`
      const before = waiting.get(key)
      if (before === undefined && waiting.size >= MAX_WAITING) return
      const entry = toEntry({ ...unknownDevice, n: Math.min(MAX_COUNT, (before?.n ?? 0) + 1), ts: now() })
      if (!entry) return
      waiting.set(key, entry)
      schedule()
    },
    retain(isUnknown) {
      for (const [key, entry] of waiting) if (!isUnknown(entry)) waiting.delete(key)
    },
    close() {
      clearTimeout(timer)
      waiting.clear()
    },
  }
}
