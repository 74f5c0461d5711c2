import { setTimeout as wait } from 'node:timers/promises'

/** After the last message everything is stored and confirmed within this time, s. */
const SETTLE_S = 120

/** Waits until `read` is 0 or the time to settle is over. Returns what is left. */
export async function settle(read: () => Promise<number>): Promise<number> {
  for (let seconds = 0; seconds < SETTLE_S; seconds += 1) {
    if ((await read()) <= 0) return 0
    await wait(1_000)
  }
  return read()
}
