import { toKey } from './observer.ts'
import { countBirths, presentBoot, type Run, waitForReturn } from './run.ts'

/** Messages before the link is broken. */
const FIRST_READINGS = 4

/** Key of the newest readings. */
const lastKey = ({ observer }: Run): string => [...observer.readings.keys()].at(-1) ?? ''

const countArrivals = ({ observer }: Run, key: string): number =>
  observer.readings.get(key)?.arrivals.length ?? 0

/** Waits for the first connection, the birth message and readings; false if there is nothing to check further. */
export async function checkStart(run: Run): Promise<boolean> {
  const { stage, observer, limits, findings } = run
  const isConnected = await stage.until(() => countBirths(run) > 0, limits.connectMs)
  findings.check('connect', isConnected, 'no birth message arrived')
  if (!isConnected) return false
  stage.send('time', { now: Date.now() })
  const hasReadings = await stage.until(
    () => observer.readings.size >= FIRST_READINGS,
    limits.periodMs * (FIRST_READINGS + 2),
  )
  findings.check('connect', hasReadings, `only ${observer.readings.size} messages with readings arrived`)
  return hasReadings
}

/** Breaks the link before a PUBACK, for some report periods. */
export async function checkOutage(run: Run): Promise<void> {
  const { stage, observer, limits, findings } = run
  run.withhold('readings')
  if (!(await stage.until(run.wasWithheld, limits.periodMs * 3))) return
  const key = lastKey(run)
  const births = countBirths(run)
  const [cutAt, timesBefore] = [Date.now(), countArrivals(run, key)]
  stage.refuse()
  await stage.until(() => false, limits.periodMs * 2.5)
  const backAt = Date.now()
  stage.accept()
  if (!(await waitForReturn(run, births))) return
  const isRepeated = await stage.until(() => countArrivals(run, key) > timesBefore, limits.historyMs)
  findings.check('repeat-unacknowledged', isRepeated, `boot and number ${key} did not come again`)
  const listLate = () =>
    [...observer.readings.values()].filter(({ message, arrivals }) =>
      message.d.some(({ ts = 0 }) => ts > cutAt && ts < backAt && arrivals.length > 0),
    )
  const hasAll = await stage.until(
    () => listLate().length > 0 && observer.listMissing(presentBoot(run)).length === 0,
    limits.historyMs,
  )
  findings.check('backlog', hasAll, 'what was measured meanwhile did not arrive, or numbers are missing')
  const wrong = listLate().filter(({ firstChannel }) => firstChannel !== 'history')
  findings.check('late-readings', wrong.length === 0, `late readings came on up/${wrong[0]?.firstChannel}`)
}

/** Requests messages that have arrived. */
export async function checkHistory(run: Run): Promise<void> {
  const { stage, observer, limits, findings, device } = run
  const boot = presentBoot(run)
  const wanted = [1, 2].map((seq) => toKey({ boot, seq }))
  const since = Date.now()
  const id = `history-${boot}-1-2-${since}`
  stage.send('cmd', {
    v: 1,
    id,
    dev: device.gateway,
    do: 'getHistory',
    args: { boot, from: 1, to: 2 },
    iat: since,
    exp: since + 3_600_000,
  })
  const hasArrived = (key: string): boolean =>
    observer.readings.get(key)?.arrivals.some(({ at, channel }) => channel === 'history' && at >= since) ??
    false
  const isSent = await stage.until(() => wanted.every(hasArrived), limits.historyMs)
  findings.check('get-history', isSent, `numbers 1 to 2 of boot ${boot} did not come on up/history`)
  const hasReply = observer.replies.some((reply) => reply.id === id)
  findings.check('get-history', !hasReply, 'it sent a reply')
}

/** Acknowledges the readings of this boot up to the first gap; false if there are none. */
function acknowledge({ stage, observer }: Run, boot: number): boolean {
  const numbers = [...observer.readings.values()].flatMap(({ message }) =>
    message.boot === boot ? [message.seq] : [],
  )
  const missing = observer.listMissing(boot)
  const seq = missing.length > 0 ? Math.min(...missing) - 1 : Math.max(...numbers)
  if (!Number.isFinite(seq) || seq < 0) return false
  stage.send('ack', { boot, seq })
  observer.noteAck(boot, seq)
  return true
}

/** Acknowledges everything and breaks the link: nothing of it may come again. */
export async function checkAcknowledged(run: Run): Promise<void> {
  const { stage, limits, findings } = run
  if (!acknowledge(run, presentBoot(run))) return
  // The next connection shows whether it obeyed.
  stage.sendDecoy()
  // Messages on their way may still arrive. Then the link is broken, after which a device sends everything that it
  // still stores.
  await stage.until(() => false, Math.max(limits.periodMs, 500))
  const births = countBirths(run)
  stage.cut()
  if (!(await waitForReturn(run, births))) return
  await stage.until(() => false, Math.max(limits.periodMs * 2, 2_500))
  findings.check('acknowledged', true, '')
}

/** Lets the device restart while a message has no PUBACK. */
export async function checkRestart(run: Run, restart: () => Promise<void>): Promise<void> {
  const { stage, observer, limits, findings } = run
  // Otherwise the device would first send again everything that it has stored.
  acknowledge(run, presentBoot(run))
  run.withhold('readings')
  if (!(await stage.until(run.wasWithheld, limits.periodMs * 3))) return
  const [key, boot, births] = [lastKey(run), presentBoot(run), countBirths(run)]
  const timesBefore = countArrivals(run, key)
  await restart()
  if (!(await waitForReturn(run, births))) return
  findings.check('boot', presentBoot(run) > boot, `boot was ${boot} before and is ${presentBoot(run)} now`)
  const isRepeated = await stage.until(() => countArrivals(run, key) > timesBefore, limits.historyMs)
  findings.check('restart', isRepeated, `boot and number ${key} did not come again`)
  await stage.until(
    () => observer.readings.has(toKey({ boot: presentBoot(run), seq: 0 })),
    limits.periodMs * 3,
  )
}
