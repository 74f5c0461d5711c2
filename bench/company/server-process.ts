import { setTimeout as wait } from 'node:timers/promises'

const MB = 1e6
const SAMPLE_MS = 2_000

/** What a server process uses. */
export interface ProcessUse {
  readonly cpuS: number
  readonly rssMb: number
  /** Heap in use and buffers outside of it, MB; with the garbage since the last collection. */
  readonly usedMb: number
  /** Open files and connections. */
  readonly handles: number
}

/** Reads the use of a server process from its metrics. */
export async function readUse(port: number): Promise<ProcessUse> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const read = (name: string) => Number(new RegExp(`^isotherm_${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    cpuS: read('process_cpu_seconds_total'),
    rssMb: read('process_resident_memory_bytes') / MB,
    usedMb: (read('nodejs_heap_size_used_bytes') + read('nodejs_external_memory_bytes')) / MB,
    handles: read('process_open_fds'),
  }
}

export interface Watched<Result> {
  readonly result: Result
  /** Processor cores that the server used on average. */
  readonly cores: number
  readonly maxRssMb: number
}

/** Watches the use of a server while `work` runs. */
export async function watchUse<Result>(port: number, work: () => Promise<Result>): Promise<Watched<Result>> {
  let isOver = false
  let maxRssMb = 0
  const sample = async () => {
    while (!isOver) {
      maxRssMb = Math.max(maxRssMb, (await readUse(port)).rssMb)
      await wait(SAMPLE_MS)
    }
  }
  const before = await readUse(port)
  const started = performance.now()
  const sampling = sample()
  sampling.catch(() => undefined)
  const result = await work()
  const seconds = (performance.now() - started) / 1_000
  const after = await readUse(port)
  isOver = true
  await sampling
  return { result, cores: (after.cpuS - before.cpuS) / seconds, maxRssMb }
}
