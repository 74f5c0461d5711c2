/** `node main.ts URL USER PASSWORD VALVE FILE [INTERVAL_S [STROKE_S]]`, see device.ts. */
import { startDevice } from './device.ts'

const [url = '', username = '', password = '', valve = '', file = '', interval = '60', stroke = '5'] =
  process.argv.slice(2)
const times = { intervalMs: Number(interval) * 1_000, strokeMs: Number(stroke) * 1_000 }
const stop = startDevice({ url, username, password, valve, file, ...times })
process.once('SIGTERM', () => {
  // Without a connection the broker sends the will.
  setTimeout(() => process.exit(), 2_000)
  stop().then(() => process.exit())
})
