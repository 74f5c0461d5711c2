import type { Findings } from './findings.ts'
import type { Observer } from './observer.ts'
import type { ExpectedDevice } from './sign-in.ts'
import type { Stage } from './stage.ts'

/** How long the device may take, ms. */
export interface Limits {
  /** Until it connects for the first time. */
  readonly connectMs: number
  /** Its report period. */
  readonly periodMs: number
  /** Until it connects again. */
  readonly reconnectMs: number
  /** Until the first reply to a command. */
  readonly replyMs: number
  /** Until a move has ended. */
  readonly strokeMs: number
  /** Until what it stored has arrived; it may send one message per second. */
  readonly historyMs: number
}

/** A message whose PUBACK is to be withheld. */
export type Withheld = 'readings' | 'reply'

/** What the steps of a run share. */
export interface Run {
  readonly device: ExpectedDevice
  readonly findings: Findings
  readonly stage: Stage
  readonly observer: Observer
  readonly limits: Limits
  /** Prints what happens now. */
  readonly print: (text: string) => void
  /** Withholds the PUBACK of the next such message. */
  withhold(kind: Withheld): void
  /** Whether a message was withheld since. */
  wasWithheld(): boolean
}

/** Number of birth messages that the device has sent since the start of the run. */
export function countBirths({ observer }: Run): number {
  return observer.births.length
}

/** Waits for a new birth message after the link was broken. */
export async function waitForReturn(run: Run, birthsBefore: number): Promise<boolean> {
  const { stage, limits, findings } = run
  const isBack = await stage.until(() => countBirths(run) > birthsBefore, limits.reconnectMs)
  findings.check('reconnect', isBack, `it did not come back within ${limits.reconnectMs / 1_000} s`)
  if (isBack) stage.send('time', { now: Date.now() })
  return isBack
}

/** The boot of the last birth message. */
export const presentBoot = ({ observer }: Run): number => observer.births.at(-1)?.boot ?? 0
