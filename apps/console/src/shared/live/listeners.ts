/** Who wants to be told of something. One that joins twice is told once. */
export interface Listeners<Value> {
  /** Adds a listener; gives what takes it away. */
  readonly add: (listener: (value: Value) => void) => () => void
  readonly tell: (value: Value) => void
}

export function createListeners<Value = void>(): Listeners<Value> {
  const all = new Set<(value: Value) => void>()
  return {
    add(listener) {
      all.add(listener)
      return () => void all.delete(listener)
    },
    tell(value) {
      for (const listener of all) listener(value)
    },
  }
}
