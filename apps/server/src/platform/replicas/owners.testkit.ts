import type { OwnersListener } from './owners.ts'

/** Owners for tests: this server owns `keys`, and each key that it gains later. */
export function createTestOwners(...keys: readonly number[]) {
  const owned = new Set(keys)
  const listeners: OwnersListener[] = []
  return {
    owns: (key: number): boolean => owned.has(key),
    onChanged(listener: OwnersListener): void {
      listeners.push(listener)
    },
    /** The replicas change, and this server owns the key from now on. */
    gain(key: number): void {
      owned.add(key)
      for (const listener of listeners) listener((one) => one === key)
    },
  }
}
