import { permissions } from '@isotherm/contract/access/permissions'
import { MINUTE_MS } from '@isotherm/kernel/durations'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Call } from '../../../platform/http/call.ts'
import { refusal, startUsers, type TestUsers } from '../users.testkit.ts'
import { startTestGateway, type TestGateway } from './code-gateway.testkit.ts'
import { createCodeGateway } from './code-gateway.ts'
import { createVerification } from './verification.ts'
import { toWaitMs } from './verification-limits.ts'

describe('with a gateway', () => {
  let gateway: TestGateway
  let users: TestUsers
  let chief: Call
  let count = 0

  beforeAll(async () => {
    gateway = await startTestGateway()
    users = await startUsers({ ISOTHERM_VERIFICATION_URL: gateway.url })
    await users.createAccount('chief', permissions, ['p'])
    await users.createAccount('other', permissions, ['p'])
    chief = await users.as('chief')
  })
  afterAll(async () => {
    await users.close()
    await gateway.stop()
  })

  const newTel = (): string => {
    count += 1
    return `1380000${String(count).padStart(4, '0')}`
  }
  const send = async (tel: string, call = chief): Promise<string> => {
    await users.handlers.sendVerificationCode({ tel }, call)
    return gateway.findCode(tel) ?? ''
  }
  const register = (tel: string, verificationCode: string | undefined, call = chief) => {
    count += 1
    return users.register(call, `user-${count}`, { tel, verificationCode })
  }
  const wrong = refusal('verification.wrong')
  const toOther = (code: string): string => (code === '000000' ? '111111' : '000000')

  test('a six-digit code reaches the number and proves it once', async () => {
    expect(await users.handlers.getVerification({}, chief)).toEqual({ isConfigured: true })
    const tel = newTel()
    const code = await send(tel)
    expect(code).toMatch(/^\d{6}$/)
    await register(tel, code)
    await expect(register(tel, code)).rejects.toEqual(wrong)
  })

  test('a number needs its code, for a new account and for a change', async () => {
    await expect(register(newTel(), undefined)).rejects.toEqual(wrong)
    const tel = newTel()
    const { id, version } = await register(tel, await send(tel))
    const next = newTel()
    await expect(users.handlers.editUser({ id, version, tel: next }, chief)).rejects.toEqual(wrong)
    const code = await send(next)
    await users.handlers.editUser({ id, version, tel: next, verificationCode: code }, chief)
    // An unchanged or empty number needs no code.
    await users.handlers.editUser({ id, version: version + 1, tel: next, name: '改名' }, chief)
    await users.handlers.editUser({ id, version: version + 2, tel: '' }, chief)
  })

  test('a code is valid for one number and for the account that had it sent', async () => {
    const tel = newTel()
    const code = await send(tel)
    await expect(register(newTel(), code)).rejects.toEqual(wrong)
    await expect(register(tel, code, await users.as('other'))).rejects.toEqual(wrong)
    await register(tel, code)
  })

  test('five wrong tries invalidate a code', async () => {
    const tel = newTel()
    const code = await send(tel)
    for (let tries = 0; tries < 5; tries += 1)
      await expect(register(tel, toOther(code))).rejects.toEqual(wrong)
    await expect(register(tel, code)).rejects.toEqual(wrong)
  })

  test('simultaneous tries count as no more than five', async () => {
    const tel = newTel()
    const code = await send(tel)
    const tries = Array.from({ length: 12 }, () => register(tel, toOther(code)))
    await Promise.allSettled(tries)
    const { rows } = {
      rows: await users.db.selectFrom('verification_code').select('tries').where('tel', '=', tel).execute(),
    }
    expect(rows).toEqual([{ tries: 5 }])
  })

  test('a failed registration leaves the code valid', async () => {
    const tel = newTel()
    const code = await send(tel)
    const taken = users.register(chief, 'chief', { tel, verificationCode: code })
    await expect(taken).rejects.toEqual(refusal('entity.taken'))
    await register(tel, code)
  })

  test('a code expires after five minutes, and a newer one replaces it', async () => {
    const tel = newTel()
    const first = await send(tel)
    users.clock.advance(2 * MINUTE_MS)
    const second = await send(tel)
    if (first !== second) await expect(register(tel, first)).rejects.toEqual(wrong)
    users.clock.advance(5 * MINUTE_MS)
    await expect(register(tel, second)).rejects.toEqual(wrong)
  })

  test('a number gets one message a minute, and the refusal contains the waiting time', async () => {
    const tel = newTel()
    await send(tel)
    users.clock.advance(20_000)
    await expect(send(tel)).rejects.toEqual(refusal('request.too-many', { retryAfterS: 40 }))
    users.clock.advance(40_000)
    await send(tel)
  })

  test('for a caller who must wait no code is hashed or sent', async () => {
    const owner = { tel: newTel(), accountId: chief.caller.accountId }
    let hashes = 0
    let messages = 0
    const { send } = createVerification({
      db: users.db,
      clock: users.clock,
      async sendCode() {
        messages += 1
      },
      async hashCode() {
        hashes += 1
        return 'hash'
      },
    })
    await send(owner)
    await expect(send(owner)).rejects.toEqual(refusal('request.too-many'))
    expect({ hashes, messages }).toEqual({ hashes: 1, messages: 1 })
  })

  test('a message that the gateway refuses fails as not-sent, and its code is invalid', async () => {
    for (const status of [500, 404]) {
      const tel = newTel()
      gateway.answerWith(status)
      await expect(send(tel)).rejects.toEqual(refusal('verification.not-sent'))
      gateway.answerWith(200)
      await expect(register(tel, '123456')).rejects.toEqual(wrong)
    }
  })

  test('a gateway that does not answer runs into the timeout', async () => {
    gateway.answerWith(undefined)
    const send = createCodeGateway(gateway.url, 50)
    await expect(send('13800000000', '123456')).rejects.toEqual(refusal('verification.not-sent'))
    gateway.answerWith(200)
  })

  test('the database stores no code in plain text', async () => {
    const tel = newTel()
    await send(tel)
    const row = await users.db
      .selectFrom('verification_code')
      .selectAll()
      .where('tel', '=', tel)
      .executeTakeFirstOrThrow()
    expect(row.code_hash).toMatch(/^\$argon2id\$/)
  })
})

test('without a gateway no code can be sent, and numbers are accepted unchecked', async () => {
  const users = await startUsers()
  try {
    await users.createAccount('chief', permissions, ['p'])
    const chief = await users.as('chief')
    expect(await users.handlers.getVerification({}, chief)).toEqual({ isConfigured: false })
    const tel = '13800000000'
    await expect(users.handlers.sendVerificationCode({ tel }, chief)).rejects.toEqual(
      refusal('verification.not-configured'),
    )
    await users.register(chief, 'li', { tel })
  } finally {
    await users.close()
  }
})

test('limits: five messages per number and hour, a hundred per caller and hour', () => {
  const now = 10_000_000
  const every = (ms: number, times: number) =>
    Array.from({ length: times }, (_, index) => ({ tel: '1', sentAt: now - ms * (index + 1) }))
  expect(toWaitMs({ toNumber: every(2 * MINUTE_MS, 4), byCaller: [] }, now)).toBe(0)
  expect(toWaitMs({ toNumber: every(2 * MINUTE_MS, 5), byCaller: [] }, now)).toBe(50 * MINUTE_MS)
  expect(toWaitMs({ toNumber: [], byCaller: every(1_000, 99) }, now)).toBe(0)
  expect(toWaitMs({ toNumber: [], byCaller: every(1_000, 100) }, now)).toBe(60 * MINUTE_MS - 100_000)
})
