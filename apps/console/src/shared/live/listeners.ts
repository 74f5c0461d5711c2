/** A set of listeners. A listener that is added twice is called once. */
export interface Listeners<Value> {
  /** Adds a listener; returns a function that removes it. */
  readonly add: (listener: (value: Value) => void) => () => void
  readonly notify: (value: Value) => void
}

export function createListeners<Value = void>(): Listeners<Value> {
  const all = new Set<(value: Value) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    notify(value) {
      for (const listener of all) listener(value)
    },
  }
}
