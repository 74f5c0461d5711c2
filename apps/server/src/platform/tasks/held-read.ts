import type { Clock } from '../clock.ts'

interface Held<Value> {
  readonly untilMs: number
  readonly value: Promise<Value>
}

/**
 * Returns a function that reads a key once and answers further calls within `holdMs` from that read. A failed read is not
 * held.
 */
export function createHeldRead<Key extends string, Value>(
  read: (key: Key) => Promise<Value>,
  holdMs: number,
  clock: Pick<Clock, 'elapsed'>,
): (key: Key) => Promise<Value> {
  const held = new Map<Key, Held<Value>>()
  return (key) => {
    const nowMs = clock.elapsed()
    for (const [each, { untilMs }] of held) if (untilMs <= nowMs) held.delete(each)
    const known = held.get(key)
    if (known) return known.value
    const value = read(key)
    held.set(key, { untilMs: nowMs + holdMs, value })
    value.catch(() => {
      if (held.get(key)?.value === value) held.delete(key)
    })
    return value
  }
}
