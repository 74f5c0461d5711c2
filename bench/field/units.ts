import { simulateUnit } from '../../apps/gateway/src/drivers/dtu-tcp/simulator.testkit.ts'
import { simulateCjtMeter } from '../../apps/gateway/src/field/simulated-devices.testkit.ts'
import { toBusAddress, toRegistration } from './lines.ts'

/**
 * Transparent units with one meter each, in a process of their own. Arguments: port of the gateway, number of units. Connects 500 per
 * second.
 */
const [port = 0, count = 0] = process.argv.slice(2).map(Number)
const PER_STEP = 50
const STEP_MS = 100
/** From a request to its answer at the unit: a slow bus and a mobile network, ms. */
const DELAY_MS = 300

for (let from = 0; from < count; from += PER_STEP) {
  for (let line = from; line < Math.min(count, from + PER_STEP); line++) {
    simulateUnit({
      port,
      registration: Buffer.from(toRegistration(line)),
      devices: [simulateCjtMeter(toBusAddress(line))],
      formats: ['cjt188'],
      delayMs: DELAY_MS,
      reconnectMs: 1_000,
    })
  }
  await new Promise((resolve) => setTimeout(resolve, STEP_MS))
}
console.log('UNITS_READY ')
process.on('disconnect', () => process.exit(0))
