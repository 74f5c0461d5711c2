/** Ends parts in the reverse of the order they were added; parts of one layer together. */
export interface Shutdown {
  /** Aborted as soon as the shutdown starts. */
  readonly signal: AbortSignal
  /** `layer`: higher ends first. A part that is added during the shutdown is ended too. */
  add(layer: number, name: string, stop: () => Promise<void>): void
  /** Ends everything; further calls wait for the same shutdown. */
  end(): Promise<void>
}

export function createShutdown(report: (line: string) => void): Shutdown {
  const parts: { layer: number; name: string; stop: () => Promise<void> }[] = []
  const ending = new AbortController()
  let ended: Promise<void> | undefined

  const stopPart = async ({ name, stop }: (typeof parts)[number]) => {
    try {
      await stop()
    } catch (error) {
      report(`${name} did not end well: ${error instanceof Error ? error.message : error}`)
    }
  }
  const endAll = async () => {
    ending.abort()
    const layers = [...new Set(parts.map(({ layer }) => layer))].sort((a, b) => b - a)
    for (const layer of layers) await Promise.all(parts.filter((part) => part.layer === layer).map(stopPart))
  }

  return {
    signal: ending.signal,
    add(layer, name, stop) {
      if (ended) ended = ended.then(() => stopPart({ layer, name, stop }))
      else parts.push({ layer, name, stop })
    },
    end() {
      ended ??= endAll()
      return ended
    },
  }
}
