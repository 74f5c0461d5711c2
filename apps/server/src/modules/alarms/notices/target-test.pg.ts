import type { AlarmTestNotice, TargetTest } from '@isotherm/contract/alarms/alarms'
import { HOUR_MS } from '@isotherm/kernel/durations'
import { sql } from 'kysely'
import { ulid } from 'ulid'
import { AppError } from '../../../platform/app-error.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Caller } from '../../../platform/http/call.ts'
import type { Database } from '../../../platform/postgres/database.pg.ts'
import { isInScope } from '../../../platform/scope/scope.pg.ts'
import type { Scope } from '../../../platform/scope/scope.ts'
import { requireHandling } from '../model/policy.ts'
import { toDeliveryError } from './delivery-fault.ts'
import type { Deliver, Post } from './webhook.ts'

export interface TargetTestNeeds {
  readonly db: Database
  readonly deliver: Deliver
  readonly clock: Pick<Clock, 'now'>
}

/** Tests a target in the caller's scope and returns the result. Throws alarm-target.not-found, request.too-many. */
export type TestTarget = (caller: Caller, id: number) => Promise<TargetTest>

interface Row extends Pick<Post, 'channel' | 'language' | 'url' | 'secret'> {
  readonly company: string
}

/** Channels whose messages reach persons and may cost money. */
const toPersons: ReadonlySet<Row['channel']> = new Set(['sms', 'mail'])
/** Tests of these channels that an account may send in an hour. */
const MAX_PER_HOUR = 20

/** Counts an account's tests of the last hour. Throws request.too-many beyond the limit. */
function createTestLimit(clock: Pick<Clock, 'now'>) {
  const tests = new Map<number, readonly number[]>()
  return (accountId: number): void => {
    const now = clock.now()
    const recent = (tests.get(accountId) ?? []).filter((at) => at > now - HOUR_MS)
    const [oldest = now] = recent
    if (recent.length >= MAX_PER_HOUR)
      throw new AppError('request.too-many', { retryAfterS: Math.ceil((oldest + HOUR_MS - now) / 1000) })
    tests.set(accountId, [...recent, now])
  }
}

/** Sends a test message to a target. The result is stored with the target like that of a notice. */
export function createTargetTest({ db, deliver, clock }: TargetTestNeeds): TestTarget {
  async function getTarget(scope: Scope, id: number): Promise<Row> {
    const { rows } = await sql<Row>`
      select target.channel, target.language, target.url, target.secret, company.tenant as company
      from alarm_target target join node on node.id = target.node_id join company on company.id = target.company_id
      where target.id = ${id} and ${isInScope('node.path', scope)}`.execute(db)
    if (!rows[0]) throw new AppError('alarm-target.not-found')
    return rows[0]
  }

  async function send({ company, ...target }: Row): Promise<TargetTest> {
    const at = clock.now()
    const notice: AlarmTestNotice = { v: 1, id: ulid(at), event: 'test', at, company }
    const post = { ...target, key: notice.id, body: JSON.stringify(notice), sentAtS: Math.floor(at / 1000) }
    const outcome = await deliver(post).then(
      (status) => ({ status }),
      (error: unknown) => ({ fault: toDeliveryError(error).fault }),
    )
    return { at, tookMs: Math.max(0, clock.now() - at), ...outcome }
  }

  async function test(id: number, target: Row): Promise<TargetTest> {
    const result = await send(target)
    const outcome =
      'fault' in result ? sql`fault = ${result.fault}` : sql`fault = null, sent_at = ${new Date(result.at)}`
    // The result does not apply to an address or secret that has changed meanwhile.
    const isSame = sql`url = ${target.url} and secret = ${target.secret}`
    await sql`update alarm_target set ${outcome} where id = ${id} and ${isSame}`.execute(db)
    return result
  }

  const countTest = createTestLimit(clock)
  /** Running tests by target, so that repeated clicks share one test. */
  const running = new Map<number, { readonly target: Row; readonly result: Promise<TargetTest> }>()
  return async (caller, id) => {
    requireHandling(caller)
    const target = await getTarget(caller.scope, id)
    const current = running.get(id)
    // A test with another address or secret does not count.
    if (current?.target.url === target.url && current.target.secret === target.secret) return current.result
    if (toPersons.has(target.channel)) countTest(caller.accountId)
    const result = test(id, target).finally(() => {
      if (running.get(id)?.result === result) running.delete(id)
    })
    running.set(id, { target, result })
    return result
  }
}
