/** Errors so long after the end of a fault are explained by it, ms. */
const RECOVERY_MS = 60_000

/** Something that went wrong. */
export interface Incident {
  readonly at: number
  readonly what: string
}

/** Records what goes wrong, and which of it a fault explains. */
export function recordIncidents() {
  const incidents: Incident[] = []
  const faults: { readonly from: number; to: number }[] = []
  const isExplained = ({ at }: Incident): boolean =>
    faults.some(({ from, to }) => at >= from && at <= to + RECOVERY_MS)
  return {
    add(what: string) {
      incidents.push({ at: Date.now(), what: what.slice(0, 300) })
    },
    /** Runs a fault. What goes wrong until a minute after its end is explained by it. */
    async explain(fault: () => Promise<void>) {
      const window = { from: Date.now(), to: Number.POSITIVE_INFINITY }
      faults.push(window)
      try {
        await fault()
      } finally {
        window.to = Date.now()
      }
    },
    countExplained: () => incidents.filter(isExplained).length,
    listUnexplained: () => incidents.filter((incident) => !isExplained(incident)),
  }
}

export type Incidents = ReturnType<typeof recordIncidents>
