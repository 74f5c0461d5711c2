import type { Bench, BenchResult } from './bench.ts'
import { measureCity } from './twin/measure-city.ts'
import { measureSolves } from './twin/measure-solves.ts'

/** Highest memory allowed for the twin of a city, MB. */
const CITY_MEMORY_MB = 1000

async function run(): Promise<BenchResult> {
  const solves = await measureSolves()
  const city = await measureCity()
  const most = Math.round(city.rssMb)
  if (most > CITY_MEMORY_MB) throw new Error(`The city's twin took ${most} MB, more than ${CITY_MEMORY_MB}`)
  return {
    figures: { ...solves.figures, city_realtime_factor: city.simulatedS / city.cpuS },
    peers: solves.peers,
    notes: [
      ...solves.notes,
      `The city: ${city.households} households and ${city.devices} devices, ${city.readings} readings in ${city.messages} messages over MQTT in two simulated hours; simulated seconds per second of processor time of its process, ${most} MB at most.`,
    ],
  }
}

export const bench: Bench = {
  name: 'twin',
  about:
    'solving the flows of two-pipe networks beside EPANET on the same networks, and a city of 100,000 households',
  run,
}
