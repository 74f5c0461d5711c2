import { randomUUID } from 'node:crypto'
import { type ReplyMessage, replyCodes } from '@isotherm/contract/mqtt'
import { type OrderKind, orderKinds } from './orders.ts'
import { countBirths, type Run, waitForReturn } from './run.ts'

interface Order {
  readonly id: string
  readonly dev: string
  readonly message: Readonly<Record<string, unknown>>
  readonly sentAt: number
}

/** Longest opening time of the check, s. */
const MAX_SEC = 2
const EXPIRED_MS = 60_000
const VALID_MS = 600_000

/** Revisions are above those of earlier runs. */
let lastRev = Math.floor(Date.now() / 1_000)

/** Sends a command; `change` replaces fields of a valid one. */
function send(
  { stage }: Run,
  dev: string,
  kind: OrderKind,
  target: number,
  change: Readonly<Record<string, unknown>> = {},
): Order {
  lastRev += 1
  const now = Date.now()
  const id = randomUUID()
  const valid = { v: 1, id, dev, do: kind.name, args: kind.toArguments(target) }
  const message = { ...valid, iat: now, exp: now + VALID_MS, rev: lastRev, ...change }
  stage.send('cmd', message)
  return { id, dev: String(message.dev), message, sentAt: now }
}

/** Replies to an order, without the first `skipped` of all replies. */
const listReplies = ({ observer }: Run, { id }: Order, skipped = 0): readonly ReplyMessage[] =>
  observer.replies.slice(skipped).filter((reply) => reply.id === id)

/** Waits for a reply; the first one that matches. */
async function waitForReply(
  run: Run,
  order: Order,
  isWanted: (reply: ReplyMessage) => boolean,
  limitMs: number,
  skipped?: number,
): Promise<ReplyMessage | undefined> {
  const find = () => listReplies(run, order, skipped).find(isWanted)
  await run.stage.until(() => find() !== undefined, limitMs)
  return find()
}

const isEnd = ({ stage, code }: ReplyMessage): boolean => stage === 'done' || code !== replyCodes.ok

/** The last value of a metric of a device that was measured at or after an instant. */
function findValue({ observer }: Run, dev: string, metric: string, since = 0): number | undefined {
  return observer.values.findLast(
    (value) => value.device === dev && value.metric === metric && value.isLive && value.ts >= since,
  )?.value
}

/** A command from its order to the reading that confirms it; true if all was right. */
async function checkExecution(run: Run, order: Order, kind: OrderKind, target: number): Promise<boolean> {
  const { limits, findings } = run
  const first = await waitForReply(run, order, () => true, limits.replyMs)
  findings.check('reply', first !== undefined, `${kind.name} got no reply in ${limits.replyMs / 1_000} s`)
  if (!first) return false
  findings.check('reply', first.dev === order.dev, `the reply names the device "${first.dev}"`)
  const done = await waitForReply(run, order, isEnd, limits.strokeMs)
  findings.check('done', done !== undefined, `${kind.name} was accepted and not ended`)
  findings.check(
    'done',
    done?.code === 0 || !done,
    `${kind.name} ended with code ${done?.code} ${done?.msg ?? ''}`,
  )
  if (done?.code !== 0) return false
  const isConfirmed = await run.stage.until(() => {
    const value = findValue(run, order.dev, kind.confirmedBy, done.ts)
    return value !== undefined && kind.isAt(value, target)
  }, limits.periodMs * 3)
  const value = findValue(run, order.dev, kind.confirmedBy)
  findings.check(
    'confirm',
    isConfirmed,
    `no reading of ${kind.confirmedBy} at ${target}; the last one is ${value}`,
  )
  return isConfirmed
}

interface Refused {
  readonly rule: 'expiry' | 'revision' | 'bad-arguments' | 'unknown-device' | 'unsupported'
  readonly codes: readonly number[]
  readonly change: Readonly<Record<string, unknown>>
}

/** Commands that must be refused. They do not move the device. */
async function checkRefusals(
  run: Run,
  dev: string,
  kind: OrderKind,
  at: number,
  other: number,
): Promise<void> {
  const { findings, limits } = run
  const past = Date.now() - EXPIRED_MS
  const { badArguments, expired, noSuchChild, superseded, unsupported } = replyCodes
  const cases: readonly Refused[] = [
    { rule: 'expiry', codes: [expired], change: { iat: past - 1, exp: past } },
    { rule: 'revision', codes: [superseded], change: { rev: 1 } },
    { rule: 'bad-arguments', codes: [badArguments], change: { args: kind.wrong } },
    { rule: 'unknown-device', codes: [noSuchChild], change: { dev: 'no-such-device' } },
    { rule: 'unsupported', codes: [unsupported, badArguments], change: { do: 'self.destroy' } },
  ]
  const orders = cases.map((refused) => ({ refused, order: send(run, dev, kind, other, refused.change) }))
  for (const { refused, order } of orders) {
    const reply = await waitForReply(run, order, () => true, limits.replyMs)
    const given = reply ? `it was answered with ${reply.code}` : 'it was not answered'
    findings.check(refused.rule, reply !== undefined && refused.codes.includes(reply.code), given)
  }
  const since = Date.now() + limits.strokeMs / 4
  await run.stage.until(
    () => findValue(run, dev, kind.confirmedBy, since) !== undefined,
    limits.strokeMs + limits.periodMs * 2,
  )
  const value = findValue(run, dev, kind.confirmedBy, since) ?? at
  findings.check('refused', kind.isAt(value, at), `${kind.confirmedBy} is ${value} instead of ${at}`)
}

/** The same command again: the stored reply comes, and not the way from accepted to done. */
async function checkDuplicate(run: Run, order: Order): Promise<void> {
  const { stage, limits, findings } = run
  const skipped = run.observer.replies.length
  stage.send('cmd', order.message)
  const reply = await waitForReply(run, order, () => true, limits.replyMs, skipped)
  const given = reply ? `the reply was ${reply.stage} with code ${reply.code}` : 'there was no reply'
  findings.check('duplicate', reply?.stage === 'done' && reply.code === 0, given)
}

/** Two commands at once: the first ends, and the second is executed. */
async function checkReplaced(
  run: Run,
  dev: string,
  kind: OrderKind,
  targets: readonly [number, number],
): Promise<void> {
  const { limits, findings } = run
  const first = send(run, dev, kind, targets[0])
  const second = send(run, dev, kind, targets[1])
  await checkExecution(run, second, kind, targets[1])
  const end = await waitForReply(run, first, isEnd, limits.replyMs)
  findings.check('replaced', end !== undefined, 'the earlier command got no end')
}

async function checkMaxSec(run: Run, dev: string, kind: OrderKind, target: number): Promise<void> {
  const { limits, findings, stage } = run
  const order = send(run, dev, kind, target, { args: { ...kind.toArguments(target), maxSec: MAX_SEC } })
  const end = await waitForReply(run, order, isEnd, limits.replyMs + limits.strokeMs)
  if (end?.code !== 0) {
    findings.check('max-sec', end !== undefined, 'the command was not answered')
    return
  }
  const isClosed = await stage.until(
    () => kind.isAt(findValue(run, dev, kind.confirmedBy, order.sentAt + MAX_SEC * 1_000) ?? target, 0),
    MAX_SEC * 1_000 + limits.strokeMs + limits.periodMs * 3,
  )
  findings.check('max-sec', isClosed, `${MAX_SEC} s after the command the valve was not closed`)
}

/** Withholds the PUBACK of a reply and breaks the link. */
async function checkReplyRepeat(run: Run, dev: string, kind: OrderKind, target: number): Promise<void> {
  const { limits, findings, stage } = run
  run.withhold('reply')
  const order = send(run, dev, kind, target)
  if (!(await stage.until(run.wasWithheld, limits.replyMs))) return
  const [withheld] = listReplies(run, order)
  const births = countBirths(run)
  const skipped = run.observer.replies.length
  stage.cut()
  if (!(await waitForReturn(run, births))) return
  const again = await waitForReply(run, order, ({ seq }) => seq === withheld?.seq, limits.replyMs, skipped)
  findings.check(
    'reply-repeat',
    again !== undefined,
    `the reply with number ${withheld?.seq} did not come again`,
  )
}

/** Sends messages that no device understands; it must still execute commands afterwards. */
async function checkGarbage(run: Run, dev: string, kind: OrderKind, target: number): Promise<void> {
  const { stage, findings, limits } = run
  for (const text of ['not json', '[]', 'null', '{}', '"text"', '{"v":2,"later":{"deep":[1]}}']) {
    stage.send('cmd', text)
    stage.send('time', text)
    stage.send('ack', text)
  }
  const order = send(run, dev, kind, target, { later: { field: 1 } })
  const reply = await waitForReply(run, order, () => true, limits.replyMs)
  findings.check('garbage', reply !== undefined, 'it did not answer a command afterwards')
  await waitForReply(run, order, isEnd, limits.strokeMs)
}

/** Every command that the device supports, by the metrics that it reports; returns how many devices were checked. */
export async function checkCommands(run: Run): Promise<number> {
  const supported = orderKinds.flatMap((kind) => {
    const names = run.observer.values.flatMap(({ metric, device }) =>
      metric === kind.metric ? [device] : [],
    )
    return [...new Set(names)].map((dev) => ({ kind, dev }))
  })
  for (const { kind, dev } of supported) {
    run.print(`commands ${kind.name} to ${dev}`)
    const targets = kind.toTargets(findValue(run, dev, kind.metric) ?? 0)
    const order = send(run, dev, kind, targets[0])
    if (!(await checkExecution(run, order, kind, targets[0]))) continue
    await checkDuplicate(run, order)
    await checkRefusals(run, dev, kind, targets[0], targets[1])
    await checkReplaced(run, dev, kind, [targets[1], targets[0]])
    await checkReplyRepeat(run, dev, kind, targets[1])
    await checkGarbage(run, dev, kind, targets[0])
    if (kind.name === 'valve.set') await checkMaxSec(run, dev, kind, targets[1])
  }
  return supported.length
}
