/** Changes are collected for this time, ms. */
export const COLLECT_MS = 300

/** Collects changes by other users and reloads them. */
export interface StructureChanges {
  /** The children of these nodes changed. An empty list means that any node may have changed. */
  note(parents: readonly string[]): void
  close(): void
}

/**
 * Collects changes for 0.3 s. Changes during a reload become one further reload, so that an import of a thousand
 * households does not cause a thousand reloads.
 */
export function createStructureChanges(
  reload: (parents: readonly string[]) => Promise<void>,
): StructureChanges {
  let parents = new Set<string>()
  let isAny = false
  let timer: ReturnType<typeof setTimeout> | undefined
  let isRunning = false
  let isClosed = false

  function wait(): void {
    if (isRunning || isClosed || (!isAny && parents.size === 0)) return
    timer ??= setTimeout(run, COLLECT_MS)
  }

  function run(): void {
    timer = undefined
    isRunning = true
    const changed = isAny ? [] : [...parents]
    parents = new Set()
    isAny = false
    reload(changed).finally(() => {
      isRunning = false
      wait()
    })
  }

  return {
    note(changed) {
      if (changed.length === 0) isAny = true
      for (const parent of changed) parents.add(parent)
      wait()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
