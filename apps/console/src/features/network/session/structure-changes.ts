/** Changes that are told one after the other within this time are one, ms. */
export const GATHER_MS = 300

/** Takes in what others changed and has it loaded again. */
export interface StructureChanges {
  /** The children of these nodes changed; none given means that any may have. */
  note(parents: readonly string[]): void
  close(): void
}

/**
 * Gathers changes for 0.3 s. While one reload runs, whatever else is told waits and becomes one further reload:
 * an import of a thousand households is not a thousand reloads.
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
    timer ??= setTimeout(run, GATHER_MS)
  }

  function run(): void {
    timer = undefined
    isRunning = true
    const told = isAny ? [] : [...parents]
    parents = new Set()
    isAny = false
    reload(told).finally(() => {
      isRunning = false
      wait()
    })
  }

  return {
    note(told) {
      if (told.length === 0) isAny = true
      for (const parent of told) parents.add(parent)
      wait()
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}
